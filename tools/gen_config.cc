// Prints docs/config.md, made from the catalogue of options.
#include <cstdio>

#include "base/options_render.h"

int main() {
  const std::string page = strom::render_options_markdown();
  return std::fwrite(page.data(), 1, page.size(), stdout) == page.size() ? 0 : 1;
}
