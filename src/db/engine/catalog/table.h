// What the engine knows about a table: an immutable snapshot, replaced as a whole by every change.
#ifndef STATOR_ENGINE_CATALOG_TABLE_H_
#define STATOR_ENGINE_CATALOG_TABLE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/catalog/table_features.h"
#include "stator/item.h"
#include "stator/table_operations.h"

namespace stator {

using TableNumber = std::uint32_t;  // never reused, so rows of a dropped table never reappear
using IndexNumber = std::uint16_t;  // unique within a table's life; 0 is the table itself

struct KeyAttribute {
  std::string name;
  ScalarType type = ScalarType::kS;
};

// A table has one hash attribute and at most one range attribute; a global index up to four of
// each.
struct KeySchema {
  std::vector<KeyAttribute> hash;
  std::vector<KeyAttribute> range;
  const KeyAttribute* Find(std::string_view name) const;
  std::size_t size() const { return hash.size() + range.size(); }
};

bool Matches(ScalarType expected, Type actual);
Type AsType(ScalarType type);

struct Throughput {
  std::int64_t read_units = 0;
  std::int64_t write_units = 0;
  std::int64_t decreases_today = 0;
  std::optional<std::int64_t> last_increase_ms;
  std::optional<std::int64_t> last_decrease_ms;
};

struct Index {
  IndexNumber number = 0;
  std::string name;
  bool global = false;
  KeySchema keys;
  ProjectionType projection = ProjectionType::kAll;
  std::vector<std::string> non_key_attributes;  // sorted
  // Sorted names of every attribute of an entry: table keys, index keys, included attributes.
  // Unused for ALL.
  std::vector<std::string> entry_attributes;

  // Global indexes only.
  IndexStatus status = IndexStatus::kActive;
  std::optional<bool> backfilling;
  std::string backfill_cursor;  // row key up to which the table is indexed; empty at the start
  Throughput throughput;
  OnDemandThroughput on_demand;
  std::optional<WarmThroughput> warm;

  std::shared_ptr<RowCounts> counts = std::make_shared<RowCounts>();

  // Writers maintain its entries: in any status but DELETING.
  bool is_maintained() const { return status != IndexStatus::kDeleting; }
  bool Projects(std::string_view attribute) const;
};

struct Table {
  TableNumber number = 0;
  std::uint64_t version = 0;  // grows with every change of the definition
  std::string name;
  std::string id;  // UUID
  std::string arn;
  KeySchema keys;
  std::vector<std::pair<std::string, ScalarType>> attribute_definitions;  // sorted by name
  std::vector<Index> indexes;  // local ones first, each kind in the order of its creation
  IndexNumber next_index_number = 1;

  TableStatus status = TableStatus::kActive;
  std::int64_t creation_ms = 0;
  BillingMode billing_mode = BillingMode::kProvisioned;
  bool was_ever_pay_per_request = false;
  std::optional<std::int64_t> last_update_to_pay_per_request_ms;
  Throughput throughput;
  OnDemandThroughput on_demand;
  std::optional<WarmThroughput> warm;
  std::optional<TableClass> table_class;
  std::optional<std::int64_t> table_class_update_ms;
  std::vector<std::int64_t> table_class_changes_ms;
  bool deletion_protection = false;
  std::int64_t deletion_protection_change_ms = 0;
  std::vector<std::pair<std::string, std::string>> tags;  // sorted by key

  std::optional<TableStream> stream;
  std::optional<std::string> latest_stream_label;  // stays when the stream ends
  std::optional<TimeToLive> time_to_live;
  std::optional<std::int64_t> time_to_live_change_ms;
  std::optional<PointInTimeRecovery> recovery;
  std::optional<RestoreOrigin> restored_from;

  // The version of the newest snapshot of this table, 0 once it is dropped; shared by all of them.
  std::shared_ptr<std::atomic<std::uint64_t>> newest_version =
      std::make_shared<std::atomic<std::uint64_t>>(0);
  std::shared_ptr<RowCounts> counts = std::make_shared<RowCounts>();

  const Index* FindIndex(std::string_view index_name) const;
  const Index* FindIndex(IndexNumber index_number) const;
  bool has_local_index() const { return !indexes.empty() && !indexes.front().global; }
  // The keys of `index`, or of the table when it is null.
  const KeySchema& KeysOf(const Index* index) const { return index ? index->keys : keys; }
};

using TablePtr = std::shared_ptr<const Table>;

// A table row, stored as JSON in the catalog. Counts are not part of it.
std::string EncodeTable(const Table& table);
std::optional<Table> DecodeTable(std::string_view json);

// Fills Index::entry_attributes from the schema.
void CompleteIndex(const KeySchema& table_keys, Index& index);

// Removes the definitions of attributes that are not keys of the table or of one of its indexes.
void PruneAttributeDefinitions(Table& table);

}  // namespace stator

#endif  // STATOR_ENGINE_CATALOG_TABLE_H_
