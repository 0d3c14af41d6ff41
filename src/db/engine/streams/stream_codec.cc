// A stream's row in the catalog is a JSON object:
//
//   {"format":1,"number":3,"tableName":…,"arn":…,"label":…,"view":"NEW_IMAGE",
//    "hash":[["pk","S"]],"range":[],"secret":…,"createdMs":…,"disabledMs":…,"nextShard":5,
//    "shards":[{"number":1,"openedMs":…,"parent":…,"parentOpenedMs":…,
//               "lastNumber":…,"closedMs":…},…]}
//
// Members without a value are left out.
#include <algorithm>
#include <functional>

#include "engine/catalog/table_row.h"
#include "engine/streams/stream.h"
#include "value/json.h"
#include "value/json_writer.h"
#include "wire/enum_text.h"

namespace stator {
namespace {

using table_row::Reader;

constexpr std::int64_t kFormat = 1;

void WriteKeyAttributes(JsonWriter& out, std::string_view key,
                        const std::vector<KeyAttribute>& attributes) {
  out.Key(key).BeginArray();
  for (const KeyAttribute& attribute : attributes) {
    out.BeginArray().String(attribute.name).String(EnumText(attribute.type)).EndArray();
  }
  out.EndArray();
}

std::vector<KeyAttribute> ReadKeyAttributes(Reader& in, std::string_view key) {
  std::vector<KeyAttribute> attributes;
  for (auto& [name, type] : in.Definitions(key)) attributes.push_back({std::move(name), type});
  return attributes;
}

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

std::string EncodeStream(const Stream& stream) {
  std::string json;
  JsonWriter out(json);
  out.BeginObject();
  out.Key("format").Integer(kFormat);
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
  in.Require(in.Integer("format") == kFormat);
  Stream stream;
  stream.number = in.Number<StreamNumber>("number");
  stream.table_name = in.String("tableName");
  stream.arn = in.String("arn");
  stream.label = in.String("label");
  stream.view = in.Enum<StreamViewType>("view");
  stream.keys.hash = ReadKeyAttributes(in, "hash");
  stream.keys.range = ReadKeyAttributes(in, "range");
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
