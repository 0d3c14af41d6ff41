#include "engine/streams/stream_log.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/big_endian.h"
#include "base/check.h"
#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/store_access.h"
#include "engine/write/write_path.h"
#include "value/item_codec.h"
#include "value/key_codec.h"

namespace stator {
namespace {

constexpr char kRecordFormat = 0x01;
constexpr char kInsert = 'I';
constexpr char kModify = 'M';
constexpr char kRemove = 'R';
constexpr unsigned char kHasNewImage = 1;
constexpr unsigned char kHasOldImage = 2;
constexpr unsigned char kExpired = 4;
constexpr std::size_t kImageSizeBytes = 4;
constexpr std::size_t kRecordHeadBytes = 3 + 8;

char EventCode(const ItemChange& change) {
  if (!change.before) return kInsert;
  return change.after ? kModify : kRemove;
}

std::optional<StreamEvent> EventOf(char code) {
  switch (code) {
    case kInsert:
      return StreamEvent::kInsert;
    case kModify:
      return StreamEvent::kModify;
    case kRemove:
      return StreamEvent::kRemove;
    default:
      return std::nullopt;
  }
}

void AppendImage(std::string& out, std::string_view item) {
  AppendBigEndian(out, item.size(), kImageSizeBytes);
  out.append(item);
}

// The key attributes of an item, sorted by name.
std::string KeyImage(const KeySchema& keys, ItemView item) {
  std::array<const std::string*, 2> names{};
  std::size_t count = 0;
  for (const KeyAttribute& attribute : keys.hash) names[count++] = &attribute.name;
  for (const KeyAttribute& attribute : keys.range) names[count++] = &attribute.name;
  if (count == 2 && *names[1] < *names[0]) std::swap(names[0], names[1]);
  ItemBuilder builder;
  for (std::size_t i = 0; i < count; ++i) {
    const std::optional<ValueView> value = item.Find(*names[i]);
    STATOR_CHECK(value.has_value());
    builder.Add(*names[i], *value);
  }
  return std::move(builder).Finish();
}

bool ShowsNew(StreamViewType view) {
  return view == StreamViewType::kNewImage || view == StreamViewType::kNewAndOldImages;
}
bool ShowsOld(StreamViewType view) {
  return view == StreamViewType::kOldImage || view == StreamViewType::kNewAndOldImages;
}

// Takes an image from the front; false if there is none, or it is not an item.
bool TakeImage(std::string_view& rest, ItemView& image) {
  if (rest.size() < kImageSizeBytes) return false;
  const std::uint64_t size = ReadBigEndian(rest.substr(0, kImageSizeBytes));
  rest.remove_prefix(kImageSizeBytes);
  if (rest.size() < size) return false;
  const std::string_view item = rest.substr(0, size);
  rest.remove_prefix(size);
  if (!IsWellFormedItem(item)) return false;
  image = ItemView(item);
  return true;
}

constexpr std::size_t kLogNumberBytes = 8;

std::uint64_t LogNumberOf(std::string_view row_key) {
  return ReadBigEndian(row_key.substr(row_key.size() - kLogNumberBytes));
}

bool IsYoung(const std::optional<TimeMs>& time, TimeMs cutoff) { return !time || *time > cutoff; }

}  // namespace

std::string EncodeRecord(const ItemChange& change, StreamViewType view) {
  const std::optional<ItemView> shown_new = ShowsNew(view) ? change.after : std::nullopt;
  const std::optional<ItemView> shown_old = ShowsOld(view) ? change.before : std::nullopt;
  const std::string keys =
      KeyImage(change.table.keys, change.after ? *change.after : change.before.value());

  unsigned char parts = 0;
  if (shown_new) parts |= kHasNewImage;
  if (shown_old) parts |= kHasOldImage;
  if (change.origin == ChangeOrigin::kTimeToLive) parts |= kExpired;

  std::string record;
  record.reserve(kRecordHeadBytes + 3 * kImageSizeBytes + keys.size() +
                 (shown_new ? shown_new->encoded().size() : 0) +
                 (shown_old ? shown_old->encoded().size() : 0));
  record.push_back(kRecordFormat);
  record.push_back(EventCode(change));
  record.push_back(static_cast<char>(parts));
  AppendBigEndian(record, static_cast<std::uint64_t>(EpochMs(change.now)), 8);
  AppendImage(record, keys);
  if (shown_new) AppendImage(record, shown_new->encoded());
  if (shown_old) AppendImage(record, shown_old->encoded());
  return record;
}

std::optional<TimeMs> DecodeRecordTime(std::string_view bytes) {
  if (bytes.size() < kRecordHeadBytes || bytes[0] != kRecordFormat) return std::nullopt;
  return TimeFromMs(static_cast<std::int64_t>(ReadBigEndian(bytes.substr(3, 8))));
}

std::optional<RecordView> DecodeRecord(std::string_view bytes) {
  const std::optional<TimeMs> time = DecodeRecordTime(bytes);
  if (!time) return std::nullopt;
  const std::optional<StreamEvent> event = EventOf(bytes[1]);
  const auto parts = static_cast<unsigned char>(bytes[2]);
  if (!event || parts > (kHasNewImage | kHasOldImage | kExpired)) return std::nullopt;

  RecordView record;
  record.event = *event;
  record.origin = parts & kExpired ? ChangeOrigin::kTimeToLive : ChangeOrigin::kClient;
  record.time = *time;
  std::string_view rest = bytes.substr(kRecordHeadBytes);
  if (!TakeImage(rest, record.keys)) return std::nullopt;
  if (parts & kHasNewImage && !TakeImage(rest, record.new_image.emplace())) return std::nullopt;
  if (parts & kHasOldImage && !TakeImage(rest, record.old_image.emplace())) return std::nullopt;
  if (!rest.empty()) return std::nullopt;
  return record;
}

const OpenShard& ShardOf(const TableStream& stream, std::string_view item_row_key) {
  const std::uint64_t hash = ReadBigEndian(item_row_key.substr(kRowPrefixBytes, 8));
  const auto behind = std::ranges::upper_bound(stream.shards, hash, {}, &OpenShard::first_hash);
  return *std::prev(behind);  // the first begins at 0
}

void AppendStreamRecord(const ItemChange& change, WriteBatch& batch,
                        std::vector<CountChange>& counts) {
  const TableStream& stream = *change.table.stream;
  const OpenShard& shard = ShardOf(stream, change.row_key);
  const std::string record = EncodeRecord(change, stream.view);
  batch.Append(ShardLogName(stream.number, shard.number), record);
  const auto bytes = static_cast<std::int64_t>(record.size());
  counts.push_back(
      {shard.growth.get(), 1, bytes, {CountedRows::Kind::kShard, stream.number, shard.number}});
  counts.push_back({stream.written.get(), 1, bytes, {}});
}

std::string ShardLogName(StreamNumber stream, ShardNumber shard) {
  std::string name(1, kStreamSpace);
  AppendBigEndian(name, stream, sizeof stream);
  AppendBigEndian(name, shard, sizeof shard);
  return name;
}

KeyRange ShardRows(StreamNumber stream, ShardNumber shard) {
  return RowsWithPrefix(ShardLogName(stream, shard));
}

ShardLog::ShardLog(const Store& store, StreamNumber stream, ShardNumber shard)
    : store_(store), name_(ShardLogName(stream, shard)) {}

KeyRange ShardLog::Rows(std::uint64_t from, std::uint64_t to) const {
  return {LogKey(name_, from), LogKey(name_, to)};
}

StorageResult<void> ShardLog::Visit(std::uint64_t from, const RecordVisitor& visit) const {
  return store_.Scan({LogKey(name_, from), PrefixEnd(name_)}, Direction::kForward,
                     [&](std::string_view key, std::string_view record) {
                       return visit(LogNumberOf(key), record);
                     });
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
  RETURN_IF_ERROR(store_.Scan(RowsWithPrefix(name_), Direction::kReverse,
                              [&](std::string_view key, std::string_view) {
                                last = LogNumberOf(key);
                                return false;
                              }));
  return last;
}

StorageResult<std::uint64_t> ShardLog::FirstAfter(TimeMs cutoff) const {
  ASSIGN_OR_RETURN(const Found first, At(0));
  if (first.number == 0) return 1;
  if (IsYoung(first.time, cutoff)) return first.number;
  // Numbers have no gaps and times ascend: a binary search.
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
