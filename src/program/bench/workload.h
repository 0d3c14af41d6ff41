// What can be asked for with --workload.
#ifndef STATOR_BENCH_WORKLOAD_H_
#define STATOR_BENCH_WORKLOAD_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace stator::bench {

// What a client does. Each is reported on its own.
enum class Operation : std::uint8_t {
  kGetItem,
  kPutItem,            // of a key that exists
  kInsert,             // PutItem of a key that does not exist yet
  kUpdateItem,         // SET of one attribute, ADD to a counter
  kConditionalUpdate,  // the same with a condition that holds
  kQuery,
  kScan,  // one page, from a random item on
  kBatchGetItem,
  kBatchWriteItem,
  kTransactWriteItems,
  kReadModifyWrite,  // GetItem, then UpdateItem of the same key; reported as these two
};
inline constexpr std::size_t kOperationCount = 11;

std::string_view ReportName(Operation operation);
// As X-Amz-Target names it.
std::string_view WireName(Operation operation);

enum class TableKind : std::uint8_t {
  kItems,    // partition key only
  kIndexed,  // the same with three global secondary indexes of all attributes
  kRanges,   // partition key and sort key
};

enum class KeyDistribution : std::uint8_t { kUniform, kZipfian, kLatest };

struct Share {
  Operation operation;
  double fraction;
};

struct Workload {
  std::string_view name;
  std::string_view description;
  TableKind table = TableKind::kItems;
  KeyDistribution keys = KeyDistribution::kUniform;  // unless the user wants another
  std::vector<Share> shares;                         // fractions add up to 1
};

std::span<const Workload> AllWorkloads();
// Null if there is none of that name.
const Workload* FindWorkload(std::string_view name);

}  // namespace stator::bench

#endif  // STATOR_BENCH_WORKLOAD_H_
