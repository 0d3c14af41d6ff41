#include "engine/streams/stream_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/random.h"
#include "base/try.h"
#include "base/utc_text.h"
#include "engine/engine.h"
#include "engine/streams/stream_log.h"
#include "engine/write/index_build.h"

namespace stator {
namespace {

// As many as new partitions of a table have.
constexpr std::uint64_t kProvisionedShards = 1;
constexpr std::uint64_t kOnDemandShards = 4;

std::int64_t Ms(TimeMs time) { return time.time_since_epoch().count(); }

// The time as a label that no stream of this table's name has.
std::string FreeLabel(const StreamCatalog& streams, const Table& table, TimeMs time) {
  std::string label = UtcMilliseconds(time);
  while (streams.Find(table.name, label) || table.latest_stream_label == label) {
    time += std::chrono::milliseconds(1);
    label = UtcMilliseconds(time);
  }
  return label;
}

// Opens a shard, for the readers and for the writers.
void Open(Stream& stream, std::vector<OpenShard>& open, std::uint64_t first_hash, TimeMs now,
          std::optional<StreamShard::Parent> parent) {
  const ShardNumber number = stream.next_shard++;
  stream.shards.push_back(
      {.number = number, .opened_ms = Ms(now), .parent = parent, .end = std::nullopt});
  open.push_back({.number = number, .first_hash = first_hash});
}

bool IsOpen(const Table* table, const Stream& stream, ShardNumber shard) {
  return table && table->stream && table->stream->number == stream.number &&
         std::ranges::find(table->stream->shards, shard, &OpenShard::number) !=
             table->stream->shards.end();
}

}  // namespace

Stream BeginStream(const StreamCatalog& streams, StreamViewType view, TimeMs now, Table& table) {
  STATOR_CHECK(!table.stream);
  Stream stream;
  stream.number = streams.next_number();
  stream.table_name = table.name;
  stream.label = FreeLabel(streams, table, now);
  stream.arn = fmt::format("{}/stream/{}", table.arn, stream.label);
  stream.view = view;
  stream.keys = table.keys;
  stream.secret = RandomBytes(kStreamSecretBytes);
  stream.created_ms = Ms(now);
  stream.table = table.number;

  TableStream writers{.number = stream.number, .label = stream.label, .view = view, .shards = {}};
  writers.written = stream.written;
  const std::uint64_t count =
      table.billing_mode == BillingMode::kPayPerRequest ? kOnDemandShards : kProvisionedShards;
  __extension__ using Wide = unsigned __int128;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto first_hash = static_cast<std::uint64_t>((Wide{i} << 64) / count);
    Open(stream, writers.shards, first_hash, now, std::nullopt);
  }
  table.stream = std::move(writers);
  table.latest_stream_label = stream.label;
  return stream;
}

Stream EndStream(const StreamCatalog& streams, TimeMs now, Table& table) {
  STATOR_CHECK(table.stream.has_value());
  const StreamPtr current = streams.Find(table.stream->number);
  STATOR_CHECK(current != nullptr);
  Stream stream = *current;
  stream.disabled_ms = Ms(now);
  stream.table = 0;
  table.stream.reset();
  return stream;
}

Stream ReplaceShards(const Stream& stream, const std::vector<ShardSuccession>& successions,
                     TimeMs now, TableStream& table_stream) {
  STATOR_CHECK(successions.size() == table_stream.shards.size());
  Stream changed = stream;
  std::vector<OpenShard> open;
  for (std::size_t i = 0; i < successions.size(); ++i) {
    const OpenShard& shard = table_stream.shards[i];
    if (successions[i] == ShardSuccession::kStay) {
      open.push_back(shard);
      continue;
    }
    const StreamShard* told = stream.FindShard(shard.number);
    STATOR_CHECK(told != nullptr);
    const StreamShard::Parent parent{told->number, told->opened_ms};
    Open(changed, open, shard.first_hash, now, parent);
    // Behind the last range lies 2^64, which is 0 here: the difference is right all the same.
    const std::uint64_t end_hash =
        i + 1 < successions.size() ? table_stream.shards[i + 1].first_hash : 0;
    const std::uint64_t half = (end_hash - shard.first_hash) / 2;
    const bool is_whole = successions.size() == 1;  // 2^64 hashes
    const std::uint64_t middle = is_whole ? std::uint64_t{1} << 63 : shard.first_hash + half;
    if (successions[i] == ShardSuccession::kChildren && middle != shard.first_hash) {
      Open(changed, open, middle, now, parent);
    }
  }
  table_stream.shards = std::move(open);
  return changed;
}

bool HasShardsToClose(const Stream& stream, const Catalog& catalog) {
  const TablePtr table = stream.table == 0 ? nullptr : catalog.FindByNumber(stream.table);
  return std::ranges::any_of(stream.shards, [&](const StreamShard& shard) {
    return !shard.end && !IsOpen(table.get(), stream, shard.number);
  });
}

Result<void> CloseShards(Store& store, const Catalog& catalog, StreamCatalog& streams,
                         StreamNumber number, TimeMs now) {
  const StreamPtr stream = streams.Find(number);
  if (!stream || !HasShardsToClose(*stream, catalog)) return {};
  RETURN_IF_ERROR(WaitForWriters(store));
  const TablePtr table = stream->table == 0 ? nullptr : catalog.FindByNumber(stream->table);
  Stream closed = *stream;
  for (StreamShard& shard : closed.shards) {
    if (shard.end || IsOpen(table.get(), closed, shard.number)) continue;
    const StorageResult<std::uint64_t> last = ShardLog(store, number, shard.number).Last();
    if (!last) return std::unexpected(FromStorage(last.error()));
    shard.end = {.last_number = *last, .closed_ms = Ms(now)};
  }
  return streams.Write(std::move(closed));
}

}  // namespace stator
