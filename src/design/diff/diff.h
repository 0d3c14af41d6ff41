// What changes between two versions of a model, and the steps from one to the other on live tables.
#ifndef STATOR_DIFF_DIFF_H_
#define STATOR_DIFF_DIFF_H_

#include <cstdint>
#include <string>
#include <vector>

#include "model/model.h"
#include "rules/rules.h"

namespace stator::model {

// One thing that differs: "index orders.GSI2 is new".
struct ModelChange {
  std::string subject;  // "orders.GSI2", "Order.status", "patterns.by_status"
  std::string text;
};

// One step of a migration.
struct MigrationStep {
  // In the order in which they must happen.
  enum class Phase : std::uint8_t {
    kAddTables,
    kAddIndexes,  // one UpdateTable each
    kWriters,     // deploy code that writes the new keys
    kBackfill,
    kVerify,
    kReaders,  // deploy code that reads through the new indexes
    kRemoveIndexes,
    kRemoveTables,
  };
  Phase phase = Phase::kAddTables;
  std::string text;
};

struct ModelDiff {
  std::vector<ModelChange> differences;
  std::vector<MigrationStep> steps;
  std::vector<Finding> findings;  // what is impossible in place (IX13) or would be too early (MG05)
};

ModelDiff CompareModels(const Model& old, const Model& now);

// For people, and for programs: {"differences", "findings", "steps"}.
std::string DiffText(const ModelDiff& diff);
std::string DiffJson(const ModelDiff& diff);

}  // namespace stator::model

#endif  // STATOR_DIFF_DIFF_H_
