#include "engine/catalog/table_features_codec.h"
#include "wire/enum_text.h"

#include <algorithm>
#include <charconv>
#include <functional>

namespace stator {
namespace {

using table_row::Reader;

void WriteStream(JsonWriter& out, const TableStream& stream) {
  out.Key("stream").BeginObject();
  out.Key("number").Integer(stream.number);
  out.Key("label").String(stream.label);
  out.Key("view").String(EnumText(stream.view));
  out.Key("shards").BeginArray();
  for (const OpenShard& shard : stream.shards) {
    out.BeginObject();
    out.Key("number").Integer(static_cast<std::int64_t>(shard.number));
    // As text: JSON's integers end at 2^63.
    out.Key("firstHash").String(std::to_string(shard.first_hash));
    out.EndObject();
  }
  out.EndArray();
  out.EndObject();
}

void WriteTimeToLive(JsonWriter& out, const TimeToLive& time_to_live) {
  out.Key("timeToLive").BeginObject();
  out.Key("attribute").String(time_to_live.attribute);
  out.Key("status").String(EnumText(time_to_live.status));
  out.Key("backfillCursor").Base64(time_to_live.backfill_cursor);
  out.EndObject();
}

void WriteRecovery(JsonWriter& out, const PointInTimeRecovery& recovery) {
  out.Key("recovery").BeginObject();
  out.Key("enabledMs").Integer(recovery.enabled_ms);
  out.Key("days").Integer(recovery.days);
  out.EndObject();
}

void WriteOrigin(JsonWriter& out, const RestoreOrigin& origin) {
  out.Key("restoredFrom").BeginObject();
  out.Key("backup").String(origin.backup_arn);
  out.Key("table").String(origin.table_arn);
  out.Key("timeMs").Integer(origin.time_ms);
  out.Key("checkpoint").String(origin.checkpoint);
  out.Key("tableNumber").Integer(origin.table_number);
  out.EndObject();
}

OpenShard ReadOpenShard(Reader& in) {
  OpenShard shard;
  shard.number = in.Number<ShardNumber>("number");
  const std::string hash = in.String("firstHash");
  const auto [end, error] =
      std::from_chars(hash.data(), hash.data() + hash.size(), shard.first_hash);
  in.Require(error == std::errc() && end == hash.data() + hash.size());
  return shard;
}

std::optional<TableStream> ReadStream(Reader& in) {
  if (!in.Has("stream")) return std::nullopt;
  TableStream stream;
  in.Object("stream", [&](Reader& inner) {
    stream.number = inner.Number<StreamNumber>("number");
    stream.label = inner.String("label");
    stream.view = inner.Enum<StreamViewType>("view");
    inner.Objects("shards", [&](Reader& shard) { stream.shards.push_back(ReadOpenShard(shard)); });
  });
  in.Require(!stream.shards.empty() && stream.shards.front().first_hash == 0 &&
             std::ranges::is_sorted(stream.shards, std::less_equal(), &OpenShard::first_hash));
  return stream;
}

std::optional<TimeToLive> ReadTimeToLive(Reader& in) {
  if (!in.Has("timeToLive")) return std::nullopt;
  TimeToLive time_to_live;
  in.Object("timeToLive", [&](Reader& inner) {
    time_to_live.attribute = inner.String("attribute");
    time_to_live.status = inner.Enum<TimeToLiveStatus>("status");
    time_to_live.backfill_cursor = inner.Bytes("backfillCursor");
  });
  return time_to_live;
}

std::optional<PointInTimeRecovery> ReadRecovery(Reader& in) {
  if (!in.Has("recovery")) return std::nullopt;
  PointInTimeRecovery recovery;
  in.Object("recovery", [&](Reader& inner) {
    recovery.enabled_ms = inner.Integer("enabledMs");
    recovery.days = inner.Integer("days");
  });
  return recovery;
}

std::optional<RestoreOrigin> ReadOrigin(Reader& in) {
  if (!in.Has("restoredFrom")) return std::nullopt;
  RestoreOrigin origin;
  in.Object("restoredFrom", [&](Reader& inner) {
    origin.backup_arn = inner.String("backup");
    origin.table_arn = inner.String("table");
    origin.time_ms = inner.Integer("timeMs");
    origin.checkpoint = inner.String("checkpoint");
    origin.table_number = inner.Number<std::uint32_t>("tableNumber");
  });
  return origin;
}

}  // namespace

void WriteFeatures(JsonWriter& out, const Table& table) {
  if (table.stream) WriteStream(out, *table.stream);
  if (table.latest_stream_label) out.Key("latestStreamLabel").String(*table.latest_stream_label);
  if (table.time_to_live) WriteTimeToLive(out, *table.time_to_live);
  if (table.time_to_live_change_ms) {
    out.Key("timeToLiveChangeMs").Integer(*table.time_to_live_change_ms);
  }
  if (table.recovery) WriteRecovery(out, *table.recovery);
  if (table.restored_from) WriteOrigin(out, *table.restored_from);
}

void ReadFeatures(Reader& in, Table& table) {
  table.stream = ReadStream(in);
  if (in.Has("latestStreamLabel")) table.latest_stream_label = in.String("latestStreamLabel");
  table.time_to_live = ReadTimeToLive(in);
  table.time_to_live_change_ms = in.OptionalInteger("timeToLiveChangeMs");
  table.recovery = ReadRecovery(in);
  table.restored_from = ReadOrigin(in);
}

}  // namespace stator
