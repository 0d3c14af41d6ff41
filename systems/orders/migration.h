// The migration, carried out: the shop's status index is replaced by a sharded one, on a live
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
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/endpoint.h"
#include "stator/live.h"
#include "systems/orders/traffic.h"
#include "systems/program/fallible.h"

namespace stator::systems::orders {

// The models that follow each other, built in from migration/*.yaml.
enum class Stage : std::uint8_t {
  kBefore = 1,   // the old index alone
  kWriters = 2,  // writers set the keys of both indexes, readers use the old one
  kReaders = 3,  // readers use the new one
  kAfter = 4,    // the new index alone
};

std::string_view StageModelText(Stage stage);

// The parsed model of a stage.
Model StageModel(Stage stage);

struct MigrationOptions {
  TrafficOptions traffic;
  int steps = 5;                     // to do; the rest is left to the next run
  std::string checkpoint_directory;  // where the position of the backfill is kept; empty: nowhere
  LiveProgressCallback progress;
  std::function<void(const std::string& line)> say;
};

struct MigrationReport {
  bool complete = false;    // false: steps are left
  int taken_up_at = 0;      // steps that an earlier run has done
  std::int64_t writes = 0;  // while it ran
  std::int64_t writes_while_filling = 0;
  std::int64_t reads = 0;
  std::int64_t items = 0;          // in the end
  std::vector<std::string> flaws;  // that the audit found; empty: none
};

Fallible<MigrationReport> PlayMigration(Endpoint& endpoint, const MigrationOptions& options);

// "filling GSI3  [############........]  1200 of 2000, 950 changed"
std::string ProgressText(const LiveProgress& progress);

}  // namespace stator::systems::orders

#endif  // STATOR_SYSTEMS_ORDERS_MIGRATION_H_
