#include "value/output_cursor.h"

namespace stator {

// The string at least doubles its capacity.
void OutputCursor::Grow(std::size_t bytes) {
  const std::size_t used = size();
  Stretch(used, used + bytes);
  Stretch(used, text_.capacity());
}

}  // namespace stator
