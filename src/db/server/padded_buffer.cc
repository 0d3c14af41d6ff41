#include "server/padded_buffer.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "stator/database.h"

namespace stator::server {

void PaddedBuffer::Free() {
  memory_.reset();
  size_ = 0;
  capacity_ = 0;
}

void PaddedBuffer::Reserve(std::size_t bytes) {
  if (memory_ && bytes <= capacity_) return;
  // realloc moves pages of large blocks instead of copying them.
  auto* grown = static_cast<char*>(std::realloc(memory_.release(), bytes + Database::kPadding));
  STATOR_CHECK(grown != nullptr);
  memory_.reset(grown);
  capacity_ = bytes;
}

void PaddedBuffer::Append(std::string_view bytes) {
  if (bytes.empty()) return;
  const std::size_t needed = size_ + bytes.size();
  if (!memory_ || needed > capacity_) Reserve(std::max(needed, capacity_ * 2));
  std::memcpy(memory_.get() + size_, bytes.data(), bytes.size());
  size_ = needed;
}

char* PaddedBuffer::Overwrite(std::size_t bytes) {
  size_ = 0;
  Reserve(bytes);
  size_ = bytes;
  return memory_.get();
}

std::string_view PaddedBuffer::Padded() {
  Reserve(size_);
  std::memset(memory_.get() + size_, 0, Database::kPadding);
  return {memory_.get(), size_};
}

}  // namespace stator::server
