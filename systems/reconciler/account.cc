#include "systems/reconciler/account.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "systems/program/items.h"
#include "systems/program/output.h"
#include "systems/program/text.h"
#include "systems/reconciler/call.h"

namespace stator::systems::reconciler {
namespace {

constexpr const char* kCommands[] = {"ingest", "load", "poll"};
constexpr double kSecondsPerDay = 86'400;

// 4 KB of an eventually consistent read are half a unit, and nothing costs less.
constexpr double kBytesPerHalfUnit = 4096;

std::string Grouped(double number) {
  std::string text = fmt::format("{:.0f}", std::abs(number));
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return number < 0 ? "-" + text : text;
}
std::string Grouped(std::int64_t number) { return Grouped(static_cast<double>(number)); }

std::string Units(double units) {
  return units == std::floor(units) ? Grouped(units) : Grouped(std::floor(units)) + ".5";
}

std::string StatusTable(const Account& account) {
  std::vector<std::vector<std::string>> rows{{"status", "calls"}};
  for (const auto& [status, count] : account.statuses) rows.push_back({status, Grouped(count)});
  rows.push_back({"in all", Grouped(account.in_index())});
  return TextTable(rows);
}

std::string UsageTable(const std::vector<CommandUsage>& usage) {
  std::vector<std::vector<std::string>> rows{
      {"command", "runs", "calls", "requests", "read units", "write units"}};
  for (const CommandUsage& row : usage) {
    rows.push_back({row.command, Grouped(row.runs), Grouped(row.calls), Grouped(row.requests),
                    Units(row.read_units), Units(row.write_units)});
  }
  return TextTable(rows);
}

std::string ScanText(const Account& account) {
  std::string text = fmt::format(
      "A scan of the table with a filter on the status reads all of it: {} read units each time.\n",
      Units(account.scan_units()));
  const auto poll = std::ranges::find(account.usage, "poll", &CommandUsage::command);
  if (poll == account.usage.end() || poll->runs == 0) return text;
  const double scans = static_cast<double>(poll->runs) * account.scan_units();
  return text +
         fmt::format("{} polls took {} read units; as scans they would have taken {} read units.\n",
                     Grouped(poll->runs), Units(poll->read_units), Units(scans));
}

std::string HeadroomText() {
  std::vector<std::vector<std::string>> rows{{"calls per day that need reconciliation",
                                              "per second", "of one partition", "shards needed"}};
  for (const double per_day : {10e3, 1e6, 10e6, 100e6}) {
    const Headroom room = HeadroomOf(per_day);
    rows.push_back({Grouped(per_day), fmt::format("{:.1f}", room.calls_per_second),
                    fmt::format("{:.2f} %", 100 / room.times), Grouped(room.shards)});
  }
  return TextTable(rows);
}

}  // namespace

UsageMeter::UsageMeter(CallTable& table, std::string command)
    : table_(table), command_(std::move(command)), recorded_(table.used()) {}

EntityResult<void> UsageMeter::Record(std::int64_t runs, std::int64_t calls) {
  const UsedUnits now = table_.used();
  const Change change{
      .add = {{"Runs", runs},
              {"Calls", calls},
              {"Requests", static_cast<std::int64_t>(now.requests - recorded_.requests)},
              {"ReadHalfUnits", std::llround((now.read - recorded_.read) * 2)},
              {"WriteUnits", std::llround(now.write - recorded_.write)}}};
  const auto recorded = table_.plain().Upsert("Usage", Item{{"Command", command_}}, change);
  if (!recorded) return std::unexpected(recorded.error());
  recorded_ = now;
  return {};
}

EntityResult<std::vector<CommandUsage>> ReadUsage(CallTable& table) {
  std::vector<CommandUsage> all;
  for (const char* command : kCommands) {
    const auto row = table.plain().Get("Usage", Item{{"Command", command}});
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

std::int64_t Account::in_index() const {
  std::int64_t sum = 0;
  for (const auto& [status, count] : statuses) sum += count;
  return sum;
}

std::int64_t Account::waiting() const {
  std::int64_t sum = 0;
  for (const auto& [status, count] : statuses) {
    if (status != kEmitted && status != kGivenUp) sum += count;
  }
  return sum;
}

double Account::scan_units() const {
  return std::max(1.0, std::ceil(static_cast<double>(table_bytes) / kBytesPerHalfUnit)) / 2;
}

EntityResult<Account> ReadAccount(CallTable& table) {
  Account account;
  const auto described = table.endpoint().DescribeTable({.table_name = table.table_name()});
  if (!described) {
    return std::unexpected(EntityError{EntityErrorKind::kStore, MessageOf(described.error()),
                                       std::nullopt, described.error()});
  }
  // Without the settings item.
  account.calls = std::max<std::int64_t>(0, described->table.item_count - 1);
  account.table_bytes = described->table.table_size_bytes;
  for (const auto& index : described->table.global_secondary_indexes) {
    account.index_bytes += index.index_size_bytes;
  }
  TRY(const TableSettings settings, table.ReadSettings());
  account.shards = settings.shards;
  TRY(const std::vector<Entities*> readers, table.readers());
  for (const std::string_view status : kIndexStatuses) {
    std::int64_t sum = 0;
    for (Entities* entities : readers) {
      TRY(const std::int64_t count,
          entities->Count("waiting", {{"status", status}, {"since", SortableTime(kClockMin)}}));
      sum += count;
    }
    account.statuses.emplace_back(status, sum);
  }
  TRY(account.usage, ReadUsage(table));
  return account;
}

std::string AccountText(const Account& account) {
  const double share = account.calls == 0 ? 0
                                          : 100 * static_cast<double>(account.in_index()) /
                                                static_cast<double>(account.calls);
  std::string text = fmt::format(
      "{} calls, {} bytes; ReconciliationIndex holds {} of them ({:.2f} %), {} bytes, in {} "
      "shard{}\n\n",
      Grouped(account.calls), Grouped(account.table_bytes), Grouped(account.in_index()), share,
      Grouped(account.index_bytes), account.shards, account.shards == 1 ? "" : "s");
  text += StatusTable(account) + "\n";
  if (!account.usage.empty()) text += "Consumed so far\n" + UsageTable(account.usage) + "\n";
  return text + ScanText(account) + "\nHow hot one partition of the index would be\n" +
         HeadroomText();
}

std::string AccountJson(const Account& account) {
  std::string statuses;
  for (const auto& [status, count] : account.statuses) {
    statuses += fmt::format(R"({}"{}":{})", statuses.empty() ? "" : ",", status, count);
  }
  std::string usage;
  for (const CommandUsage& row : account.usage) {
    usage += fmt::format(
        R"({}"{}":{{"runs":{},"calls":{},"requests":{},"read_units":{},"write_units":{}}})",
        usage.empty() ? "" : ",", row.command, row.runs, row.calls, row.requests, row.read_units,
        row.write_units);
  }
  return fmt::format(
      R"({{"calls":{},"table_bytes":{},"index_items":{},"index_bytes":{},"shards":{},)"
      R"("waiting":{},"statuses":{{{}}},"usage":{{{}}},"scan_units":{}}})",
      account.calls, account.table_bytes, account.in_index(), account.index_bytes, account.shards,
      account.waiting(), statuses, usage, account.scan_units());
}

Headroom HeadroomOf(double bad_calls_per_day, const HeadroomOptions& options) {
  Headroom room;
  room.calls_per_second = bad_calls_per_day / kSecondsPerDay;
  room.write_units_per_second = room.calls_per_second * options.writes_per_call * options.peak;
  room.partition_calls_per_day =
      kPartitionWritesPerSecond * kSecondsPerDay / options.writes_per_call;
  room.times = room.write_units_per_second > 0
                   ? kPartitionWritesPerSecond / room.write_units_per_second
                   : std::numeric_limits<double>::infinity();
  room.shards = std::max<std::int64_t>(
      1, std::llround(std::ceil(room.write_units_per_second / (kPartitionWritesPerSecond / 2))));
  return room;
}

}  // namespace stator::systems::reconciler
