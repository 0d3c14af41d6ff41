#include "transfer/unpacking_source.h"

#include <fmt/format.h>

#include "base/try.h"
#include "transfer/compression.h"

namespace stator::transfer {

TransferResult<void> UnpackingSource::Refill() {
  ASSIGN_OR_RETURN(const std::size_t count, packed_->Read(chunk_));
  in_ = {chunk_.data(), count};
  ended_ = count == 0;
  return {};
}

TransferResult<std::size_t> UnpackingSource::Read(std::span<char> out) {
  for (;;) {
    if (in_.empty() && !ended_) RETURN_IF_ERROR(Refill());
    if (in_.empty() && !in_member_) return 0;
    in_member_ = true;
    const Step step = Unpack(in_, out);
    if (!step.problem.empty()) {
      return Corrupt(fmt::format("the compressed data is damaged at byte {}: {}",
                                 offset_ + step.taken, step.problem));
    }
    in_.remove_prefix(step.taken);
    offset_ += step.taken;
    if (step.member_ended) in_member_ = false;
    if (step.given != 0) return step.given;
    // Nothing left to read, and nothing came out of what was kept back.
    if (ended_ && in_member_ && in_.empty()) {
      return Corrupt(fmt::format("the compressed data ends too early, at byte {}", offset_));
    }
  }
}

std::unique_ptr<ByteSource> Unpacked(Compression compression, std::unique_ptr<ByteSource> packed) {
  switch (compression) {
    case Compression::kNone:
      break;
    case Compression::kGzip:
      return GzipUnpacked(std::move(packed));
    case Compression::kZstd:
      return ZstdUnpacked(std::move(packed));
  }
  return packed;
}

}  // namespace stator::transfer
