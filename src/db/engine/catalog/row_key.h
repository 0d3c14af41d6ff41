// Where every row lives. All of a database is one ordered key space:
//
//   0x01 "secret"                                              KeyHasher's secret
//   0x01 "table" number:u32                                    a table's definition; empty while a
//                                                              dropped table is being cleared
//   0x01 "next-table"                                          number:u32 of the next table
//   0x01 "counts"                                              item counts at the last clean close
//   0x01 "copy"                                                how far a copy of another database into
//                                                              this one has come; until it is whole no
//                                                              engine opens it
//   0x01 "clock"                                               what the clock of a shared store shows
//                                                              (sharing/shared_clock.h)
//   0x01 "stream" number:u32                                   a stream and its shards
//   0x01 "next-stream"                                         number:u32 of the next stream
//   0x01 "backup" id                                           a backup (history/backup.h)
//   0x01 "restore" table:u32                                   how far a table has been restored
//   0x01 "export" id, "import" id, "bulk" id                   a transfer (jobs/job_rows.h)
//   0x02 table:u32 index:u16 hash:16 sort-part*                an item        (index = 0)
//   0x02 table:u32 index:u16 hash:16 sort-part* base-hash:16   an index entry (index > 0)
//   0x03 stream:u32 shard:u64 number:u64                       a stream record (a log)
//   0x04 table:u32 seconds:u64 hash:16 sort-part*              an item that expires then
//   0x05 table:u32 number:u64                                  what a change replaced (a log)
//   0x06 0x01 token:16                                         what a transaction's token stands for
//   0x06 0x02 milliseconds:u64 token:16                        the token is forgotten then
//
// Integers are big-endian. `hash` is the keyed hash of the partition key parts, `sort-part` is
// defined in value/key_codec.h, `base-hash` is the keyed hash of the item's whole primary key:
// entries with equal index keys are distinct rows in a stable order that reveals nothing about the
// table's keys. `token` is the keyed hash of an idempotency token (write/transaction_token.h). The
// value of an item row is the item, that of an entry the projected item, so both always hold the
// full keys.
#ifndef STATOR_ENGINE_CATALOG_ROW_KEY_H_
#define STATOR_ENGINE_CATALOG_ROW_KEY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/catalog/table.h"
#include "stator/item.h"
#include "storage/store.h"
#include "value/key_codec.h"

namespace stator {

inline constexpr char kCatalogSpace = 0x01;
inline constexpr std::string_view kCopyRow =
    "\x01"
    "copy";
inline constexpr char kRowSpace = 0x02;
inline constexpr char kStreamSpace = 0x03;
inline constexpr char kExpirySpace = 0x04;
inline constexpr char kHistorySpace = 0x05;
inline constexpr char kTokenSpace = 0x06;
inline constexpr std::size_t kMaxPartitionKeyBytes = 2048;
inline constexpr std::size_t kMaxSortKeyBytes = 1024;
inline constexpr std::size_t kRowPrefixBytes = 1 + 4 + 2;
inline constexpr std::size_t kPartitionPrefixBytes = kRowPrefixBytes + sizeof(Hash128);

// The names of all key attributes of a table and its indexes. REQUIRES: the table outlives it.
class TableKeyNames {
 public:
  static constexpr std::size_t kMax = 16;

  explicit TableKeyNames(const Table& table);

  // Ascending. Empty if there are more than kMax: then ItemKeys searches the item for each name.
  std::span<const std::string_view> sorted() const { return {names_.data(), count_}; }

 private:
  bool AddAll(const KeySchema& keys);
  bool Add(std::string_view name);

  std::array<std::string_view, kMax> names_;
  std::size_t count_ = 0;
};

// The key attributes of an item, of its table and of every index, found in one walk.
//
//   const TableKeyNames names(table);
//   const ItemKeys keys(names, item);
//   keys.Find("pk")   → as item.Find("pk"), for every key attribute of the table or of an index
//
// REQUIRES: the names and the item's bytes outlive it.
class ItemKeys {
 public:
  ItemKeys(const TableKeyNames& names, ItemView item);

  ItemView item() const { return item_; }
  // REQUIRES: a key attribute of the table or of an index.
  std::optional<ValueView> Find(std::string_view name) const;

 private:
  const TableKeyNames& names_;
  ItemView item_;
  std::array<ValueView, TableKeyNames::kMax> values_;  // by the position of the name; empty: absent
};

// What a key value counts against the limits above: the bytes of an S or B; a number counts nothing.
std::size_t KeyValueBytes(ValueView value);

// The rows of a table with all its indexes, and of one index (0: the items).
KeyRange TableRows(TableNumber table);
KeyRange IndexRows(TableNumber table, IndexNumber index);
// Rows whose partition hash lies in segment `segment` of `total` equal parts of the hash space.
KeyRange SegmentRows(TableNumber table, IndexNumber index, std::uint64_t segment,
                     std::uint64_t total);

// Everything before the sort parts.
std::string PartitionPrefix(const KeyHasher& hasher, TableNumber table, IndexNumber index,
                            std::span<const ValueView> hash_parts);

// The row of the item with this primary key. REQUIRES: `key` holds the key attributes, of the right
// types.
std::string ItemRowKey(const KeyHasher& hasher, const Table& table, ItemView key);

// The row of the item's entry in the index; absent if the item is not indexed: a key attribute is
// missing, of another type, empty or too long.
std::optional<std::string> EntryRowKey(const KeyHasher& hasher, const Table& table,
                                       const Index& index, ItemView item);

// For stores that spread rows over machines: equal numbers belong on one machine. An item, its entries
// in local indexes and the rows of its partition have the number of the partition; a log has one of its
// own; the expiry rows of a table share one, as do those of the catalog. Less than kParts.
inline constexpr std::int64_t kParts = 1024;
std::int64_t PartOf(std::string_view key);

// The same for an item with many indexes: its keys and the hash of its primary key are found once.
Hash128 BaseHash(const KeyHasher& hasher, const Table& table, const ItemKeys& keys);
std::optional<std::string> EntryRowKey(const KeyHasher& hasher, const Table& table,
                                       const Index& index, const ItemKeys& keys,
                                       const Hash128& base_hash);

}  // namespace stator

#endif  // STATOR_ENGINE_CATALOG_ROW_KEY_H_
