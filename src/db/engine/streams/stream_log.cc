#include "engine/streams/stream_log.h"

#include "base/try.h"
#include "base/big_endian.h"
#include "engine/catalog/row_key.h"
#include "engine/streams/stream_record.h"
#include "value/key_codec.h"

namespace stator {
namespace {

constexpr std::size_t kNumberBytes = 8;

std::uint64_t NumberOf(std::string_view row_key) {
  return ReadBigEndian(row_key.substr(row_key.size() - kNumberBytes));
}

bool IsYoung(const std::optional<TimeMs>& time, TimeMs cutoff) { return !time || *time > cutoff; }

}  // namespace

std::string ShardLogName(StreamNumber stream, ShardNumber shard) {
  std::string name(1, kStreamSpace);
  AppendBigEndian(name, stream, sizeof stream);
  AppendBigEndian(name, shard, sizeof shard);
  return name;
}

KeyRange ShardRows(StreamNumber stream, ShardNumber shard) {
  std::string begin = ShardLogName(stream, shard);
  std::string end = PrefixEnd(begin);
  return {std::move(begin), std::move(end)};
}

ShardLog::ShardLog(const Store& store, StreamNumber stream, ShardNumber shard)
    : store_(store), name_(ShardLogName(stream, shard)) {}

KeyRange ShardLog::Rows(std::uint64_t from, std::uint64_t to) const {
  return {LogKey(name_, from), LogKey(name_, to)};
}

StorageResult<void> ShardLog::Visit(std::uint64_t from, const RecordVisitor& visit) const {
  return store_.Scan(
      {LogKey(name_, from), PrefixEnd(name_)}, Direction::kForward,
      [&](std::string_view key, std::string_view record) { return visit(NumberOf(key), record); });
}

StorageResult<ShardLog::Found> ShardLog::At(std::uint64_t from) const {
  Found found;
  RETURN_IF_ERROR(Visit(from, [&](std::uint64_t number, std::string_view record) {
    found = {number, DecodeRecordTime(record)};
    return false;
  }));
  return found;
}

StorageResult<std::uint64_t> ShardLog::First() const {
  ASSIGN_OR_RETURN(const Found found, At(0));
  return found.number;
}

StorageResult<std::optional<TimeMs>> ShardLog::FirstTime() const {
  ASSIGN_OR_RETURN(const Found found, At(0));
  return found.time;
}

StorageResult<std::uint64_t> ShardLog::Last() const {
  std::uint64_t last = 0;
  RETURN_IF_ERROR(store_.Scan({name_, PrefixEnd(name_)}, Direction::kReverse,
                              [&](std::string_view key, std::string_view) {
                                last = NumberOf(key);
                                return false;
                              }));
  return last;
}

StorageResult<std::uint64_t> ShardLog::FirstAfter(TimeMs cutoff) const {
  ASSIGN_OR_RETURN(const Found first, At(0));
  if (first.number == 0) return 1;
  if (IsYoung(first.time, cutoff)) return first.number;
  // Numbers have no gaps and times ascend, so halving finds the place.
  std::uint64_t old = first.number;  // of a record that is not young
  ASSIGN_OR_RETURN(std::uint64_t young, Last());
  ++young;
  while (young - old > 1) {
    const std::uint64_t middle = old + (young - old) / 2;
    ASSIGN_OR_RETURN(const Found found, At(middle));
    if (found.number == 0 || IsYoung(found.time, cutoff)) {
      young = middle;
    } else {
      old = middle;
    }
  }
  return young;
}

}  // namespace stator
