// Bytes that are read and written in pieces.
#ifndef STATOR_TRANSFER_BYTE_STREAM_H_
#define STATOR_TRANSFER_BYTE_STREAM_H_

#include <cstddef>
#include <span>
#include <string_view>

#include "transfer/transfer_error.h"

namespace stator::transfer {

// The size of the pieces in which files are read, unpacked and written.
inline constexpr std::size_t kChunkBytes = 64 * 1024;

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Fills some of `out` and returns how many bytes; 0 at the end. REQUIRES: `out` is not empty.
  virtual TransferResult<std::size_t> Read(std::span<char> out) = 0;
};

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual TransferResult<void> Write(std::string_view bytes) = 0;
};

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_BYTE_STREAM_H_
