// Commands that work on the table of calls.
#ifndef STATOR_SYSTEMS_RECONCILER_TABLE_COMMAND_H_
#define STATOR_SYSTEMS_RECONCILER_TABLE_COMMAND_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "systems/program/program.h"
#include "systems/reconciler/call_table.h"

namespace stator::systems::reconciler {

// What a command line says about the table's layout.
struct Layout {
  std::optional<std::int64_t> shards;  // if it is given
  std::string settings_age = "10s";
};

// --shards and --settings-age.
void AddLayout(Command& command, Layout& layout);

Fallible<std::unique_ptr<CallTable>> OpenCalls(Tables& tables, const Layout& layout);

// Runs the command on the table of calls. `layout` must outlive the command.
void RunOnCalls(Command& command, const Layout& layout, std::function<int(CallTable& table)> run);

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_TABLE_COMMAND_H_
