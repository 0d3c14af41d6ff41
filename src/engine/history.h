// The history of a table: what each change replaced, so that the past can be restored.
#ifndef STATOR_ENGINE_HISTORY_H_
#define STATOR_ENGINE_HISTORY_H_

#include "storage/store.h"

namespace stator {

struct ItemChange;

// Keeps what the change replaces. REQUIRES: the table has recovery.
void AppendHistory(const ItemChange& change, WriteBatch& batch);

}  // namespace stator

#endif  // STATOR_ENGINE_HISTORY_H_
