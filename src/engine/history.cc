#include "engine/history.h"

#include "engine/write_path.h"

namespace stator {

void AppendHistory(const ItemChange&, WriteBatch&) {}

}  // namespace stator
