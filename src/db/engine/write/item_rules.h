// Whether an item fits a table: its size, its keys, and what it may hold in the key attributes of
// secondary indexes (behaviour.md §4).
#ifndef STATOR_ENGINE_WRITE_ITEM_RULES_H_
#define STATOR_ENGINE_WRITE_ITEM_RULES_H_

#include "engine/catalog/table.h"
#include "expr/update.h"
#include "stator/item.h"
#include "stator/result.h"

namespace stator {

// For an item that comes from a file, not from a request: size, keys and index keys.
Result<void> CheckWholeItem(const Table& table, ItemView item);

// For a whole item that is about to be put: first the type of every index key, then whether it is
// empty or too long.
Result<void> CheckPutIndexKeys(const Table& table, ItemView item);

// For an update whose new values are known before it runs: SET name = :value.
Result<void> CheckStaticIndexKeys(const Table& table, const Update& update);

// After the update has run: its targets must not have become index keys of an unsupported type.
Result<void> CheckUpdatedIndexKeys(const Table& table, const Update& update, ItemView after);

Error UpdateTooLarge();

}  // namespace stator

#endif  // STATOR_ENGINE_WRITE_ITEM_RULES_H_
