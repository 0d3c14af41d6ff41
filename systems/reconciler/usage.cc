#include "systems/reconciler/usage.h"

#include <cmath>

#include "systems/reconciler/call.h"

namespace stator::systems::reconciler {
namespace {

constexpr const char* kCommands[] = {"ingest", "load", "poll"};

}  // namespace

UsageMeter::UsageMeter(Entities& entities, std::string command)
    : entities_(entities), command_(std::move(command)), recorded_(entities.used()) {}

EntityResult<void> UsageMeter::Record(std::int64_t runs, std::int64_t calls) {
  const UsedUnits now = entities_.used();
  const Change change{
      .add = {{"Runs", runs},
              {"Calls", calls},
              {"Requests", static_cast<std::int64_t>(now.requests - recorded_.requests)},
              {"ReadHalfUnits", std::llround((now.read - recorded_.read) * 2)},
              {"WriteUnits", std::llround(now.write - recorded_.write)}}};
  const auto recorded = entities_.Upsert("Usage", Item{{"Command", command_}}, change);
  if (!recorded) return std::unexpected(recorded.error());
  recorded_ = now;
  return {};
}

EntityResult<std::vector<CommandUsage>> ReadUsage(Entities& entities) {
  std::vector<CommandUsage> all;
  for (const char* command : kCommands) {
    const auto row = entities.Get("Usage", Item{{"Command", command}});
    if (!row) return std::unexpected(row.error());
    if (!*row) continue;
    const ItemView usage = (*row)->view();
    all.push_back({.command = command,
                   .runs = NumberOf(usage, "Runs"),
                   .calls = NumberOf(usage, "Calls"),
                   .requests = NumberOf(usage, "Requests"),
                   .read_units = static_cast<double>(NumberOf(usage, "ReadHalfUnits")) / 2,
                   .write_units = static_cast<double>(NumberOf(usage, "WriteUnits"))});
  }
  return all;
}

}  // namespace stator::systems::reconciler
