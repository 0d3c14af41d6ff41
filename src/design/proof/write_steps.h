// The requests that show what a write does, and the items that exist before.
#ifndef STATOR_PROOF_WRITE_STEPS_H_
#define STATOR_PROOF_WRITE_STEPS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/plan/plan.h"
#include "stator/database.h"

namespace stator::proof {

// One write: the items that exist before, and the requests.
struct Steps {
  std::vector<std::pair<std::string, Item>> before;  // table and item
  std::vector<TransactWriteItem> writes;
  std::vector<TransactGetItem> gets;
  std::vector<GetItemRequest> reads_first;  // of items like those that are written
  bool transaction = false;
  double failing_share = 0;  // of the requests whose condition fails
  std::string key;           // the partition key of the table
};

// The changes that the write makes to the indexes, with the share of the runs in which it does.
std::vector<model::IndexEffect> IndexChangesOf(const model::Plan& plan);

// True unless the index changes in one way in some runs, and in another or not at all in others.
bool IsCertain(const model::Plan& plan, const model::Index& index);

// Appends the write to the item of this number. A sparse index that `effects` names changes in that
// way; one with Kind::kNone has no entry before and after.
void AddWrite(const model::Model& model, const model::Plan& plan, std::uint64_t number,
              const std::vector<model::IndexEffect>& effects, Steps& steps);

// Appends the read of an item in a transaction.
void AddGet(const model::Model& model, const model::Plan& plan, std::uint64_t number, Steps& steps);

}  // namespace stator::proof

#endif  // STATOR_PROOF_WRITE_STEPS_H_
