// A stream's row in the catalog is a JSON object:
//
//   {"format":1,"number":3,"tableName":…,"arn":…,"label":…,"view":"NEW_IMAGE",
//    "hash":[["pk","S"]],"range":[],"secret":…,"createdMs":…,"disabledMs":…,"nextShard":5,
//    "shards":[{"number":1,"openedMs":…,"parent":…,"parentOpenedMs":…,
//               "lastNumber":…,"closedMs":…},…]}
//
// Members without a value are left out.
#include "engine/streams/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <utility>

#include "engine/catalog/table_row.h"
#include "value/json.h"
#include "value/json_writer.h"
#include "wire/enum_text.h"

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

using table_row::Reader;
using table_row::WriteKeyAttributes;

constexpr std::int64_t kStreamFormat = 1;

void WriteShard(JsonWriter& out, const StreamShard& shard) {
  out.BeginObject();
  out.Key("number").Integer(static_cast<std::int64_t>(shard.number));
  out.Key("openedMs").Integer(shard.opened_ms);
  if (shard.parent) {
    out.Key("parent").Integer(static_cast<std::int64_t>(shard.parent->number));
    out.Key("parentOpenedMs").Integer(shard.parent->opened_ms);
  }
  if (shard.end) {
    out.Key("lastNumber").Integer(static_cast<std::int64_t>(shard.end->last_number));
    out.Key("closedMs").Integer(shard.end->closed_ms);
  }
  out.EndObject();
}

StreamShard ReadShard(Reader& in) {
  StreamShard shard;
  shard.number = in.Number<ShardNumber>("number");
  shard.opened_ms = in.Integer("openedMs");
  if (in.Has("parent")) {
    shard.parent = {in.Number<ShardNumber>("parent"), in.Integer("parentOpenedMs")};
  }
  if (in.Has("lastNumber")) {
    shard.end = {in.Number<std::uint64_t>("lastNumber"), in.Integer("closedMs")};
  }
  return shard;
}

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
  return !disabled_ms || now < TimeFromMs(*disabled_ms) + kStreamRetention;
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
  return !shard.end || now < TimeFromMs(shard.end->closed_ms) + kStreamRetention;
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
  if (SequenceText(sequence) != text) return std::nullopt;  // leading zeros
  return sequence;
}

std::string EncodeStream(const Stream& stream) {
  std::string json;
  JsonWriter out(json);
  out.BeginObject();
  out.Key("format").Integer(kStreamFormat);
  out.Key("number").Integer(stream.number);
  out.Key("tableName").String(stream.table_name);
  out.Key("arn").String(stream.arn);
  out.Key("label").String(stream.label);
  out.Key("view").String(EnumText(stream.view));
  WriteKeyAttributes(out, "hash", stream.keys.hash);
  WriteKeyAttributes(out, "range", stream.keys.range);
  out.Key("secret").Base64(stream.secret);
  out.Key("createdMs").Integer(stream.created_ms);
  if (stream.disabled_ms) out.Key("disabledMs").Integer(*stream.disabled_ms);
  out.Key("nextShard").Integer(static_cast<std::int64_t>(stream.next_shard));
  out.Key("shards").BeginArray();
  for (const StreamShard& shard : stream.shards) WriteShard(out, shard);
  out.EndArray();
  out.EndObject();
  return json;
}

std::optional<Stream> DecodeStream(std::string_view json) {
  JsonDocument document;
  if (!document.Parse(json)) return std::nullopt;
  Reader in(document.root());
  in.Require(in.Integer("format") == kStreamFormat);
  Stream stream;
  stream.number = in.Number<StreamNumber>("number");
  stream.table_name = in.String("tableName");
  stream.arn = in.String("arn");
  stream.label = in.String("label");
  stream.view = in.Enum<StreamViewType>("view");
  stream.keys.hash = in.KeyAttributes("hash");
  stream.keys.range = in.KeyAttributes("range");
  stream.secret = in.Bytes("secret");
  stream.created_ms = in.Integer("createdMs");
  stream.disabled_ms = in.OptionalInteger("disabledMs");
  stream.next_shard = in.Number<ShardNumber>("nextShard");
  in.Objects("shards", [&](Reader& shard) { stream.shards.push_back(ReadShard(shard)); });
  in.Require(std::ranges::is_sorted(stream.shards, std::less_equal(), &StreamShard::number));
  in.Require(stream.shards.empty() || stream.shards.back().number < stream.next_shard);
  if (!in.ok()) return std::nullopt;
  return stream;
}

}  // namespace stator
