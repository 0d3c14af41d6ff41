// What the two decompressors share: input in chunks, and the question whether the stream may end.
#ifndef STATOR_TRANSFER_UNPACKING_SOURCE_H_
#define STATOR_TRANSFER_UNPACKING_SOURCE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transfer/byte_stream.h"

namespace stator::transfer {

class UnpackingSource : public ByteSource {
 public:
  explicit UnpackingSource(std::unique_ptr<ByteSource> packed)
      : packed_(std::move(packed)), chunk_(kChunkBytes) {}

  TransferResult<std::size_t> Read(std::span<char> out) final;

 protected:
  struct Step {
    std::size_t taken = 0;  // of the input
    std::size_t given = 0;  // to the output
    std::string_view problem = {};
    bool member_ended = false;
  };
  // Unpacks some of `in` into `out`. After a member's end the next step begins a new one.
  virtual Step Unpack(std::string_view in, std::span<char> out) = 0;

 private:
  TransferResult<void> Refill();

  std::unique_ptr<ByteSource> packed_;
  std::vector<char> chunk_;
  std::string_view in_;
  std::uint64_t offset_ = 0;  // of in_ among the packed bytes
  bool in_member_ = false;
  bool ended_ = false;
};

std::unique_ptr<ByteSource> GzipUnpacked(std::unique_ptr<ByteSource> packed);
std::unique_ptr<ByteSource> ZstdUnpacked(std::unique_ptr<ByteSource> packed);

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_UNPACKING_SOURCE_H_
