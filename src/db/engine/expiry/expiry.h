// The expiry space: rows that name items by the second in which they expire (catalog/row_key.h has
// the grammar). While a table has time to live, every change maintains the row of its item, so that
// expired items are found by reading these rows in order and nothing else.
#ifndef STATOR_ENGINE_EXPIRY_EXPIRY_H_
#define STATOR_ENGINE_EXPIRY_EXPIRY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/catalog/table.h"
#include "stator/item.h"
#include "stator/result.h"
#include "storage/store.h"

namespace stator {

class Catalog;
struct ItemChange;

// Items that expired longer ago than this are left alone.
inline constexpr std::int64_t kExpiryHorizonSeconds = std::int64_t{5} * 365 * 24 * 60 * 60;

// The second since the epoch that the attribute names; absent if it is not a number or cannot be a
// time.
std::optional<std::int64_t> ExpirySecond(std::string_view attribute, ItemView item);

// `row_key` is the row of the item.
std::string ExpiryKey(TableNumber table, std::int64_t second, std::string_view row_key);
struct ExpiryRow {
  std::int64_t second;
  std::string row_key;  // of the item
};
// Absent if this is not the key of an expiry row.
std::optional<ExpiryRow> ReadExpiryKey(std::string_view key);

// All expiry rows of a table, and those of first ≤ second < end.
KeyRange ExpiryRows(TableNumber table);
KeyRange ExpiryRows(TableNumber table, std::int64_t first, std::int64_t end);

// Moves the item's row from the old time to the new. REQUIRES: the table has time to live.
void WriteExpiry(const ItemChange& change, WriteBatch& batch);

// Finds the items that a table already has when it gets time to live, slice by slice
// (engine/background.h). Needs no locks, for the same reason as an IndexBuild
// (write/index_build.h): once the table has time to live, every writer maintains the expiry rows.
class ExpiryBuild {
 public:
  // REQUIRES: the table has time to live with status ENABLING.
  ExpiryBuild(Store& store, Catalog& catalog, TableNumber table)
      : store_(store), catalog_(catalog), table_(table) {}

  // Does a slice of the work. False when time to live is ENABLED, or no longer wanted.
  Result<bool> Step();

 private:
  bool IsBuilding(const Table& table) const;
  Result<bool> Finish();
  Result<void> SaveCursor();

  Store& store_;
  Catalog& catalog_;
  const TableNumber table_;
  bool has_begun_ = false;
  std::optional<std::int64_t> enabled_ms_;  // when the table got the time to live that it builds
  std::string cursor_;                      // where the next slice begins
  int slices_since_saved_ = 0;
};

}  // namespace stator

#endif  // STATOR_ENGINE_EXPIRY_EXPIRY_H_
