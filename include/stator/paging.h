// What takes more than one call, on any Endpoint: pages until there are no more, and batches of any
// size whose leftovers are sent again.
//
//   auto songs = stator::QueryAll(music, {.table_name = "Music",
//                                         .key_condition_expression = "Artist = :a",
//                                         .expression_attribute_values = ValueMap{{":a", "Acme"}}});
#ifndef STATOR_PAGING_H_
#define STATOR_PAGING_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "stator/endpoint.h"
#include "stator/operations.h"
#include "stator/result.h"

namespace stator {

// Sees one page; false: no more pages, please.
using PageVisitor = std::function<bool(const PageResponse& page)>;

// Begins at the request's exclusive_start_key, if it has one. A request's limit is that of a page,
// not of them all. Pages may be empty.
Result<void> ForEachPage(Endpoint& endpoint, QueryRequest request, const PageVisitor& visit);
Result<void> ForEachPage(Endpoint& endpoint, ScanRequest request, const PageVisitor& visit);

// All pages as one: their items (absent for Select COUNT) and the sums of their counts. The
// capacity is not summed up, and absent.
Result<QueryResponse> QueryAll(Endpoint& endpoint, QueryRequest request);
Result<ScanResponse> ScanAll(Endpoint& endpoint, ScanRequest request);

// What DynamoDB leaves over of a batch is sent again, after a random wait whose bound doubles as
// long as that happens.
struct BatchOptions {
  // In a row without any progress; then the operation fails with ProvisionedThroughputExceeded.
  int max_attempts = 10;
  // What tests put in place of the system's. `random` gives 0 … bound.
  std::function<void(std::chrono::milliseconds)> sleep;
  std::function<std::uint64_t(std::uint64_t bound)> random;
};

// Puts and deletes, 25 to a call, in their order except for leftovers. A key must not stand among
// them twice: which of the two comes last is not certain. After an error some of them are done.
Result<void> BatchWriteAll(Endpoint& endpoint, BatchWriteMap writes, BatchOptions options = {});

// The items of all keys, 100 to a call, in no order; those that do not exist are left out.
Result<std::vector<std::pair<std::string, ItemList>>> BatchGetAll(Endpoint& endpoint,
                                                                  BatchGetMap keys,
                                                                  BatchOptions options = {});

}  // namespace stator

#endif  // STATOR_PAGING_H_
