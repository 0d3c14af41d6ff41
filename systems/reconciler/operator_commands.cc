#include "systems/reconciler/operator_commands.h"

#include <fmt/format.h>

#include "systems/program/items.h"
#include "systems/program/output.h"
#include "systems/program/text.h"
#include "systems/reconciler/account.h"
#include "systems/reconciler/call.h"
#include "systems/reconciler/listing.h"
#include "systems/reconciler/reshard.h"
#include "systems/reconciler/table_command.h"

namespace stator::systems::reconciler {
namespace {

constexpr const char* kReshardHelp =
    R"(Spreads the index over another number of shards, while pollers and ingests run. It names the new
number in the table's settings item, moves the entries, waits until every program has read the
settings (--grace), and moves what came meanwhile. Killed, it can be run again.)";

int RunReport(CallTable& table, bool json) {
  const auto account = ReadAccount(table);
  if (!account) return Fail(account.error().message);
  fmt::print("{}", json ? AccountJson(*account) + "\n" : AccountText(*account));
  return kDone;
}

struct ListArguments {
  bool given_up = false;
  bool emitted = false;
  bool json = false;
  CallFilter filter;
};

int RunList(CallTable& table, const ListArguments& given) {
  std::vector<std::string_view> statuses(std::begin(kStatuses), std::end(kStatuses));
  if (given.given_up || given.emitted) statuses.clear();
  if (given.emitted) statuses.push_back(kEmitted);
  if (given.given_up) statuses.push_back(kGivenUp);
  for (const std::string_view status : statuses) {
    const auto listed =
        ForEachListed(table, status, given.filter, [&](const Item& entry) -> EntityResult<void> {
          PrintLine(given.json ? JsonOfItem(entry.view()) : ListingLine(entry.view()));
          return {};
        });
    if (!listed) return Fail(listed.error().message);
  }
  return kDone;
}

int RunRetry(CallTable& table, const CallFilter& filter) {
  const auto count = RetryGivenUp(table, filter);
  if (!count) return Fail(count.error().message);
  fmt::print("{} call{} put back\n", *count, *count == 1 ? "" : "s");
  return kDone;
}

int RunReshard(CallTable& table, std::int64_t shards, const std::string& grace) {
  const auto time = ParseDuration(grace);
  if (!time || time->count() < 0)
    return Fail("--grace " + grace + ": a time is like 60s", kMisused);
  ProgressLine progress;
  ReshardOptions options{.shards = shards, .grace = *time};
  options.progress = [&](std::int64_t moved) {
    progress.Show(fmt::format("{} entries moved", moved));
  };
  const auto summary = Reshard(table, options);
  progress.Clear();
  if (!summary) return Fail(summary.error().message);
  fmt::print("from {} to {} shard{}: {} entr{} moved\n", summary->before, shards,
             shards == 1 ? "" : "s", summary->moved, summary->moved == 1 ? "y" : "ies");
  return kDone;
}

// For `stator check`, `cost` and `audit` of a table with several shards.
int RunModel(CallTable& table) {
  const auto settings = table.ReadSettings();
  if (!settings) return Fail(settings.error().message);
  fmt::print("{}", ModelTextOf(settings->shards));
  return kDone;
}

void AddFilter(Command& command, CallFilter& filter) {
  command.AddOption("--tenant", &filter.tenant, "Calls of this tenant only");
  command.AddOption("--call", &filter.call, "The call with this id only");
}

void AddList(Program& program) {
  Command& command = program.AddCommand(
      "list", "The calls in the index, by status: those that wait, or were emitted or given up");
  auto& given = command.Keep<ListArguments>();
  command.AddFlag("--given-up", &given.given_up, "Those whose payload nobody took, and why");
  command.AddFlag("--emitted", &given.emitted, "Those that were emitted and are not OK since");
  command.AddFlag("--json", &given.json, "For programs: one entry of the index per line");
  AddFilter(command, given.filter);
  RunOnCalls(command, command.Keep<Layout>(),
             [&](CallTable& table) { return RunList(table, given); });
}

void AddRetry(Program& program) {
  Command& command = program.AddCommand(
      "retry", "Puts calls that were given up back, so that the next poll emits them");
  auto& filter = command.Keep<CallFilter>();
  AddFilter(command, filter);
  RunOnCalls(command, command.Keep<Layout>(),
             [&](CallTable& table) { return RunRetry(table, filter); });
}

void AddReshard(Program& program) {
  Command& command = program.AddCommand("reshard", kReshardHelp);
  struct Arguments {
    std::int64_t shards = 0;
    std::string grace = "60s";
  };
  auto& given = command.Keep<Arguments>();
  command.AddOption("--shards", &given.shards, "How many there shall be")
      .Required()
      .Range(std::int64_t{1}, kShardsMax);
  command.AddOption("--grace", &given.grace,
                    "How long to wait for writers that have not read the new settings");
  RunOnCalls(command, command.Keep<Layout>(),
             [&](CallTable& table) { return RunReshard(table, given.shards, given.grace); });
}

void AddReport(Program& program) {
  Command& command = program.AddCommand(
      "report", "Size of the index, units consumed, and what scans would have cost");
  auto& json = command.Keep<bool>();
  command.AddFlag("--json", &json, "For programs");
  RunOnCalls(command, command.Keep<Layout>(),
             [&](CallTable& table) { return RunReport(table, json); });
}

void AddModel(Program& program) {
  Command& command = program.AddCommand(
      "model", "Prints the model as the table is laid out, for `stator check`, `cost` and `audit`");
  RunOnCalls(command, command.Keep<Layout>(), RunModel);
}

}  // namespace

void AddOperatorCommands(Program& program) {
  AddList(program);
  AddRetry(program);
  AddReport(program);
  AddReshard(program);
  AddModel(program);
}

}  // namespace stator::systems::reconciler
