#include "engine/streams/stream_page.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/big_endian.h"
#include "base/try.h"
#include "base/work.h"
#include "engine/store_access.h"
#include "engine/streams/stream_log.h"
#include "value/key_codec.h"
#include "value/size.h"

namespace stator {
namespace {

constexpr std::size_t kStreamPageBytes = std::size_t{1} << 20;

// 32 hexadecimal digits that no other record has.
std::string EventId(const Stream& stream, ShardNumber shard, std::uint64_t number) {
  std::string name = stream.secret;
  AppendBigEndian(name, shard, sizeof shard);
  AppendBigEndian(name, number, sizeof number);
  std::string id;
  for (const char byte : HashBytes(name)) {
    fmt::format_to(std::back_inserter(id), "{:02x}", static_cast<unsigned char>(byte));
  }
  return id;
}

std::optional<Item> CopyOf(const std::optional<ItemView>& item) {
  if (!item) return std::nullopt;
  return Item::FromView(*item);
}

std::size_t RecordSizeBytes(const RecordView& record) {
  return ItemSizeBytes(record.keys) + (record.new_image ? ItemSizeBytes(*record.new_image) : 0) +
         (record.old_image ? ItemSizeBytes(*record.old_image) : 0);
}

StreamRecord MakeRecord(const StreamPagePlan& plan, std::uint64_t number,
                        const RecordView& record) {
  StreamRecord made;
  made.event_id = EventId(plan.stream, plan.shard.number, number);
  made.event_name = record.event;
  made.approximate_creation_seconds =
      std::chrono::floor<std::chrono::seconds>(record.time).time_since_epoch().count();
  made.keys = Item::FromView(record.keys);
  made.new_image = CopyOf(record.new_image);
  made.old_image = CopyOf(record.old_image);
  made.sequence_number = SequenceText({plan.shard.number, number});
  made.size_bytes = static_cast<std::int64_t>(RecordSizeBytes(record));
  made.stream_view_type = plan.stream.view;
  made.by_time_to_live = record.origin == ChangeOrigin::kTimeToLive;
  return made;
}

// Collects the records of one page.
class StreamPageReader {
 public:
  StreamPageReader(const StreamPagePlan& plan, std::uint64_t position, bool may_skip)
      : plan_(plan), may_skip_(may_skip) {
    page_.next = position;
  }

  // Takes a record; false when the page is full or something is wrong.
  bool Take(std::uint64_t number, std::string_view bytes) {
    if (page_.records.size() == plan_.limit) return false;
    const std::optional<RecordView> record = DecodeRecord(bytes);
    if (!record) {
      problem_ = Error::InternalServerError(
          fmt::format("record {} of {} is damaged; restore the data directory from a backup",
                      SequenceText({plan_.shard.number, number}), plan_.stream.arn));
      return false;
    }
    if (page_.records.empty() && !may_skip_ && IsGone(number, *record)) {
      problem_ = Error::TrimmedDataAccess();
      return false;
    }
    const std::size_t size = RecordSizeBytes(*record);
    if (!page_.records.empty() && bytes_ + size > kStreamPageBytes) return false;
    bytes_ += size;
    page_.records.push_back(MakeRecord(plan_, number, *record));
    page_.next = number + 1;
    return Work::Charge(bytes.size());
  }

  Result<StreamPage> Finish() {
    if (problem_) return std::unexpected(*std::move(problem_));
    const std::optional<StreamShard::End>& end = plan_.shard.end;
    // A closed shard without records from the position on, although its last number is greater: they
    // have been trimmed.
    if (end && page_.records.empty() && page_.next <= end->last_number) {
      if (!may_skip_) return std::unexpected(Error::TrimmedDataAccess());
      page_.next = end->last_number + 1;
    }
    page_.is_end = end && page_.next > end->last_number;
    return std::move(page_);
  }

 private:
  bool IsGone(std::uint64_t number, const RecordView& record) const {
    return number > page_.next || record.time <= plan_.now - kStreamRetention;
  }

  const StreamPagePlan& plan_;
  const bool may_skip_;
  StreamPage page_;
  std::size_t bytes_ = 0;
  std::optional<Error> problem_;
};

}  // namespace

Result<StreamPage> ReadStreamPage(const Store& store, const StreamPagePlan& plan) {
  const ShardLog log(store, plan.stream.number, plan.shard.number);
  std::uint64_t position = plan.position;
  if (position == kTrimHorizon) {
    ASSIGN_OR_RETURN(position, FromStorage(log.FirstAfter(plan.now - kStreamRetention)));
  }
  StreamPageReader reader(plan, position, plan.position == kTrimHorizon);
  RETURN_IF_ERROR(
      FromStorage(log.Visit(position, [&](std::uint64_t number, std::string_view record) {
        return reader.Take(number, record);
      })));
  return reader.Finish();
}

Result<std::uint64_t> LatestPosition(const Store& store, const Stream& stream,
                                     const StreamShard& shard) {
  if (shard.end) return shard.end->last_number + 1;
  ASSIGN_OR_RETURN(const std::uint64_t last,
                   FromStorage(ShardLog(store, stream.number, shard.number).Last()));
  return last + 1;
}

Result<PositionState> StateOf(const Store& store, const Stream& stream, const StreamShard& shard,
                              std::uint64_t position, TimeMs now) {
  ASSIGN_OR_RETURN(const std::uint64_t latest, LatestPosition(store, stream, shard));
  if (position > latest) return PositionState::kUnknown;
  if (position == latest) return PositionState::kReadable;
  const ShardLog log(store, stream.number, shard.number);
  ASSIGN_OR_RETURN(const std::uint64_t first, FromStorage(log.First()));
  ASSIGN_OR_RETURN(const std::uint64_t horizon,
                   FromStorage(log.FirstAfter(now - kStreamRetention)));
  const bool is_gone = first == 0 || position < horizon;
  return is_gone ? PositionState::kTrimmed : PositionState::kReadable;
}

}  // namespace stator
