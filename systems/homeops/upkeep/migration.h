// Brings stored items into the form that memory questions ask for, adds those that were lost
// (migrate), and says which these are (audit). Both may be run while bots write: an item is only changed if nobody changed it since
// it was read, and what was counted under two names is added up in one transaction. Both may be
// killed and run again.
#ifndef STATOR_SYSTEMS_HOMEOPS_UPKEEP_MIGRATION_H_
#define STATOR_SYSTEMS_HOMEOPS_UPKEEP_MIGRATION_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "stator/endpoint.h"
#include "systems/program/program.h"

namespace stator::systems::homeops {

// How often a problem occurs, with an example.
struct ItemProblem {
  std::int64_t count = 0;
  std::string example;
};

struct MendReport {
  std::int64_t read = 0;
  std::int64_t mended = 0;
  std::map<std::string, ItemProblem> problems;  // "homeops-activities: it has no activityTimestamp"
  std::map<std::string, ItemProblem> hopeless;  // nobody can mend these; they are left alone

  bool clean() const { return problems.empty() && hopeless.empty(); }
  void Add(const MendReport& other);
  // A line per problem, the frequent ones first.
  std::vector<std::string> Lines() const;
};

struct MendOptions {
  std::string table_prefix;
  bool dry_run = false;  // only looks
  int segments = 4;      // scanned at the same time
  // Called now and then, by one thread at a time; the total is what the endpoint believes.
  std::function<void(std::string_view table, std::int64_t read, std::int64_t total)> progress;
};

// Of the tables homeops and homeops-activities, and what homeops-messages tells that is not in them.
Result<MendReport> MendItems(Endpoint& endpoint, const MendOptions& options);

// The commands. Their results are exit codes.
int RunMigrate(const Place& place, bool dry_run);
int RunAudit(const Place& place);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_UPKEEP_MIGRATION_H_
