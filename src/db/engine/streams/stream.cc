#include "engine/streams/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace stator {
namespace {

constexpr std::string_view kShardPrefix = "shardId-";
constexpr std::size_t kOpenedDigits = 20;
constexpr std::size_t kNumberDigits = 8;  // hexadecimal
constexpr std::uint64_t kFirstSequencePrefix = 100'000;
constexpr std::size_t kLogNumberDigits = 18;
constexpr std::size_t kMaxSequenceDigits = 40;

std::string ShardId(ShardNumber number, std::int64_t opened_ms) {
  return fmt::format("{}{:020}-{:08x}", kShardPrefix, opened_ms, number);
}

// The whole text as a number.
std::optional<std::uint64_t> ParseNumber(std::string_view text, int base = 10) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

TimeMs AsTime(std::int64_t ms) { return TimeMs(std::chrono::milliseconds(ms)); }

}  // namespace

std::string StreamShard::Id() const { return ShardId(number, opened_ms); }

std::optional<std::string> StreamShard::ParentId() const {
  if (!parent) return std::nullopt;
  return ShardId(parent->number, parent->opened_ms);
}

StreamStatus Stream::status() const {
  if (!disabled_ms) return StreamStatus::kEnabled;
  const bool closed =
      std::ranges::all_of(shards, [](const StreamShard& shard) { return shard.end.has_value(); });
  return closed ? StreamStatus::kDisabled : StreamStatus::kDisabling;
}

bool Stream::IsVisible(TimeMs now) const {
  return !disabled_ms || now < AsTime(*disabled_ms) + kStreamRetention;
}

const StreamShard* Stream::FindShard(ShardNumber shard) const {
  const auto found = std::ranges::lower_bound(shards, shard, {}, &StreamShard::number);
  return found != shards.end() && found->number == shard ? &*found : nullptr;
}

const StreamShard* Stream::FindShard(std::string_view id, TimeMs now) const {
  const std::optional<ShardNumber> parsed = ParseShardId(id);
  const StreamShard* shard = parsed ? FindShard(*parsed) : nullptr;
  return shard && shard->Id() == id && stator::IsVisible(*shard, now) ? shard : nullptr;
}

bool IsVisible(const StreamShard& shard, TimeMs now) {
  return !shard.end || now < AsTime(shard.end->closed_ms) + kStreamRetention;
}

std::optional<ShardNumber> ParseShardId(std::string_view id) {
  const std::size_t number_at = kShardPrefix.size() + kOpenedDigits + 1;
  if (!id.starts_with(kShardPrefix) || id.size() < number_at + kNumberDigits) return std::nullopt;
  if (id[number_at - 1] != '-') return std::nullopt;
  return ParseNumber(id.substr(number_at), 16);
}

std::string SequenceText(SequenceNumber sequence) {
  return fmt::format("{}{:018}", kFirstSequencePrefix + sequence.shard, sequence.number);
}

std::optional<SequenceNumber> ParseSequence(std::string_view text) {
  if (text.size() <= kLogNumberDigits || text.size() > kMaxSequenceDigits) return std::nullopt;
  const std::size_t split = text.size() - kLogNumberDigits;
  const std::optional<std::uint64_t> prefix = ParseNumber(text.substr(0, split));
  const std::optional<std::uint64_t> number = ParseNumber(text.substr(split));
  if (!prefix || !number || *prefix < kFirstSequencePrefix) return std::nullopt;
  const SequenceNumber sequence{.shard = *prefix - kFirstSequencePrefix, .number = *number};
  if (SequenceText(sequence) != text) return std::nullopt;  // zeros in front
  return sequence;
}

}  // namespace stator
