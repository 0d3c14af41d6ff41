// Whether a wanted write fits its table: key attributes, index keys, paths below keys. The order of
// the checks is that of PutItem, UpdateItem and DeleteItem (behaviour.md §2.3).
#ifndef STATOR_API_ITEMS_TABLE_FIT_H_
#define STATOR_API_ITEMS_TABLE_FIT_H_

#include <string_view>

#include "engine/engine.h"
#include "engine/write/item_write.h"
#include "stator/result.h"

namespace stator {

// REQUIRES: the write has its table.
Result<void> FitToTable(const ItemWrite& write);

// Gives the write its table first.
Result<void> FindTableAndFit(Engine& engine, std::string_view table_name, ItemWrite& write);

}  // namespace stator

#endif  // STATOR_API_ITEMS_TABLE_FIT_H_
