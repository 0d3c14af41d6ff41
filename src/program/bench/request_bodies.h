// The JSON bodies of the load, with holes for the keys.
#ifndef STATOR_BENCH_REQUEST_BODIES_H_
#define STATOR_BENCH_REQUEST_BODIES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "bench/item_shape.h"
#include "bench/workload.h"

namespace stator::bench {

inline constexpr std::size_t kBatchItems = 25;

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
