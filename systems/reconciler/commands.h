// The commands of the program. Each returns its exit code: 0, or 1 when something went wrong.
#ifndef STATOR_SYSTEMS_RECONCILER_COMMANDS_H_
#define STATOR_SYSTEMS_RECONCILER_COMMANDS_H_

#include <cstdint>
#include <string>

#include "systems/program/connection.h"

namespace stator::systems::reconciler {

struct IngestCommand {
  std::string file = "-";
  int threads = 8;
};

struct PollCommand {
  std::string lookback = "7d";
  std::string tenant;
  bool newest = false;
  bool oldest = false;  // which it is without --newest, too
  std::string out;
  std::string post;
  bool dry_run = false;
  std::string lease = "60s";
  std::string owner;  // default: host and process
  int give_up_after = 10;
  double every_seconds = 0;  // 0: once
};

struct LoadCommand {
  std::int64_t calls = 10'000;
  std::string bad = "1%";
  int tenants = 50;
  std::uint64_t seed = 1;
  bool start_pending = false;
  int threads = 128;  // a disk syncs many writes as fast as one
};

int RunIngest(const ConnectionOptions& where, const IngestCommand& command);
int RunPoll(const ConnectionOptions& where, const PollCommand& command);
int RunLoad(const ConnectionOptions& where, const LoadCommand& command);
int RunReport(const ConnectionOptions& where, bool json);
// Without a connection: on a database in memory.
int RunDemo(const ConnectionOptions& where);

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_COMMANDS_H_
