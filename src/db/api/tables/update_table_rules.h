// What an UpdateTable request may hold, whatever the table is like (behaviour.md §9.4).
#ifndef STATOR_API_TABLES_UPDATE_TABLE_RULES_H_
#define STATOR_API_TABLES_UPDATE_TABLE_RULES_H_

#include "stator/result.h"
#include "stator/table_operations.h"

namespace stator {

// There is something to do.
Result<void> CheckSomethingToDo(const UpdateTableRequest& request);
// One logical change a call: which members may stand together.
Result<void> CheckCombination(const UpdateTableRequest& request);
// Each entry of GlobalSecondaryIndexUpdates is one action, and no index has two.
Result<void> CheckIndexActions(const UpdateTableRequest& request);
// Members that are there but say nothing make the service fail.
Result<void> CheckNotHollow(const UpdateTableRequest& request);

}  // namespace stator

#endif  // STATOR_API_TABLES_UPDATE_TABLE_RULES_H_
