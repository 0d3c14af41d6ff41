// Changes that UpdateTable makes to the global indexes of a table (behaviour.md §9.4).
#ifndef STATOR_API_TABLES_INDEX_CHANGE_H_
#define STATOR_API_TABLES_INDEX_CHANGE_H_

#include <optional>
#include <string>
#include <vector>

#include "api/tables/capacity_change.h"
#include "engine/catalog/table.h"
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

}  // namespace stator

#endif  // STATOR_API_TABLES_INDEX_CHANGE_H_
