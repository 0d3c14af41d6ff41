#include "api/streams/shard_iterator.h"

#include <algorithm>
#include <array>

#include "base/big_endian.h"
#include "value/base64.h"
#include "value/key_codec.h"

namespace stator {
namespace {

constexpr std::string_view kSeparator = "|1|";
constexpr std::size_t kNumbersBytes = 3 * 8;
constexpr std::size_t kSealBytes = sizeof(Hash128);

std::string Seal(const Stream& stream, std::string_view numbers) {
  const Hash128 hash = HashBytes(stream.secret + stream.arn + std::string(numbers));
  return {hash.begin(), hash.end()};
}

}  // namespace

std::string EncodeShardIterator(const Stream& stream, const ShardIterator& iterator) {
  std::string bytes;
  AppendBigEndian(bytes, iterator.shard, 8);
  AppendBigEndian(bytes, iterator.position, 8);
  AppendBigEndian(bytes, static_cast<std::uint64_t>(iterator.issued.time_since_epoch().count()), 8);
  bytes += Seal(stream, bytes);
  std::string text = stream.arn;
  text += kSeparator;
  AppendBase64(text, bytes);
  return text;
}

std::optional<std::string_view> ArnOfShardIterator(std::string_view text) {
  const std::size_t separator = text.rfind(kSeparator);
  if (separator == std::string_view::npos) return std::nullopt;
  return text.substr(0, separator);
}

std::optional<ShardIterator> DecodeShardIterator(const Stream& stream, std::string_view text) {
  const std::optional<std::string_view> arn = ArnOfShardIterator(text);
  if (!arn || *arn != stream.arn) return std::nullopt;
  std::string bytes;
  const std::string_view encoded = text.substr(arn->size() + kSeparator.size());
  if (AppendBase64Decoded(bytes, encoded) != Base64Status::kOk) return std::nullopt;
  if (bytes.size() != kNumbersBytes + kSealBytes) return std::nullopt;
  const std::string_view numbers = std::string_view(bytes).substr(0, kNumbersBytes);
  if (Seal(stream, numbers) != std::string_view(bytes).substr(kNumbersBytes)) return std::nullopt;
  return ShardIterator{.shard = ReadBigEndian(numbers.substr(0, 8)),
                       .position = ReadBigEndian(numbers.substr(8, 8)),
                       .issued = TimeMs(std::chrono::milliseconds(
                           static_cast<std::int64_t>(ReadBigEndian(numbers.substr(16, 8)))))};
}

}  // namespace stator
