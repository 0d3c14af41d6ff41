// Any text as a shard iterator: refused, unless it is exactly what its parts are written as.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "api/streams/shard_iterator.h"
#include "api/streams/stream_reference.h"

namespace {

stator::Stream SomeStream() {
  stator::Stream stream;
  stream.arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Songs/stream/2026-01-31T12:00:00.000";
  stream.secret = std::string(stator::kStreamSecretBytes, 's');
  return stream;
}

void Decode(const stator::Stream& stream, std::string_view text) {
  const std::optional<stator::ShardIterator> iterator = stator::DecodeShardIterator(stream, text);
  if (iterator && stator::EncodeShardIterator(stream, *iterator) != text) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const stator::Stream stream = SomeStream();
  (void)stator::ParseStreamArn(text);
  if (const auto arn = stator::ArnOfShardIterator(text)) (void)stator::ParseStreamArn(*arn);
  Decode(stream, text);
  Decode(stream, stream.arn + "|1|" + std::string(text));
  return 0;
}
