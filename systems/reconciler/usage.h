// What the commands have consumed, kept in a table of its own so that `report` can tell.
#ifndef STATOR_SYSTEMS_RECONCILER_USAGE_H_
#define STATOR_SYSTEMS_RECONCILER_USAGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "stator/entity.h"

namespace stator::systems::reconciler {

class UsageMeter {
 public:
  // Counts what `entities` consumes from now on.
  UsageMeter(Entities& entities, std::string command);

  // Adds what was consumed since the last time, and `calls` that it was for. What a killed process
  // had consumed since then is not counted.
  EntityResult<void> Record(std::int64_t runs, std::int64_t calls);

 private:
  Entities& entities_;
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

// Of every command that has run.
EntityResult<std::vector<CommandUsage>> ReadUsage(Entities& entities);

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_USAGE_H_
