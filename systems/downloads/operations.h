// What operators do: look how things stand, set tables up, and bring lost data back.
#ifndef STATOR_SYSTEMS_DOWNLOADS_OPERATIONS_H_
#define STATOR_SYSTEMS_DOWNLOADS_OPERATIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stator/clock.h"
#include "stator/endpoint.h"
#include "stator/entity.h"
#include "systems/downloads/job.h"
#include "systems/program/fallible.h"

namespace stator::systems::downloads {

// Jobs by status, the batches of a day, and what needs attention.
struct Dashboard {
  std::string date;
  std::vector<std::pair<std::string, std::int64_t>> counts;  // jobs by status, of all batches
  double count_read_units = 0;                               // what the counts took
  std::vector<Batch> batches;                                // of the day
  std::vector<std::string> timed_out;                        // of these, by id
  std::vector<std::string> stuck;
  std::vector<std::string> never_claimed;
};

Fallible<Dashboard> ReadDashboard(Entities& entities, const std::string& date);
std::string DashboardText(const Dashboard& dashboard);

// The files of a batch whose jobs have a status; all if it is empty.
Fallible<std::vector<std::string>> FilesOfBatch(Entities& entities, const std::string& batch_id,
                                                const std::string& status = {});

// Makes the tables what the model says for an environment; `prod` has point-in-time recovery. The
// lines say what was done.
Fallible<std::vector<std::string>> SetUpTables(Endpoint& endpoint, const std::string& environment,
                                               const std::string& table_prefix);

struct RestoreOptions {
  std::string table_prefix;      // of the tables to restore
  std::string into_prefix;       // of the new tables, which must not exist
  std::optional<TimeMs> moment;  // nullopt: the latest
};

// Restores the tables as they were at a time, within the last 35 days, into new tables beside the
// damaged ones. When this returns the new tables are active and expire their items, which a
// restored table does not do by itself. Returns their names; every command works on them with
// --prefix.
Fallible<std::vector<std::string>> Restore(Endpoint& endpoint, const RestoreOptions& options);

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_OPERATIONS_H_
