#include "engine/expiry.h"

#include "engine/write_path.h"

namespace stator {

void WriteExpiry(const ItemChange&, WriteBatch&) {}

}  // namespace stator
