// The tables as they were at a time, within 35 days, in new tables beside the damaged ones.
#ifndef STATOR_SYSTEMS_DOWNLOADS_RESTORE_H_
#define STATOR_SYSTEMS_DOWNLOADS_RESTORE_H_

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "stator/clock.h"
#include "stator/endpoint.h"

namespace stator::systems::downloads {

// Makes the tables what the model says for an environment; `prod` has point-in-time recovery. The
// lines say what was done.
std::expected<std::vector<std::string>, std::string> SetUpTables(Endpoint& endpoint,
                                                                 const std::string& environment,
                                                                 const std::string& table_prefix);

struct RestoreOptions {
  std::string table_prefix;      // of the tables to restore
  std::string into_prefix;       // of the new tables, which must not be there
  std::optional<TimeMs> moment;  // absent: the latest
};

// When this returns the new tables are active and expire their items again, which a restored table
// does not do by itself. Returns their names. Everything works on them with --prefix.
std::expected<std::vector<std::string>, std::string> Restore(Endpoint& endpoint,
                                                             const RestoreOptions& options);

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_RESTORE_H_
