#include "engine/catalog/stored_counts.h"

#include <map>
#include <utility>

#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/store_access.h"
#include "value/json.h"
#include "value/json_writer.h"
#include "value/size.h"

namespace stator {
namespace {

const std::string kCountsKey = std::string(1, kCatalogSpace) + "counts";
constexpr int kCountedRowsPerStep = 2'000;

// The row: [[table, index, items, bytes], …]
struct CountedSpace {
  TableNumber table;
  IndexNumber index;
  RowCounts* counts;
};

// The table and each index whose entries are complete. IndexBuild counts the entries of an index that
// is being built.
std::vector<CountedSpace> SpacesOf(const Table& table) {
  std::vector<CountedSpace> spaces = {{table.number, 0, table.counts.get()}};
  for (const Index& index : table.indexes) {
    if (index.status == IndexStatus::kActive || index.status == IndexStatus::kUpdating) {
      spaces.push_back({table.number, index.number, index.counts.get()});
    }
  }
  return spaces;
}

using StoredCounts =
    std::map<std::pair<std::int64_t, std::int64_t>, std::pair<std::int64_t, std::int64_t>>;

std::optional<StoredCounts> DecodeCounts(std::string_view json) {
  JsonDocument document;
  if (!document.Parse(json) || document.root().kind() != JsonKind::kArray) return std::nullopt;
  StoredCounts counts;
  for (const JsonValue& row : document.root().Elements()) {
    if (row.kind() != JsonKind::kArray) return std::nullopt;
    const std::vector<JsonValue> cells = row.Elements();
    if (cells.size() != 4) return std::nullopt;
    for (const JsonValue& cell : cells) {
      if (cell.kind() != JsonKind::kInteger) return std::nullopt;
    }
    counts[{cells[0].integer(), cells[1].integer()}] = {cells[2].integer(), cells[3].integer()};
  }
  return counts;
}

}  // namespace

Result<bool> TakeStoredCounts(Store& store, const Catalog& catalog) {
  std::string json;
  ASSIGN_OR_RETURN(const bool found, FromStorage(store.Get(kCountsKey, json)));
  if (!found) return catalog.size() == 0;
  RETURN_IF_ERROR(WriteRawRows(store, {{kCountsKey, std::nullopt}}));
  const std::optional<StoredCounts> stored = DecodeCounts(json);
  if (!stored) return false;

  std::vector<std::pair<RowCounts*, std::pair<std::int64_t, std::int64_t>>> taken;
  for (const std::string& name : catalog.Names()) {
    for (const CountedSpace& space : SpacesOf(*catalog.Find(name))) {
      const auto counts = stored->find({space.table, space.index});
      if (counts == stored->end()) return false;
      taken.emplace_back(space.counts, counts->second);
    }
  }
  for (const auto& [counts, values] : taken) {
    counts->items = values.first;
    counts->bytes = values.second;
  }
  return true;
}

Result<void> StoreCounts(Store& store, const Catalog& catalog) {
  std::string json;
  JsonWriter out(json);
  out.BeginArray();
  for (const std::string& name : catalog.Names()) {
    for (const CountedSpace& space : SpacesOf(*catalog.Find(name))) {
      out.BeginArray().Integer(space.table).Integer(space.index);
      out.Integer(space.counts->items).Integer(space.counts->bytes).EndArray();
    }
  }
  out.EndArray();
  return WriteRawRows(store, {{kCountsKey, std::move(json)}});
}

RowCounter::RowCounter(const Store& store, const Catalog& catalog)
    : store_(store), view_(store.Snapshot()) {
  for (const std::string& name : catalog.Names()) {
    const TablePtr table = catalog.Find(name);
    for (const CountedSpace& space : SpacesOf(*table)) {
      // Shares the table's life, so that counting may outlast the table.
      spaces_.push_back(
          {IndexRows(space.table, space.index), std::shared_ptr<RowCounts>(table, space.counts)});
    }
  }
}

StorageResult<bool> RowCounter::Step() {
  if (spaces_.empty()) return false;
  Space& space = spaces_.front();
  int rows = 0;
  std::string next;
  const auto count = [&](std::string_view key, std::string_view value) {
    if (rows == kCountedRowsPerStep) {
      next = key;
      return false;
    }
    ++rows;
    space.counts->items.fetch_add(1, std::memory_order_relaxed);
    space.counts->bytes.fetch_add(static_cast<std::int64_t>(ItemSizeBytes(ItemView(value))),
                                  std::memory_order_relaxed);
    return true;
  };
  RETURN_IF_ERROR(store_.Scan(space.rows, Direction::kForward, count, view_.get()));
  if (next.empty()) {
    spaces_.pop_front();
  } else {
    space.rows.begin = std::move(next);
  }
  return !spaces_.empty();
}

}  // namespace stator
