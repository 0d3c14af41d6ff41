// The account of the index: how large it is, what it has cost, what scans would have cost, and how
// far it is from a hot partition.
#ifndef STATOR_SYSTEMS_RECONCILER_ACCOUNT_H_
#define STATOR_SYSTEMS_RECONCILER_ACCOUNT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "stator/endpoint.h"
#include "stator/entity.h"
#include "systems/reconciler/call_table.h"

namespace stator::systems::reconciler {

// Counts what a command consumes, in a table of its own, so that `report` can tell.
class UsageMeter {
 public:
  // Counts what the entities of `table` consume from now on.
  UsageMeter(CallTable& table, std::string command);

  // Adds what was consumed since the last time, for so many calls. What a killed process consumed
  // since its last record is not counted.
  EntityResult<void> Record(std::int64_t runs, std::int64_t calls);

 private:
  CallTable& table_;
  std::string command_;
  UsedUnits recorded_;
};

struct CommandUsage {
  std::string command;
  std::int64_t runs = 0;
  std::int64_t calls = 0;
  std::int64_t requests = 0;
  double read_units = 0;
  double write_units = 0;
};

// One for every command that has run.
EntityResult<std::vector<CommandUsage>> ReadUsage(CallTable& table);

struct Account {
  // As DescribeTable has them; AWS brings them up to date every six hours.
  std::int64_t calls = 0;
  std::int64_t table_bytes = 0;
  std::int64_t index_bytes = 0;
  std::int64_t shards = 1;
  std::vector<std::pair<std::string, std::int64_t>> statuses;  // in the index, by status; counted
  std::vector<CommandUsage> usage;

  std::int64_t in_index() const;  // all of them
  std::int64_t waiting() const;   // neither emitted nor given up
  // Of reading the whole table once, eventually consistent.
  double scan_units() const;
};

EntityResult<Account> ReadAccount(CallTable& table);

std::string AccountText(const Account& account);
std::string AccountJson(const Account& account);

// DynamoDB's limit.
inline constexpr double kPartitionWritesPerSecond = 1000;

struct Headroom {
  double calls_per_second = 0;
  double write_units_per_second = 0;   // of the index, at the peak
  double partition_calls_per_day = 0;  // what one partition takes
  double times = 0;                    // the load that one partition takes ÷ this load
  std::int64_t shards = 1;             // so that each partition stays below half of its limit
};

struct HeadroomOptions {
  // An entry of at most 1 KB is put under its status, and deleted there when it moves on: one write
  // unit each.
  double writes_per_call = 2;
  double peak = 1;  // ÷ mean
};

// For a number of calls per day that need reconciliation.
Headroom HeadroomOf(double bad_calls_per_day, const HeadroomOptions& options = {});

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_ACCOUNT_H_
