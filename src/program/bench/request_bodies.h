// The items that the load consists of, and the JSON bodies of its requests.
//
// An item has its key attributes, a counter (visits, N), a price (N), a flag (BOOL) and as many random
// texts (field00, field01, …) as make up the number of attributes and bytes asked for. Numbers of items
// are written with a fixed number of digits, so that every request of a kind has the same length.
#ifndef STATOR_BENCH_REQUEST_BODIES_H_
#define STATOR_BENCH_REQUEST_BODIES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "bench/prng.h"
#include "bench/workload.h"

namespace stator::bench {

inline constexpr std::size_t kKeyDigits = 12;
inline constexpr int kIndexCountMax = 3;
inline constexpr std::string_view kPartitionKeyPrefix = "user";

struct ItemShape {
  std::size_t item_bytes = 1024;  // as DynamoDB counts them; each text has at least one
  std::size_t attributes = 12;    // at least those that are not texts, and one text
  bool has_sort_key = false;
  int index_count = 0;  // attributes gsi1 …, the partition keys of as many indexes
};

using KeyText = std::array<char, kKeyDigits>;

// The last kKeyDigits decimal digits of `number`.
KeyText KeyTextOf(std::uint64_t number);
void WriteKeyText(char* out, std::uint64_t number);

// The digits of an item's keys, or holes to be filled in later (request.h).
struct ItemKey {
  std::string_view partition;
  std::string_view sort;
};

// {"pk":{"S":"user000000000001"},…}: the item as JSON, without blanks.
void AppendItemJson(std::string& out, const ItemShape& shape, const ItemKey& key, Prng& prng);
// How long its first text, field00, is.
std::size_t FirstTextBytes(const ItemShape& shape);
// Only its primary key.
void AppendKeyJson(std::string& out, const ItemShape& shape, const ItemKey& key);

inline constexpr std::size_t kBatchItems = 25;
inline constexpr std::size_t kTransactionItems = 100;

// What the load is about.
struct DataPlan {
  std::string table_name;
  TableKind table = TableKind::kItems;
  ItemShape shape;
  std::uint64_t items = 10'000;
  // Only with a sort key: item i is number i % partition_items of partition i / partition_items.
  std::uint64_t partition_items = 100;
  std::uint64_t query_items = 100;  // what a Query returns, and the Limit of a Scan
};

// The shape of the items of such a table.
ItemShape ShapeOf(TableKind table, std::size_t item_bytes, std::size_t attributes);

std::string CreateTableBody(const DataPlan& plan);

// The body of one request. Texts in it are random.
//
// GetItem, UpdateItem, Scan: all holes take the number of the item.
// PutItem: the same; the last one, in a text, takes any number, so that every put changes the item.
// Batches: hole i takes the number of the i-th item. REQUIRES: no sort key.
// Query: the partition; and, if it is larger than query_items, the first and the last sort key.
std::string OperationBody(Operation operation, const DataPlan& plan, std::uint64_t limit,
                          Prng& prng);

// BatchWriteItem that puts the items first … first + count - 1, whole.
std::string LoadBody(const DataPlan& plan, std::uint64_t first, std::uint64_t count, Prng& prng);

}  // namespace stator::bench

#endif  // STATOR_BENCH_REQUEST_BODIES_H_
