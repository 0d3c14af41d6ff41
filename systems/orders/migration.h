// The migration, played for real: the shop's status index is replaced by a sharded one, on a live
// table, while writers place, ship, deliver and cancel orders and a reader asks for the open ones.
//
//   1  writers first: they set the keys of both indexes
//   2  the index is added; items that already carry its keys enter by themselves
//   3  the others are filled, under the condition that they are still there; then it is compared
//   4  readers move to the new index
//   5  nobody reads the old one: writers stop setting its keys, and it is removed
//
// How far it has come is kept in the table. A run that was killed is taken up by the next one.
#ifndef STATOR_SYSTEMS_ORDERS_MIGRATION_H_
#define STATOR_SYSTEMS_ORDERS_MIGRATION_H_

#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "stator/endpoint.h"
#include "stator/live.h"
#include "systems/orders/stage_models.h"
#include "systems/orders/tasks.h"

namespace stator::systems::orders {

struct MigrationOptions {
  TrafficOptions traffic;
  int steps = 5;                     // that are done; the rest is left to the next run
  std::string checkpoint_directory;  // where the place of the backfill is kept; empty: nowhere
  LiveProgressCallback progress;
  std::function<void(const std::string& line)> say;
};

struct MigrationReport {
  bool complete = false;    // false: steps are left
  int taken_up_at = 0;      // steps that an earlier run had done
  std::int64_t writes = 0;  // while it ran
  std::int64_t writes_while_filling = 0;
  std::int64_t reads = 0;
  std::int64_t items = 0;          // in the end
  std::vector<std::string> flaws;  // that the audit found; empty: none
};

// The error is for people: what failed, and where.
std::expected<MigrationReport, std::string> PlayMigration(Endpoint& endpoint,
                                                          const MigrationOptions& options);

// A model of a stage, ready to use.
Model StageModel(Stage stage);

}  // namespace stator::systems::orders

#endif  // STATOR_SYSTEMS_ORDERS_MIGRATION_H_
