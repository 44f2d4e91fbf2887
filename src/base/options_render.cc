#include "base/options_render.h"

#include "base/options.h"

namespace strom {
namespace {

std::string_view scope_text(OptionScope scope) {
  switch (scope) {
    case OptionScope::kServer:
      return "every server";
    case OptionScope::kCoordinator:
      return "coordinator";
    case OptionScope::kTablet:
      break;
  }
  return "tablet server";
}

constexpr std::string_view kPageHead = R"(# Configuration

Made from `src/base/options.inc` by `./dev gen`.

    strom server [--config server.yaml] [-D key=value …]

The file has one `key: value` a line, with a space after the colon. It is Fluss's format, which is not YAML: no nesting, no
quotes, and everything after a `#` is dropped, even inside a value. `-D` overrides the file; of several values of one key
the last counts. Keys and values are Fluss's, so that a configuration of Fluss works here.

A value that is not allowed stops the start, and so does a setting that would turn on what Strom can't do yet. Keys of Fluss
that have no effect here are accepted; keys that nobody knows are listed in one warning.

| key | default | allowed | read by | meaning |
|---|---|---|---|---|
)";

}  // namespace

std::string render_sample_config() {
  std::string text =
      "# Options of Strom with their defaults. One `key: value` a line; everything after a hash is "
      "dropped.\n";
  for (const OptionRow& row : option_rows()) {
    text += fmt::format("\n# {} Allowed is {}.\n# {}: {}\n", row.description,
                        allowed_values(row.kind, row.constraint), row.key, row.default_text);
  }
  return text;
}

std::string render_options_markdown() {
  std::string text(kPageHead);
  for (const OptionRow& row : option_rows()) {
    const std::string value = row.default_text.empty() ? "not set" : fmt::format("`{}`", row.default_text);
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", row.key, value,
                        allowed_values(row.kind, row.constraint), scope_text(row.scope), row.description);
  }
  return text;
}

}  // namespace strom
