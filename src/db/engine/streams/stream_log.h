// The log of a shard: its records as rows.
//
// The store numbers records 1, 2, 3 … without gaps in commit order and shows whole commits only, so
// what a reader sees of a log is always its beginning: behind the last record that was seen nothing
// older can turn up later.
#ifndef STATOR_ENGINE_STREAMS_STREAM_LOG_H_
#define STATOR_ENGINE_STREAMS_STREAM_LOG_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "engine/catalog/table_features.h"
#include "storage/store.h"

namespace stator {

std::string ShardLogName(StreamNumber stream, ShardNumber shard);
KeyRange ShardRows(StreamNumber stream, ShardNumber shard);

class ShardLog {
 public:
  // The store must outlive it.
  ShardLog(const Store& store, StreamNumber stream, ShardNumber shard);

  // Numbers of the oldest and the newest stored record; 0 when there is none.
  StorageResult<std::uint64_t> First() const;
  StorageResult<std::uint64_t> Last() const;
  // The number of the oldest record that is younger than `cutoff`; that behind the last if there is
  // none. Of a record that cannot be read nothing is known: it counts as young.
  StorageResult<std::uint64_t> FirstAfter(TimeMs cutoff) const;
  // The time of the oldest stored record.
  StorageResult<std::optional<TimeMs>> FirstTime() const;

  // Visits the records from this number on; return false to stop.
  using RecordVisitor = std::function<bool(std::uint64_t number, std::string_view record)>;
  StorageResult<void> Visit(std::uint64_t from, const RecordVisitor& visit) const;

  // The rows of the records in [from, to).
  KeyRange Rows(std::uint64_t from, std::uint64_t to) const;

 private:
  struct Found {
    std::uint64_t number = 0;  // 0: there is none
    std::optional<TimeMs> time;
  };
  // The first record from this number on.
  StorageResult<Found> At(std::uint64_t from) const;

  const Store& store_;
  const std::string name_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_STREAMS_STREAM_LOG_H_
