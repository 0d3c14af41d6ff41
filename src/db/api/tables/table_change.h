// Changes that UpdateTable makes to the global indexes, the stream and the settings of a table
// (behaviour.md §9.4); those of its capacity are in capacity_change.h.
#ifndef STATOR_API_TABLES_TABLE_CHANGE_H_
#define STATOR_API_TABLES_TABLE_CHANGE_H_

#include <optional>
#include <string>
#include <vector>

#include "api/tables/capacity_change.h"
#include "base/clock.h"
#include "engine/catalog/table.h"
#include "engine/store_access.h"
#include "engine/streams/stream_catalog.h"
#include "stator/result.h"
#include "stator/table_operations.h"

namespace stator {

// Work that begins once the change is committed, and what the answer shows as being updated.
struct IndexChanges {
  std::optional<IndexNumber> created;
  std::optional<IndexNumber> removed;
  std::vector<std::string> updated;
};

// Carries out GlobalSecondaryIndexUpdates in request order. `was` is the billing mode before this
// request.
Result<IndexChanges> ChangeIndexes(const UpdateTableRequest& request, BillingMode was,
                                   const ChangeContext& context, Table& table);

struct StreamChange {
  std::optional<Stream> stream;  // as it shall be; absent: nothing changes
  RawRows rows;                  // to be stored with the table
};

Result<StreamChange> ChangeStream(const std::optional<StreamSpecification>& sent,
                                  const StreamCatalog& streams, TimeMs now, Table& table);

Result<void> ChangeSettings(const UpdateTableRequest& request, TimeMs now, Table& table);

}  // namespace stator

#endif  // STATOR_API_TABLES_TABLE_CHANGE_H_
