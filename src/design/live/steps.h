// The steps from the tables that are there to those that a model describes.
#ifndef STATOR_LIVE_STEPS_H_
#define STATOR_LIVE_STEPS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "live/table_state.h"
#include "model/model.h"

namespace stator::live {

enum class StepKind : std::uint8_t {
  kCreateTable,
  kSetBilling,
  kSetStream,
  kSetTtl,
  kSetRecovery,
  kSetProtection,
  kCreateIndex,
  kDeleteIndex,
  kBackfill,
  kVerify,
  kStuck,  // what no step can do; `text` says why and what to do instead
};

struct Step {
  StepKind kind = StepKind::kCreateTable;
  const model::Table* table = nullptr;
  const model::Index* index = nullptr;  // of kCreateIndex, kBackfill, kVerify
  std::string index_name;               // of kDeleteIndex
  std::string text;                     // for people: "add index GSI1 to orders"
};

struct StepOptions {
  std::string environment;
  bool prune = false;     // delete indexes that the model does not have
  bool backfill = false;  // fill derived keys of all indexes, not only of new ones
};

// In the order in which they must be done: one change of an index at a time, and its backfill and
// check before the next. Nothing when the table is as the model says.
std::vector<Step> PlanSteps(const model::Model& model, const model::Table& table,
                            const std::optional<TableState>& state, const StepOptions& options);

// True if items of some entity carry keys of this index that are derived, so that items that were
// written before may lack them.
bool NeedsBackfill(const model::Model& model, const model::Table& table, const model::Index& index);

}  // namespace stator::live

#endif  // STATOR_LIVE_STEPS_H_
