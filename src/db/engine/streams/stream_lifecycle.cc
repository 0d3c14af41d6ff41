#include "engine/streams/stream_lifecycle.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/log.h"
#include "base/random.h"
#include "base/try.h"
#include "base/utc_text.h"
#include "engine/sharing/sums.h"
#include "engine/store_access.h"
#include "engine/streams/stream_log.h"

namespace stator {
namespace {

// As many as a new table has partitions.
constexpr std::uint64_t kProvisionedShards = 1;
constexpr std::uint64_t kOnDemandShards = 4;

// Short, because what it waits for is measured on the database's clock, which may be turned.
constexpr std::chrono::milliseconds kRestBetweenLooks{1'000};
constexpr std::chrono::milliseconds kRestWithoutStreams = std::chrono::hours(24);
constexpr std::chrono::milliseconds kRestAfterFailure{10'000};
constexpr std::uint64_t kTrimmedRecordsPerSlice = 1'000;

// A label made of the time, which no other stream of a table of this name has.
std::string FreeLabel(const StreamCatalog& streams, const Table& table, TimeMs time) {
  std::string label = UtcMilliseconds(time);
  while (streams.Find(table.name, label) || table.latest_stream_label == label) {
    time += std::chrono::milliseconds(1);
    label = UtcMilliseconds(time);
  }
  return label;
}

// Opens a shard, for readers and for writers.
void OpenNewShard(Stream& stream, std::vector<OpenShard>& open, std::uint64_t first_hash,
                  TimeMs now, std::optional<StreamShard::Parent> parent) {
  const ShardNumber number = stream.next_shard++;
  stream.shards.push_back(
      {.number = number, .opened_ms = EpochMs(now), .parent = parent, .end = std::nullopt});
  open.push_back({.number = number, .first_hash = first_hash});
}

bool TakesRecords(const Table* table, const Stream& stream, ShardNumber shard) {
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
  stream.created_ms = EpochMs(now);
  stream.table = table.number;

  TableStream writers{.number = stream.number, .label = stream.label, .view = view, .shards = {}};
  writers.written = stream.written;
  const std::uint64_t count =
      table.billing_mode == BillingMode::kPayPerRequest ? kOnDemandShards : kProvisionedShards;
  __extension__ using Wide = unsigned __int128;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto first_hash = static_cast<std::uint64_t>((Wide{i} << 64) / count);
    OpenNewShard(stream, writers.shards, first_hash, now, std::nullopt);
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
  stream.disabled_ms = EpochMs(now);
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
    const StreamShard* replaced = stream.FindShard(shard.number);
    STATOR_CHECK(replaced != nullptr);
    const StreamShard::Parent parent{replaced->number, replaced->opened_ms};
    OpenNewShard(changed, open, shard.first_hash, now, parent);
    // The last range ends at 2^64, which is 0 here: the difference is still right.
    const std::uint64_t end_hash =
        i + 1 < successions.size() ? table_stream.shards[i + 1].first_hash : 0;
    const std::uint64_t half = (end_hash - shard.first_hash) / 2;
    const bool is_whole = successions.size() == 1;  // 2^64 hashes
    const std::uint64_t middle = is_whole ? std::uint64_t{1} << 63 : shard.first_hash + half;
    if (successions[i] == ShardSuccession::kChildren && middle != shard.first_hash) {
      OpenNewShard(changed, open, middle, now, parent);
    }
  }
  table_stream.shards = std::move(open);
  return changed;
}

bool HasShardsToClose(const Stream& stream, const Catalog& catalog) {
  const TablePtr table = stream.table == 0 ? nullptr : catalog.FindByNumber(stream.table);
  return std::ranges::any_of(stream.shards, [&](const StreamShard& shard) {
    return !shard.end && !TakesRecords(table.get(), stream, shard.number);
  });
}

Result<void> CloseShards(Store& store, const Catalog& catalog, StreamCatalog& streams,
                         StreamNumber number, TimeMs now) {
  const StreamPtr stream = streams.Find(number);
  if (!stream || !HasShardsToClose(*stream, catalog)) return {};
  RETURN_IF_ERROR(WaitForWriters(store));
  return streams.Change(number, [&](Stream& closed) -> Result<bool> {
    const TablePtr table = closed.table == 0 ? nullptr : catalog.FindByNumber(closed.table);
    bool is_changed = false;
    for (StreamShard& shard : closed.shards) {
      if (shard.end || TakesRecords(table.get(), closed, shard.number)) continue;
      ASSIGN_OR_RETURN(const std::uint64_t last,
                       FromStorage(ShardLog(store, number, shard.number).Last()));
      shard.end = {.last_number = last, .closed_ms = EpochMs(now)};
      is_changed = true;
    }
    return is_changed;
  });
}

StreamKeeper::StreamKeeper(Store& store, Catalog& catalog, StreamCatalog& streams,
                           const Clock& clock, const ShardLimits& limits)
    : store_(store), catalog_(catalog), streams_(streams), clock_(clock), limits_(limits) {}

std::chrono::milliseconds StreamKeeper::Step() {
  const TimeMs now = clock_.Now();
  const std::vector<StreamPtr> streams = streams_.All();
  for (const StreamPtr& stream : streams) {
    const Result<bool> did_something = Maintain(*stream, now);
    if (!did_something) {
      Log(LogLevel::kError, "a stream could not be maintained",
          {{"stream", stream->arn}, {"error", did_something.error().message()}});
      return kRestAfterFailure;
    }
    if (*did_something) return std::chrono::milliseconds(0);
  }
  return streams.empty() ? kRestWithoutStreams : kRestBetweenLooks;
}

Result<bool> StreamKeeper::Maintain(const Stream& stream, TimeMs now) {
  if (HasShardsToClose(stream, catalog_)) {
    RETURN_IF_ERROR(CloseShards(store_, catalog_, streams_, stream.number, now));
    return true;
  }
  ASSIGN_OR_RETURN(const bool replaced, ReplaceDueShards(stream, now));
  if (replaced) return true;
  ASSIGN_OR_RETURN(const bool trimmed, Trim(stream, now));
  if (trimmed) return true;
  return ForgetOld(stream, now);
}

// What becomes of each shard of the table; empty if all of them stay, or the table has another stream.
Result<std::vector<ShardSuccession>> StreamKeeper::DueSuccessions(const Stream& stream,
                                                                  const Table& table,
                                                                  TimeMs now) const {
  std::vector<ShardSuccession> successions;
  if (!table.stream || table.stream->number != stream.number) return successions;
  for (const OpenShard& shard : table.stream->shards) {
    const StreamShard* const known = stream.FindShard(shard.number);
    if (known == nullptr) {
      return std::unexpected(Error::InternalServerError(
          fmt::format("it has no shard {}, which its table writes", shard.number)));
    }
    ShardSuccession succession = ShardSuccession::kStay;
    if (shard.growth->all_items() >= limits_.records ||
        shard.growth->all_bytes() >= limits_.bytes) {
      succession = ShardSuccession::kChildren;
    } else if (now >= TimeFromMs(known->opened_ms) + limits_.age) {
      succession = ShardSuccession::kChild;
    }
    successions.push_back(succession);
  }
  const auto stays = [](ShardSuccession succession) {
    return succession == ShardSuccession::kStay;
  };
  if (std::ranges::all_of(successions, stays)) successions.clear();
  return successions;
}

Result<bool> StreamKeeper::ReplaceDueShards(const Stream& stream, TimeMs now) {
  const TablePtr table = stream.table == 0 ? nullptr : catalog_.FindByNumber(stream.table);
  if (!table) return false;
  ASSIGN_OR_RETURN(const std::vector<ShardSuccession> due, DueSuccessions(stream, *table, now));
  if (due.empty()) return false;

  Stream changed;
  RawRows rows;
  const Result<TablePtr> replaced = catalog_.Change(
      table->number,
      [&](Table& copy) -> Result<void> {
        const StreamPtr newest = streams_.Find(stream.number);
        if (!newest) return std::unexpected(Error::ResourceNotFound());
        ASSIGN_OR_RETURN(const std::vector<ShardSuccession> successions,
                         DueSuccessions(*newest, copy, now));
        if (successions.empty()) return std::unexpected(Error::ResourceNotFound());
        changed = ReplaceShards(*newest, successions, now, *copy.stream);
        rows = StreamCatalog::RowsOf(changed);
        return {};
      },
      rows);
  // Another process has ended the stream in the meantime.
  if (!replaced && replaced.error().code() == ErrorCode::kResourceNotFound) return true;
  RETURN_IF_ERROR(replaced);
  streams_.Publish(std::move(changed));
  RETURN_IF_ERROR(CloseShards(store_, catalog_, streams_, stream.number, now));
  return true;
}

Result<bool> StreamKeeper::Trim(const Stream& stream, TimeMs now) {
  const auto due = next_trim_.find(stream.number);
  if (due != next_trim_.end() && now < due->second) return false;
  // Records to come are younger than now.
  TimeMs next_look = now + kStreamRetention;
  for (const StreamShard& shard : stream.shards) {
    ASSIGN_OR_RETURN(const bool trimmed, TrimShard(stream, shard, now, next_look));
    if (trimmed) return true;
  }
  next_trim_[stream.number] = next_look;
  return false;
}

Result<bool> StreamKeeper::TrimShard(const Stream& stream, const StreamShard& shard, TimeMs now,
                                     TimeMs& next_look) {
  const ShardLog log(store_, stream.number, shard.number);
  ASSIGN_OR_RETURN(const std::uint64_t first, FromStorage(log.First()));
  if (first == 0) return false;
  ASSIGN_OR_RETURN(std::uint64_t keep_from, FromStorage(log.FirstAfter(now - kStreamRetention)));
  if (!shard.end) {
    // The newest record of an open log must stay: it holds the count.
    ASSIGN_OR_RETURN(const std::uint64_t last, FromStorage(log.Last()));
    keep_from = std::min(keep_from, last);
  } else if (!IsVisible(shard, now)) {
    keep_from = shard.end->last_number + 1;  // whatever the times of its records are
  }
  if (keep_from > first) {
    const std::uint64_t end = std::min(keep_from, first + kTrimmedRecordsPerSlice);
    RETURN_IF_ERROR(ClearRows(store_, log.Rows(first, end)));
    return true;
  }
  ASSIGN_OR_RETURN(const std::optional<TimeMs> oldest, FromStorage(log.FirstTime()));
  const TimeMs due = oldest.value_or(now) + kStreamRetention;
  if (due > now) next_look = std::min(next_look, due);
  return false;
}

Result<bool> StreamKeeper::ForgetOld(const Stream& stream, TimeMs now) {
  std::vector<StreamShard> old;
  for (const StreamShard& shard : stream.shards) {
    if (IsVisible(shard, now)) continue;
    const ShardLog log(store_, stream.number, shard.number);
    ASSIGN_OR_RETURN(const std::uint64_t first, FromStorage(log.First()));
    if (first == 0) old.push_back(shard);
  }
  const bool is_over = old.size() == stream.shards.size() && !stream.IsVisible(now);
  if (old.empty() && !is_over) return false;
  for (const StreamShard& shard : old) {
    RETURN_IF_ERROR(
        ForgetSums(store_, SumName({CountedRows::Kind::kShard, stream.number, shard.number})));
  }
  if (is_over) {
    RETURN_IF_ERROR(streams_.Forget(stream.number));
    next_trim_.erase(stream.number);
    return true;
  }
  RETURN_IF_ERROR(streams_.Change(stream.number, [&](Stream& kept) -> Result<bool> {
    return std::erase_if(kept.shards, [&](const StreamShard& shard) {
             return std::ranges::find(old, shard) != old.end();
           }) != 0;
  }));
  return true;
}

}  // namespace stator
