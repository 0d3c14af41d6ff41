// What the rows of a database say about its tables, read without an engine: from rows that may be
// damaged.
#ifndef STATOR_ENGINE_CHECK_STORED_CATALOG_H_
#define STATOR_ENGINE_CHECK_STORED_CATALOG_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/table.h"
#include "engine/streams/stream.h"
#include "stator/item.h"
#include "storage/store.h"
#include "value/key_codec.h"

namespace stator {

// Facts about damage, for people. Keeps the first and counts all.
class Findings {
 public:
  static constexpr std::size_t kKept = 200;
  void Add(std::string text) {
    ++count_;
    if (texts_.size() < kKept) texts_.push_back(std::move(text));
  }
  std::uint64_t count() const { return count_; }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::uint64_t count_ = 0;
  std::vector<std::string> texts_;
};

struct StoredCatalog {
  std::optional<KeyHasher> hasher;  // absent: the secret is lost, no key can be computed
  std::map<TableNumber, TablePtr> tables;
  std::set<TableNumber> dropped;  // their rows may still be there
  std::map<StreamNumber, StreamPtr> streams;
};

// Reads the catalog's rows. What cannot be read is left out and told.
StorageResult<StoredCatalog> ReadStoredCatalog(const Checkpoint& rows, Findings& findings);

inline std::string CatalogRow(std::string_view name) { return std::string(1, '\x01').append(name); }
inline const std::string kSecretRow = CatalogRow("secret");
inline const std::string kCountsRow = CatalogRow("counts");
inline const std::string kTableRows = CatalogRow("table");
inline const std::string kNextTableRow = CatalogRow("next-table");
inline const std::string kStreamRowsPrefix = CatalogRow("stream");
inline const std::string kNextStreamRow = CatalogRow("next-stream");

// The rows that an item leaves besides its own.
struct DerivedRow {
  IndexNumber index = 0;  // 0: the row says when the item expires
  std::string key;
  std::string value;
};
// REQUIRES: the item has the table's keys.
std::vector<DerivedRow> DerivedRows(const KeyHasher& hasher, const Table& table,
                                    std::string_view row_key, ItemView item);

// Whether this is an item of the table, in the row of its key.
bool IsItemOf(const KeyHasher& hasher, const Table& table, std::string_view row_key,
              std::string_view value);

// The parts of keys in the spaces of rows, streams, expiry and history.
struct RowAddress {
  std::uint32_t owner = 0;   // the table or the stream
  IndexNumber index = 0;     // in the space of rows
  std::string_view log;      // what precedes the number, in the space of a log
  std::uint64_t number = 0;  // of the log's record
};
// Nullopt if the key is too short for its space.
std::optional<RowAddress> AddressOf(std::string_view key);

}  // namespace stator

#endif  // STATOR_ENGINE_CHECK_STORED_CATALOG_H_
