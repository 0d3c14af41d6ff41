#include "engine/catalog/catalog.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/big_endian.h"
#include "base/check.h"
#include "base/try.h"
#include "engine/catalog/row_key.h"

namespace stator {
namespace {

const std::string kTablePrefix = std::string(1, kCatalogSpace) + "table";
const std::string kNextTableKey = std::string(1, kCatalogSpace) + "next-table";

std::string EncodeNumber(TableNumber number) { return BigEndian(number, sizeof(number)); }

std::optional<TableNumber> DecodeNumber(std::string_view bytes) {
  if (bytes.size() != sizeof(TableNumber)) return std::nullopt;
  return static_cast<TableNumber>(ReadBigEndian(bytes));
}

std::string TableKey(TableNumber number) { return kTablePrefix + EncodeNumber(number); }

RawRows With(RawRows rows, const RawRows& also) {
  rows.insert(rows.end(), also.begin(), also.end());
  return rows;
}

// Lets a snapshot that was read from a row go on with what all snapshots of the table share.
void TakeOver(const Table& known, Table& learnt) {
  learnt.newest_version = known.newest_version;
  learnt.counts = known.counts;
  for (Index& index : learnt.indexes) {
    const Index* const same = known.FindIndex(index.number);
    if (same != nullptr) index.counts = same->counts;
  }
  if (!learnt.stream || !known.stream || learnt.stream->number != known.stream->number) return;
  learnt.stream->written = known.stream->written;
  for (OpenShard& shard : learnt.stream->shards) {
    const auto same = std::ranges::find(known.stream->shards, shard.number, &OpenShard::number);
    if (same != known.stream->shards.end()) shard.growth = same->growth;
  }
}

StorageError CatalogDamage(std::string_view what) {
  return {StorageError::Kind::kCorrupt, "the catalog is damaged (" + std::string(what) +
                                            "); restore the data directory from a backup"};
}

}  // namespace

StorageResult<std::unique_ptr<Catalog>> Catalog::Load(Store& store) {
  std::unique_ptr<Catalog> catalog(new Catalog(store));
  Tables tables;
  std::optional<StorageError> damage;
  const auto visit = [&](std::string_view key, std::string_view value) {
    const std::optional<TableNumber> number = DecodeNumber(key.substr(kTablePrefix.size()));
    if (number && value.empty()) {
      catalog->dropped_.push_back(*number);
      return true;
    }
    std::optional<Table> table = DecodeTable(value);
    if (!number || !table || table->number != *number || tables.by_name.contains(table->name)) {
      damage = CatalogDamage(table ? table->name : "a table's definition");
      return false;
    }
    table->newest_version->store(table->version);
    Put(tables, std::make_shared<const Table>(*std::move(table)));
    return true;
  };
  RETURN_IF_ERROR(store.Scan(RowsWithPrefix(kTablePrefix), Direction::kForward, visit));
  if (damage) return std::unexpected(*std::move(damage));

  std::string next;
  ASSIGN_OR_RETURN(const bool has_next, store.Get(kNextTableKey, next));
  if (has_next) {
    const std::optional<TableNumber> number = DecodeNumber(next);
    const bool is_free =
        number && (tables.by_number.empty() || tables.by_number.rbegin()->first < *number);
    if (!is_free) return std::unexpected(CatalogDamage("the number of the next table"));
    catalog->next_number_ = *number;
  } else if (!tables.by_number.empty()) {
    return std::unexpected(CatalogDamage("the number of the next table is missing"));
  }
  catalog->tables_.store(std::make_shared<const Tables>(std::move(tables)));
  return catalog;
}

void Catalog::Put(Tables& tables, const TablePtr& table) {
  tables.by_number[table->number] = table;
  tables.by_name[table->name] = table;
}

TablePtr Catalog::Find(std::string_view name) const {
  const std::shared_ptr<const Tables> tables = tables_.load();
  const auto found = tables->by_name.find(name);
  return found == tables->by_name.end() ? nullptr : found->second;
}

TablePtr Catalog::FindByNumber(TableNumber number) const {
  const std::shared_ptr<const Tables> tables = tables_.load();
  const auto found = tables->by_number.find(number);
  return found == tables->by_number.end() ? nullptr : found->second;
}

TablePtr Catalog::Newest(const TablePtr& table) const {
  std::uint64_t newest = table->newest_version->load(std::memory_order_acquire);
  if (newest == table->version) return table;
  TablePtr found = newest == 0 ? nullptr : FindByNumber(table->number);
  // Replace publishes a snapshot a moment before its version. A caller that uses the snapshot
  // publishes the version too, or a later writer could still take an older snapshot for the newest.
  if (found && found->version > newest) {
    table->newest_version->compare_exchange_strong(newest, found->version,
                                                   std::memory_order_acq_rel);
  }
  return found;
}

std::vector<std::string> Catalog::Names() const {
  const std::shared_ptr<const Tables> tables = tables_.load();
  std::vector<std::string> names;
  names.reserve(tables->by_name.size());
  for (const auto& [name, table] : tables->by_name) names.push_back(name);
  return names;
}

std::vector<TablePtr> Catalog::All() const {
  const std::shared_ptr<const Tables> tables = tables_.load();
  std::vector<TablePtr> all;
  all.reserve(tables->by_number.size());
  for (const auto& [number, table] : tables->by_number) all.push_back(table);
  return all;
}

std::size_t Catalog::size() const { return tables_.load()->by_name.size(); }

TableNumber Catalog::NextNumber() const {
  const std::scoped_lock lock(publishing_);
  return next_number_;
}

Result<TablePtr> Catalog::Add(Table table, const RawRows& also) {
  const std::scoped_lock lock(change_);
  RETURN_IF_ERROR(WriteCatalogRows(store_, [&]() -> Result<RawRows> {
    if (Find(table.name) != nullptr) {
      STATOR_CHECK(store_.sharing() != nullptr);
      return std::unexpected(Error::ResourceInUse("Table already exists: " + table.name));
    }
    table.number = NextNumber();
    table.version = 1;
    return With({{TableKey(table.number), EncodeTable(table)},
                 {kNextTableKey, EncodeNumber(table.number + 1)}},
                also);
  }));
  return Published(std::move(table));
}

Result<TablePtr> Catalog::Change(TableNumber number,
                                 const std::function<Result<void>(Table&)>& change,
                                 const RawRows& also) {
  const std::scoped_lock lock(change_);
  Table changed;
  const auto rows = [&]() -> Result<RawRows> {
    const TablePtr current = FindByNumber(number);
    if (!current) return std::unexpected(Error::ResourceNotFound());
    changed = *current;
    RETURN_IF_ERROR(change(changed));
    ++changed.version;
    return With({{TableKey(number), EncodeTable(changed)}}, also);
  };
  RETURN_IF_ERROR(WriteCatalogRows(store_, rows));
  return Published(std::move(changed));
}

TablePtr Catalog::Published(Table table) {
  if (store_.sharing() != nullptr) {
    const TablePtr learnt = FindByNumber(table.number);
    if (learnt && learnt->version == table.version) return learnt;
    return std::make_shared<const Table>(std::move(table));
  }
  const std::scoped_lock lock(publishing_);
  next_number_ = std::max(next_number_, table.number + 1);
  return Replace(std::make_shared<const Table>(std::move(table)));
}

TablePtr Catalog::Replace(TablePtr table) {
  auto tables = std::make_shared<Tables>(*tables_.load());
  Put(*tables, table);
  tables_.store(std::move(tables));
  // Last, so that a thread that sees the version also finds the snapshot.
  table->newest_version->store(table->version, std::memory_order_release);
  return table;
}

Result<void> Catalog::Drop(TableNumber number, const RawRows& also) {
  return Drop(number, [&](const Table&) { return also; });
}

Result<void> Catalog::Drop(TableNumber number, const RowsOfTable& also) {
  const std::scoped_lock lock(change_);
  RETURN_IF_ERROR(WriteCatalogRows(store_, [&]() -> Result<RawRows> {
    const TablePtr table = FindByNumber(number);
    if (!table) return std::unexpected(Error::ResourceNotFound());
    return With({{TableKey(number), std::string()}}, also(*table));
  }));
  if (store_.sharing() != nullptr) return {};
  const std::scoped_lock publishing(publishing_);
  dropped_.push_back(number);
  Erase(number);
  return {};
}

void Catalog::Erase(TableNumber number) {
  const TablePtr table = FindByNumber(number);
  if (!table) return;
  auto tables = std::make_shared<Tables>(*tables_.load());
  tables->by_number.erase(number);
  // Another table may have the name by now.
  const auto named = tables->by_name.find(table->name);
  if (named != tables->by_name.end() && named->second->number == number) {
    tables->by_name.erase(named);
  }
  tables_.store(std::move(tables));
  table->newest_version->store(0, std::memory_order_release);
}

std::vector<TableNumber> Catalog::Dropped() const {
  const std::scoped_lock lock(publishing_);
  return dropped_;
}

Result<void> Catalog::ForgetDropped(TableNumber number) {
  const std::scoped_lock lock(change_);
  RETURN_IF_ERROR(WriteRawRows(store_, {{TableKey(number), std::nullopt}}));
  const std::scoped_lock publishing(publishing_);
  std::erase(dropped_, number);
  return {};
}

StorageResult<bool> Catalog::Learn(std::string_view key, std::optional<std::string_view> value) {
  const bool is_next = key == kNextTableKey;
  if (!is_next && !key.starts_with(kTablePrefix)) return false;
  const std::scoped_lock lock(publishing_);
  if (is_next) {
    const std::optional<TableNumber> next = value ? DecodeNumber(*value) : std::nullopt;
    if (!next) return std::unexpected(CatalogDamage("the number of the next table"));
    next_number_ = std::max(next_number_, *next);
    return true;
  }
  const std::optional<TableNumber> number = DecodeNumber(key.substr(kTablePrefix.size()));
  if (!number) return std::unexpected(CatalogDamage("the number of a table"));
  if (!value || value->empty()) {
    Erase(*number);
    std::erase(dropped_, *number);
    if (value) dropped_.push_back(*number);
    return true;
  }
  std::optional<Table> table = DecodeTable(*value);
  if (!table || table->number != *number) {
    return std::unexpected(CatalogDamage(table ? table->name : "a table's definition"));
  }
  LearnTable(*std::move(table));
  return true;
}

void Catalog::LearnTable(Table table) {
  if (const TablePtr known = FindByNumber(table.number)) {
    if (table.version <= known->version) return;
    TakeOver(*known, table);
  }
  Replace(std::make_shared<const Table>(std::move(table)));
}

}  // namespace stator
