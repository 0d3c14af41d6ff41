#include "systems/reconciler/table_command.h"

#include "systems/program/text.h"

namespace stator::systems::reconciler {

void AddLayout(Command& command, Layout& layout) {
  command
      .AddOption("--shards", &layout.shards,
                 "Of the index, for a table that nobody has used yet; default: what it has, or 1")
      .Range(std::int64_t{1}, kShardsMax);
  command.AddOption("--settings-age", &layout.settings_age,
                    "How old what is known of the table's settings may be; less than the --grace "
                    "of a reshard");
}

Fallible<std::unique_ptr<CallTable>> OpenCalls(Tables& tables, const Layout& layout) {
  const auto age = ParseDuration(layout.settings_age);
  if (!age || age->count() < 0) {
    return std::unexpected("--settings-age " + layout.settings_age + ": a time is like 10s");
  }
  return CallTable::Open(tables.endpoint(), {.table_prefix = tables.prefix(),
                                             .clock = &tables.clock(),
                                             .shards = layout.shards,
                                             .settings_age_max = *age});
}

void RunOnCalls(Command& command, const Layout& layout, std::function<int(CallTable& table)> run) {
  command.RunOnTables([&layout, run = std::move(run)](Tables& tables) {
    const auto table = OpenCalls(tables, layout);
    return table ? run(**table) : Fail(table.error());
  });
}

}  // namespace stator::systems::reconciler
