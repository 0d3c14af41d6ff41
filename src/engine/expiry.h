// The expiry space: rows that name items by the second in which they expire.
#ifndef STATOR_ENGINE_EXPIRY_H_
#define STATOR_ENGINE_EXPIRY_H_

#include "storage/store.h"

namespace stator {

struct ItemChange;

// Moves the item's row from the old expiry time to the new. REQUIRES: the table has time to live.
void WriteExpiry(const ItemChange& change, WriteBatch& batch);

}  // namespace stator

#endif  // STATOR_ENGINE_EXPIRY_H_
