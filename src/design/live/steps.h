// A table as it is on an endpoint, and the steps from there to the table that a model describes.
#ifndef STATOR_LIVE_STEPS_H_
#define STATOR_LIVE_STEPS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "stator/endpoint.h"

namespace stator::live {

struct TableState {
  TableDescription description;
  std::string ttl;                        // the attribute; empty: off
  std::optional<std::int64_t> pitr_days;  // nullopt: off

  const TableDescription::Index* FindIndex(const std::string& name) const;
};

// nullopt: there is no such table.
Result<std::optional<TableState>> ReadTableState(Endpoint& endpoint, const std::string& table_name);

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

// In the order in which they must be carried out: one change of an index at a time, with its
// backfill and check before the next. Empty if the table is as the model says.
std::vector<Step> PlanSteps(const model::Model& model, const model::Table& table,
                            const std::optional<TableState>& state, const StepOptions& options);

// True if items of an entity have derived keys in this index, so that items written before it may
// lack them.
bool NeedsBackfill(const model::Model& model, const model::Table& table, const model::Index& index);

}  // namespace stator::live

#endif  // STATOR_LIVE_STEPS_H_
