#include "engine/stream_record.h"

#include "engine/write_path.h"

namespace stator {

void AppendStreamRecord(const ItemChange&, WriteBatch&) {}

}  // namespace stator
