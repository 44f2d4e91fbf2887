// ALTER_TABLE: options of a table, or columns added at its end. Columns can't be dropped, renamed or
// modified, and the number of buckets stays; requests for these are refused with the codes that clients know.
#include "rpc/proto/table.pb.h"
#include "rpc/typed.h"
#include "server/convert/names.h"
#include "server/coordinator/submit.h"
#include "server/handlers.h"
#include "server/metadata_reader.h"

namespace strom::server {

using async::Task;

namespace {

constexpr int32_t kLast = 0;  // column_position_type

Result<model::Column> column(const proto::PbAddColumn& message) {
  if (message.column_position_type() != kLast) {
    return make_error(
        ErrorCode::kUnknownServerError,
        "column '{}' is to be added at position type {}, but columns can only be added at the end (0)",
        message.column_name(), message.column_position_type());
  }
  model::Column column{message.column_name(),
                       STROM_TRY(model::DataType::parse_json(message.data_type_json()))};
  if (message.has_comment()) column.comment = message.comment();
  if (message.has_agg_function_type()) {
    column.agg_function.emplace();
    column.agg_function->type = message.agg_function_type();
    for (const auto& entry : message.agg_function_params()) {
      column.agg_function->parameters.set(entry.key(), entry.value());
    }
  }
  return column;
}

bool changes_columns_otherwise(const proto::AlterTableRequest& request) {
  return request.drop_columns_size() + request.rename_columns_size() + request.modify_columns_size() > 0;
}

Result<coordinator::AlterTable> alteration(const proto::AlterTableRequest& request) {
  coordinator::AlterTable event;
  event.path = table_path(request.table_path());
  event.ignore_if_missing = request.ignore_if_not_exists();
  STROM_TRY(event.path.validate());
  auto options = STROM_TRY(option_changes(request.config_changes()));
  event.set = std::move(options.set);
  event.reset = std::move(options.reset);
  for (const auto& added : request.add_columns()) event.add_columns.push_back(STROM_TRY(column(added)));
  const bool columns = !event.add_columns.empty() || changes_columns_otherwise(request);
  if (request.config_changes_size() > 0 && columns) {
    return make_error(ErrorCode::kInvalidAlterTable,
                      "options and columns of table {} can't be altered in one request; send one for each",
                      event.path);
  }
  if (request.has_modify_bucket_count()) {
    return make_error(
        ErrorCode::kInvalidAlterTable,
        "the number of buckets of table {} can't be altered by this server; create another table",
        event.path);
  }
  return event;
}

// Refuses, unless the table is not there and that is fine.
Task<Status> refuse_column_change(Services& services, coordinator::AlterTable event) {
  const bool exists = STROM_CO_TRY(
      co_await services.home([path = event.path](Home& home) { return table_exists(home.metastore, path); }));
  if (exists) {
    co_return make_error(
        ErrorCode::kUnknownServerError,
        "columns of table {} can only be added; dropping, renaming and modifying them is not supported",
        event.path);
  }
  if (event.ignore_if_missing) co_return Status();
  co_return make_error(ErrorCode::kTableNotExist, "table {} does not exist", event.path);
}

Task<Result<proto::AlterTableResponse>> alter(Services& services, proto::AlterTableRequest request) {
  auto event = STROM_CO_TRY(alteration(request));
  if (changes_columns_otherwise(request)) {
    STROM_CO_TRY(co_await refuse_column_change(services, std::move(event)));
  } else if (!event.set.empty() || !event.reset.empty() || !event.add_columns.empty()) {
    STROM_CO_TRY(co_await submit(services, std::move(event)));
  }
  co_return proto::AlterTableResponse();
}

}  // namespace

void serve_alter_table(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kAlterTable>(dispatcher,
                                       [&services](rpc::RequestContext, proto::AlterTableRequest request) {
                                         return alter(services, std::move(request));
                                       });
}

}  // namespace strom::server
