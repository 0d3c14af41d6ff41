#include "engine/streams/stream_keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/try.h"
#include "engine/engine.h"
#include "engine/streams/stream_changes.h"
#include "engine/streams/stream_log.h"
#include "engine/write/index_build.h"

namespace stator {
namespace {

// What is waited for is measured on the database's clock, which may be turned.
constexpr std::chrono::milliseconds kRest{1'000};
constexpr std::chrono::milliseconds kRestWithoutStreams = std::chrono::hours(24);
constexpr std::chrono::milliseconds kRestAfterFailure{10'000};
constexpr std::uint64_t kTrimmedPerSlice = 1'000;

TimeMs AsTime(std::int64_t ms) { return TimeMs(std::chrono::milliseconds(ms)); }

template <class T>
Result<T> Translated(StorageResult<T> result) {
  if (!result) return std::unexpected(FromStorage(result.error()));
  return *std::move(result);
}

}  // namespace

StreamKeeper::StreamKeeper(Store& store, Catalog& catalog, StreamCatalog& streams,
                           const Clock& clock, const ShardLimits& limits)
    : store_(store), catalog_(catalog), streams_(streams), clock_(clock), limits_(limits) {}

std::chrono::milliseconds StreamKeeper::Step() {
  const TimeMs now = clock_.Now();
  const std::vector<StreamPtr> streams = streams_.All();
  for (const StreamPtr& stream : streams) {
    const Result<bool> did_something = Tend(*stream, now);
    if (!did_something) {
      Log(LogLevel::kError, "a stream could not be tended",
          {{"stream", stream->arn}, {"error", did_something.error().message()}});
      return kRestAfterFailure;
    }
    if (*did_something) return std::chrono::milliseconds(0);
  }
  return streams.empty() ? kRestWithoutStreams : kRest;
}

Result<bool> StreamKeeper::Tend(const Stream& stream, TimeMs now) {
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

Result<bool> StreamKeeper::ReplaceDueShards(const Stream& stream, TimeMs now) {
  const TablePtr table = stream.table == 0 ? nullptr : catalog_.FindByNumber(stream.table);
  if (!table || !table->stream || table->stream->number != stream.number) return false;
  std::vector<ShardSuccession> successions;
  for (const OpenShard& shard : table->stream->shards) {
    const StreamShard* const told = stream.FindShard(shard.number);
    if (told == nullptr) {
      return std::unexpected(Error::InternalServerError(
          fmt::format("it has no shard {}, which its table writes", shard.number)));
    }
    ShardSuccession succession = ShardSuccession::kStay;
    if (shard.growth->items >= limits_.records || shard.growth->bytes >= limits_.bytes) {
      succession = ShardSuccession::kChildren;
    } else if (now >= AsTime(told->opened_ms) + limits_.age) {
      succession = ShardSuccession::kChild;
    }
    successions.push_back(succession);
  }
  const auto stays = [](ShardSuccession succession) {
    return succession == ShardSuccession::kStay;
  };
  if (std::ranges::all_of(successions, stays)) return false;

  TableStream writers = *table->stream;
  Stream changed = ReplaceShards(stream, successions, now, writers);
  RETURN_IF_ERROR(catalog_.Change(
      table->number,
      [&](Table& copy) -> Result<void> {
        copy.stream = std::move(writers);
        return {};
      },
      StreamCatalog::RowsOf(changed)));
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
  ASSIGN_OR_RETURN(const std::uint64_t first, Translated(log.First()));
  if (first == 0) return false;
  ASSIGN_OR_RETURN(std::uint64_t keep_from, Translated(log.FirstAfter(now - kStreamRetention)));
  if (!shard.end) {
    // The newest record of an open log holds the count.
    ASSIGN_OR_RETURN(const std::uint64_t last, Translated(log.Last()));
    keep_from = std::min(keep_from, last);
  } else if (!IsVisible(shard, now)) {
    keep_from = shard.end->last_number + 1;  // whatever the times of its records say
  }
  if (keep_from > first) {
    const std::uint64_t end = std::min(keep_from, first + kTrimmedPerSlice);
    RETURN_IF_ERROR(ClearRows(store_, log.Rows(first, end)));
    return true;
  }
  ASSIGN_OR_RETURN(const std::optional<TimeMs> oldest, Translated(log.FirstTime()));
  const TimeMs due = oldest.value_or(now) + kStreamRetention;
  if (due > now) next_look = std::min(next_look, due);
  return false;
}

Result<bool> StreamKeeper::ForgetOld(const Stream& stream, TimeMs now) {
  Stream kept = stream;
  for (const StreamShard& shard : stream.shards) {
    if (IsVisible(shard, now)) continue;
    const ShardLog log(store_, stream.number, shard.number);
    ASSIGN_OR_RETURN(const std::uint64_t first, Translated(log.First()));
    if (first != 0) continue;
    std::erase(kept.shards, shard);
  }
  if (kept.shards.empty() && !stream.IsVisible(now)) {
    RETURN_IF_ERROR(streams_.Forget(stream.number));
    next_trim_.erase(stream.number);
    return true;
  }
  if (kept.shards.size() == stream.shards.size()) return false;
  RETURN_IF_ERROR(streams_.Write(std::move(kept)));
  return true;
}

}  // namespace stator
