// What an item may hold in the key attributes of a secondary index (behaviour.md §4).
#ifndef STATOR_ENGINE_WRITE_INDEX_KEY_RULES_H_
#define STATOR_ENGINE_WRITE_INDEX_KEY_RULES_H_

#include "engine/catalog/table.h"
#include "expr/update.h"
#include "stator/item.h"
#include "stator/result.h"

namespace stator {

// For a whole item that is about to be put: first the type of every index key, then emptiness and
// size.
Result<void> CheckPutIndexKeys(const Table& table, ItemView item);

// For an update whose new values are known before it runs: SET name = :value.
Result<void> CheckStaticIndexKeys(const Table& table, const Update& update);

// After the update ran: the targets that became index keys of an unsupported type.
Result<void> CheckUpdatedIndexKeys(const Table& table, const Update& update, ItemView after);

Error UpdateTooLarge();

}  // namespace stator

#endif  // STATOR_ENGINE_WRITE_INDEX_KEY_RULES_H_
