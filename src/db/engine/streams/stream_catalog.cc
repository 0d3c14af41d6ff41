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
    const bool fits = found != streams.by_number.end() && Fits(*table->stream, *found->second);
    // Another process may have changed both since the tables were read. That is learnt later.
    if (!fits && store.sharing() != nullptr) continue;
    if (!fits) return std::unexpected(StreamDamage(name));
    auto stream = std::make_shared<Stream>(*found->second);
    stream->table = table->number;
    stream->written = table->stream->written;
    // On a shared store it is counted by all (sharing/sums.h).
    if (store.sharing() == nullptr) RETURN_IF_ERROR(MeasureShards(store, *table->stream));
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
  if (store_.sharing() == nullptr) Show(std::move(stream));
}

void StreamCatalog::Show(Stream stream) {
  const std::scoped_lock lock(publishing_);
  auto streams = std::make_shared<Streams>(*streams_.load());
  auto shown = std::make_shared<const Stream>(std::move(stream));
  streams->by_number[shown->number] = shown;
  streams->by_name[{shown->table_name, shown->label}] = shown;
  streams_.store(std::move(streams));
  if (shown->number >= next_number_) next_number_ = shown->number + 1;
}

void StreamCatalog::Erase(StreamNumber number) {
  const std::scoped_lock lock(publishing_);
  const StreamPtr stream = Find(number);
  if (!stream) return;
  auto streams = std::make_shared<Streams>(*streams_.load());
  streams->by_number.erase(number);
  streams->by_name.erase({stream->table_name, stream->label});
  forgotten_records_ += stream->written->items;
  streams_.store(std::move(streams));
}

Result<void> StreamCatalog::Change(StreamNumber number,
                                   const std::function<Result<bool>(Stream&)>& change) {
  std::optional<Stream> changed;
  const auto rows = [&]() -> Result<RawRows> {
    changed.reset();
    const StreamPtr newest = Find(number);
    if (!newest) return RawRows();
    Stream copy = *newest;
    ASSIGN_OR_RETURN(const bool is_changed, change(copy));
    if (!is_changed) return RawRows();
    changed = std::move(copy);
    return RowsOf(*changed);
  };
  RETURN_IF_ERROR(WriteCatalogRows(store_, rows));
  if (changed) Publish(*std::move(changed));
  return {};
}

Result<void> StreamCatalog::Forget(StreamNumber number) {
  if (!Find(number)) return {};
  RETURN_IF_ERROR(WriteRawRows(store_, {{StreamKey(number), std::nullopt}}));
  if (store_.sharing() == nullptr) Erase(number);
  return {};
}

StorageResult<bool> StreamCatalog::Learn(const Catalog& catalog, std::string_view key,
                                         std::optional<std::string_view> value) {
  if (key == kNextStreamKey) {
    if (!value || value->size() != sizeof(StreamNumber)) {
      return std::unexpected(StreamDamage("the number of the next stream"));
    }
    const auto next = static_cast<StreamNumber>(ReadBigEndian(*value));
    if (next > next_number_) next_number_ = next;
    return true;
  }
  if (!key.starts_with(kStreamPrefix)) return false;
  if (key.size() != kStreamPrefix.size() + sizeof(StreamNumber)) {
    return std::unexpected(StreamDamage("the number of a stream"));
  }
  const auto number = static_cast<StreamNumber>(ReadBigEndian(key.substr(kStreamPrefix.size())));
  if (!value) {
    Erase(number);
    return true;
  }
  std::optional<Stream> stream = DecodeStream(*value);
  if (!stream || stream->number != number) {
    return std::unexpected(StreamDamage("a stream's row"));
  }
  if (const StreamPtr known = Find(number)) stream->written = known->written;
  const TablePtr table = catalog.Find(stream->table_name);
  if (table && table->stream && table->stream->number == number) {
    stream->table = table->number;
    stream->written = table->stream->written;
  }
  Show(*std::move(stream));
  return true;
}

std::int64_t StreamCatalog::RecordsWritten() const {
  const std::shared_ptr<const Streams> streams = streams_.load();
  std::int64_t records = forgotten_records_;
  for (const auto& [number, stream] : streams->by_number) records += stream->written->items;
  return records;
}

}  // namespace stator
