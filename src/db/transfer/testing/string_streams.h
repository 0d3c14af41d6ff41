// Sources and sinks of bytes in memory.
#ifndef STATOR_TRANSFER_TESTING_STRING_STREAMS_H_
#define STATOR_TRANSFER_TESTING_STRING_STREAMS_H_

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "transfer/byte_stream.h"
#include "transfer/compression.h"

namespace stator::transfer::testing {

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

inline std::string Gzip(std::string_view bytes) {
  StringSink packed;
  GzipSink sink(packed);
  STATOR_CHECK(sink.Write(bytes) && sink.Finish());
  return packed.bytes();
}

}  // namespace stator::transfer::testing

#endif  // STATOR_TRANSFER_TESTING_STRING_STREAMS_H_
