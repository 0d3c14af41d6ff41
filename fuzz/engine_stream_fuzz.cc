// Any bytes as a stream's catalog row, a shard's id and a sequence number: refused, or read and
// written back without a change of meaning.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "engine/streams/stream.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)stator::ParseShardId(text);
  if (const auto sequence = stator::ParseSequence(text)) {
    if (stator::SequenceText(*sequence) != text) std::abort();
  }
  const std::optional<stator::Stream> stream = stator::DecodeStream(text);
  if (!stream) return 0;
  (void)stream->status();
  (void)stream->FindShard(1);
  const std::string written = stator::EncodeStream(*stream);
  const std::optional<stator::Stream> again = stator::DecodeStream(written);
  if (!again || stator::EncodeStream(*again) != written) std::abort();
  return 0;
}
