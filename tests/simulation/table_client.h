// A client that writes items to a partition of its own, one request after the other, and knows what
// must be in it.
#ifndef STATOR_TESTS_SIMULATION_TABLE_CLIENT_H_
#define STATOR_TESTS_SIMULATION_TABLE_CLIENT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/simulation/simulation.h"
#include "tests/simulation/table_checks.h"

namespace stator::simulation {

class TableClient {
 public:
  TableClient(std::string partition, std::uint64_t seed)
      : partition_(std::move(partition)), random_(seed), states_(1) {}

  // Sends one request. False: it failed, and nobody knows whether it took effect.
  bool Step(OpenDatabase& database);

  // An answer that is neither success nor a failure of the disk.
  const Problem& problem() const { return problem_; }
  std::size_t acknowledged() const { return states_.size() - 1; }
  const Items& newest() const { return states_.back(); }
  bool has_pending() const { return pending_.has_value(); }
  // Those of this client.
  Items OwnOf(const Items& all) const;

  // Whether these items of all clients can be what is left: all that was acknowledged, and the request
  // in flight or not; without `keeps_all`, what the first few requests left.
  Problem Judge(const Items& all, bool keeps_all) const;

  // Sends the transaction in flight again, as a client does that got no answer: it happens once.
  // REQUIRES: all that was acknowledged is there.
  Problem SendAgain(OpenDatabase& database, Items& all, bool& was_answered);

  // This is what there is now. Returns whether the request in flight took effect.
  bool Settle(const Items& all);

 private:
  template <class T>
  bool Accept(const Result<T>& answer);
  Item AnyKey() { return Item{{"pk", partition_}, {"sk", random_.Below(20)}}; }
  Item AnyItem(Item item);
  // These carry the request out on `after` too.
  UpdateItemRequest AnyUpdate(Items& after);
  BatchWriteItemRequest AnyBatch(Items& after);
  TransactWriteItemsRequest AnyTransaction(Items& after);

  const std::string partition_;
  Random random_;
  std::int64_t version_ = 0;
  std::vector<Items> states_;     // after each acknowledged request since the last Settle
  std::optional<Items> pending_;  // after the request that was not acknowledged
  std::optional<TransactWriteItemsRequest> transaction_;  // the last request, if it was one
  std::optional<Items> before_sent_again_;                // a power cut may still bring it back
  Problem problem_;
};

}  // namespace stator::simulation

#endif  // STATOR_TESTS_SIMULATION_TABLE_CLIENT_H_
