#include "api/tables/stream_change.h"

#include <fmt/format.h>

#include <utility>

#include "base/try.h"
#include "engine/streams/stream_lifecycle.h"

namespace stator {
namespace {

Result<void> CheckNoIndexIsChanging(const Table& table) {
  for (const Index& index : table.indexes) {
    if (index.status == IndexStatus::kActive) continue;
    return std::unexpected(Error::ResourceInUse(fmt::format(
        "Attempt to change a resource which is still in use: Can't change stream status when an "
        "index is being {}. Table: {} Indexes: [{}]",
        index.status == IndexStatus::kDeleting ? "deleted" : "created", table.name, index.name)));
  }
  return {};
}

std::unexpected<Error> Refused(std::string_view what, const Table& table) {
  return std::unexpected(Error::Validation(fmt::format("{}: TableName: {}", what, table.name)));
}

}  // namespace

Result<StreamChange> ChangeStream(const std::optional<StreamSpecification>& sent,
                                  const StreamCatalog& streams, TimeMs now, Table& table) {
  StreamChange change;
  if (!sent) return change;
  if (*sent->stream_enabled) {
    if (table.stream) return Refused("Table already has an enabled stream", table);
    RETURN_IF_ERROR(CheckNoIndexIsChanging(table));
    change.stream = BeginStream(streams, sent->stream_view_type->value(), now, table);
    change.rows = StreamCatalog::RowsOfNew(*change.stream);
  } else {
    if (!table.stream) return Refused("Table has no stream to disable", table);
    RETURN_IF_ERROR(CheckNoIndexIsChanging(table));
    change.stream = EndStream(streams, now, table);
    change.rows = StreamCatalog::RowsOf(*change.stream);
  }
  return change;
}

}  // namespace stator
