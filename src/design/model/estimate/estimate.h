// What one run of a pattern reads, writes and costs in units, by DynamoDB's rules (capacity/).
#ifndef STATOR_MODEL_ESTIMATE_ESTIMATE_H_
#define STATOR_MODEL_ESTIMATE_ESTIMATE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/model.h"
#include "model/plan/plan.h"

namespace stator::model {

// Bytes of an item as DynamoDB counts them: names and values of all attributes, derived keys
// included; optional attributes count in the maximum only.
Amount ItemBytes(const Model& model, const Entity& entity);
// Bytes of the entry of an index: the keys of the table and of the index, and what is projected.
Amount EntryBytes(const Model& model, const Entity& entity, const Index& index);

// Which of an Amount is meant.
using Pick = double Amount::*;

// One run of the pattern: its requests together, over all shards, values and pages.
struct Estimate {
  const Plan* plan = nullptr;
  bool known = true;  // false: the model says too little; `missing` says what
  std::string missing;
  Amount items_read;  // evaluated, before a filter
  Amount items_returned;
  Amount bytes_read;
  Amount pages;               // requests, at 1 MB each at most
  Amount read_units;          // RRU, at the declared consistency
  Amount fetched_read_units;  // of these, from the table behind the index that is read
  Amount write_units;         // WRU of the table, condition failures included in their share
  std::vector<std::pair<const Index*, Amount>> index_write_units;
  double transaction_factor = 1;
  std::vector<Estimate> parts;  // of a transaction: what each member adds to it

  double TotalWriteUnits() const;  // typical, table and indexes
};

// The same run as a member of a transaction: twice the units of the table, reads strongly consistent.
Estimate InTransaction(Estimate estimate);

std::vector<Estimate> EstimatePlans(const Model& model, const std::vector<Plan>& plans);

}  // namespace stator::model

#endif  // STATOR_MODEL_ESTIMATE_ESTIMATE_H_
