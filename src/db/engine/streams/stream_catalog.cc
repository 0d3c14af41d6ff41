#include "engine/streams/stream_catalog.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/big_endian.h"
#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/store_access.h"
#include "engine/streams/stream_log.h"

namespace stator {
namespace {

const std::string kStreamPrefix = std::string(1, kCatalogSpace) + "stream";
const std::string kNextStreamKey = std::string(1, kCatalogSpace) + "next-stream";

std::string NumberBytes(StreamNumber number) { return BigEndian(number, sizeof(number)); }

std::string StreamKey(StreamNumber number) { return kStreamPrefix + NumberBytes(number); }

StorageError StreamDamage(std::string_view what) {
  return {StorageError::Kind::kCorrupt, "the catalog of streams is damaged (" + std::string(what) +
                                            "); restore the data directory from a backup"};
}

// Whether every shard that the table names is an open shard of the stream.
bool Fits(const TableStream& writers, const Stream& stream) {
  return std::ranges::all_of(writers.shards, [&](const OpenShard& open) {
    const StreamShard* shard = stream.FindShard(open.number);
    return shard && !shard->end;
  });
}

// Growth is kept in memory only. After a restart it is measured by what the logs hold.
StorageResult<void> MeasureShards(const Store& store, const TableStream& stream) {
  for (const OpenShard& shard : stream.shards) {
    const ShardLog log(store, stream.number, shard.number);
    ASSIGN_OR_RETURN(const std::uint64_t last, log.Last());
    shard.growth->items = static_cast<std::int64_t>(last);
    shard.growth->bytes =
        static_cast<std::int64_t>(store.ApproximateBytes(ShardRows(stream.number, shard.number)));
  }
  return {};
}

}  // namespace

StorageResult<std::unique_ptr<StreamCatalog>> StreamCatalog::Load(Store& store,
                                                                  const Catalog& catalog) {
  std::unique_ptr<StreamCatalog> loaded(new StreamCatalog(store));
  Streams streams;
  RETURN_IF_ERROR(loaded->Read(streams));
  for (const std::string& name : catalog.Names()) {
    const TablePtr table = catalog.Find(name);
    if (!table->stream) continue;
    const auto found = streams.by_number.find(table->stream->number);
    if (found == streams.by_number.end() || !Fits(*table->stream, *found->second)) {
      return std::unexpected(StreamDamage(name));
    }
    auto stream = std::make_shared<Stream>(*found->second);
    stream->table = table->number;
    stream->written = table->stream->written;
    RETURN_IF_ERROR(MeasureShards(store, *table->stream));
    streams.by_name[{stream->table_name, stream->label}] = stream;
    found->second = std::move(stream);
  }
  loaded->streams_.store(std::make_shared<const Streams>(std::move(streams)));
  return loaded;
}

StorageResult<void> StreamCatalog::Read(Streams& streams) {
  std::optional<StorageError> damage;
  const auto visit = [&](std::string_view key, std::string_view value) {
    std::optional<Stream> stream = DecodeStream(value);
    if (!stream || key != StreamKey(stream->number)) {
      damage = StreamDamage("a stream's row");
      return false;
    }
    auto read = std::make_shared<const Stream>(*std::move(stream));
    streams.by_number[read->number] = read;
    streams.by_name[{read->table_name, read->label}] = read;
    return true;
  };
  RETURN_IF_ERROR(store_.Scan(RowsWithPrefix(kStreamPrefix), Direction::kForward, visit));
  if (damage) return std::unexpected(*std::move(damage));
  std::string next;
  ASSIGN_OR_RETURN(const bool has_next, store_.Get(kNextStreamKey, next));
  if (!has_next && streams.by_number.empty()) return {};
  const bool is_free =
      next.size() == sizeof(StreamNumber) &&
      (streams.by_number.empty() || streams.by_number.rbegin()->first < ReadBigEndian(next));
  if (!is_free) return std::unexpected(StreamDamage("the number of the next stream"));
  next_number_ = static_cast<StreamNumber>(ReadBigEndian(next));
  return {};
}

StreamPtr StreamCatalog::Find(StreamNumber number) const {
  const std::shared_ptr<const Streams> streams = streams_.load();
  const auto found = streams->by_number.find(number);
  return found == streams->by_number.end() ? nullptr : found->second;
}

StreamPtr StreamCatalog::Find(std::string_view table_name, std::string_view label) const {
  const std::shared_ptr<const Streams> streams = streams_.load();
  const auto found = streams->by_name.find(Name(table_name, label));
  return found == streams->by_name.end() ? nullptr : found->second;
}

std::vector<StreamPtr> StreamCatalog::All() const {
  const std::shared_ptr<const Streams> streams = streams_.load();
  std::vector<StreamPtr> all;
  all.reserve(streams->by_name.size());
  for (const auto& [name, stream] : streams->by_name) all.push_back(stream);
  return all;
}

bool StreamCatalog::empty() const { return streams_.load()->by_number.empty(); }

StreamNumber StreamCatalog::next_number() const { return next_number_; }

RawRows StreamCatalog::RowsOf(const Stream& stream) {
  return {{StreamKey(stream.number), EncodeStream(stream)}};
}

RawRows StreamCatalog::RowsOfNew(const Stream& stream) {
  RawRows rows = RowsOf(stream);
  rows.emplace_back(kNextStreamKey, NumberBytes(stream.number + 1));
  return rows;
}

void StreamCatalog::Publish(Stream stream) {
  auto streams = std::make_shared<Streams>(*streams_.load());
  auto shown = std::make_shared<const Stream>(std::move(stream));
  streams->by_number[shown->number] = shown;
  streams->by_name[{shown->table_name, shown->label}] = shown;
  streams_.store(std::move(streams));
  if (shown->number >= next_number_) next_number_ = shown->number + 1;
}

Result<void> StreamCatalog::Write(Stream stream) {
  RETURN_IF_ERROR(WriteRawRows(store_, RowsOf(stream)));
  Publish(std::move(stream));
  return {};
}

Result<void> StreamCatalog::Forget(StreamNumber number) {
  const StreamPtr stream = Find(number);
  if (!stream) return {};
  RETURN_IF_ERROR(WriteRawRows(store_, {{StreamKey(number), std::nullopt}}));
  auto streams = std::make_shared<Streams>(*streams_.load());
  streams->by_number.erase(number);
  streams->by_name.erase({stream->table_name, stream->label});
  forgotten_records_ += stream->written->items;
  streams_.store(std::move(streams));
  return {};
}

std::int64_t StreamCatalog::RecordsWritten() const {
  const std::shared_ptr<const Streams> streams = streams_.load();
  std::int64_t records = forgotten_records_;
  for (const auto& [number, stream] : streams->by_number) records += stream->written->items;
  return records;
}

}  // namespace stator
