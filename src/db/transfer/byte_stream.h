// Bytes that are read and written in pieces.
#ifndef STATOR_TRANSFER_BYTE_STREAM_H_
#define STATOR_TRANSFER_BYTE_STREAM_H_

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

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

class StringSource final : public ByteSource {
 public:
  // Every Read returns at most `piece_bytes`.
  explicit StringSource(std::string bytes, std::size_t piece_bytes = kChunkBytes)
      : bytes_(std::move(bytes)), piece_bytes_(piece_bytes) {}
  TransferResult<std::size_t> Read(std::span<char> out) override {
    const std::size_t count = std::min({out.size(), bytes_.size() - at_, piece_bytes_});
    std::copy_n(bytes_.data() + at_, count, out.data());
    at_ += count;
    return count;
  }

 private:
  std::string bytes_;
  std::size_t piece_bytes_;
  std::size_t at_ = 0;
};

class StringSink final : public ByteSink {
 public:
  TransferResult<void> Write(std::string_view bytes) override {
    bytes_.append(bytes);
    return {};
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_BYTE_STREAM_H_
