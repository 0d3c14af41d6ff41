// Whether an item that comes from a file fits a table: its size, its keys, and those of the indexes.
#ifndef STATOR_ENGINE_WRITE_ITEM_RULES_H_
#define STATOR_ENGINE_WRITE_ITEM_RULES_H_

#include "engine/catalog/table.h"
#include "stator/item.h"
#include "stator/result.h"

namespace stator {

Result<void> CheckWholeItem(const Table& table, ItemView item);

}  // namespace stator

#endif  // STATOR_ENGINE_WRITE_ITEM_RULES_H_
