#include "systems/downloads/operations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <thread>

#include "stator/live.h"
#include "systems/downloads/batch.h"
#include "systems/program/items.h"
#include "systems/program/model_text.h"
#include "systems/program/output.h"

namespace stator::systems::downloads {
namespace {

Fallible<std::vector<std::string>> FileIds(Entities& entities, std::string_view pattern,
                                           const PatternParameters& parameters) {
  const auto items = entities.All(pattern, parameters);
  if (!items) return std::unexpected(items.error().message);
  std::vector<std::string> ids;
  for (const Item& item : *items) ids.push_back(TextOf(item, "FileID"));
  return ids;
}

constexpr const char* kTableNames[] = {"data-download-jobs", "data-download-batches"};
constexpr auto kPatience = std::chrono::hours(1);

Fallible<void> WaitUntilActive(Endpoint& endpoint, const std::string& table) {
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  for (auto pause = std::chrono::milliseconds(2);;
       pause = std::min(pause * 2, std::chrono::milliseconds(5000))) {
    const auto described = endpoint.DescribeTable({.table_name = table});
    if (!described) return std::unexpected(described.error().message());
    if (described->table.table_status == TableStatus::kActive) return {};
    if (std::chrono::steady_clock::now() > give_up) {
      return std::unexpected(table + " is still being restored");
    }
    std::this_thread::sleep_for(pause);
  }
}

Fallible<void> RestoreTable(Endpoint& endpoint, const std::string& from, const std::string& into,
                            const std::optional<TimeMs>& moment) {
  const std::string when =
      moment ? fmt::format("\"RestoreDateTime\": {:.3f}",
                           static_cast<double>(moment->time_since_epoch().count()) / 1000)
             : std::string("\"UseLatestRestorableTime\": true");
  const auto begun =
      endpoint.Execute("RestoreTableToPointInTime",
                       fmt::format(R"({{"SourceTableName": {}, "TargetTableName": {}, {}}})",
                                   JsonText(from), JsonText(into), when));
  if (!begun) return std::unexpected(from + ": " + begun.error().message());
  return {};
}

}  // namespace

Fallible<std::vector<std::string>> FilesOfBatch(Entities& entities, const std::string& batch_id,
                                                const std::string& status) {
  if (status.empty()) return FileIds(entities, "of_batch", {{"batch", batch_id}});
  return FileIds(entities, "of_batch_in", {{"batch", batch_id}, {"status", status}});
}

Fallible<Dashboard> ReadDashboard(Entities& entities, const std::string& date) {
  Dashboard board{.date = date};
  const double before = entities.used().read;
  for (const char* status : {"available", "downloading", "completed", "failed", "error"}) {
    const auto count = entities.Count("count_in", {{"status", status}});
    if (!count) return std::unexpected(count.error().message);
    board.counts.emplace_back(status, *count);
  }
  board.count_read_units = entities.used().read - before;
  auto batches = BatchesOf(entities, date);
  if (!batches) return std::unexpected(batches.error());
  board.batches = *std::move(batches);
  const auto timed_out = entities.All("batches_in", {{"date", date}, {"status", "timeout"}});
  if (!timed_out) return std::unexpected(timed_out.error().message);
  for (const Item& item : *timed_out) board.timed_out.push_back(Batch::Of(item).id());
  for (auto [pattern, ids] :
       {std::pair("stuck", &board.stuck), std::pair("never_claimed", &board.never_claimed)}) {
    auto found = FileIds(entities, pattern, {});
    if (!found) return std::unexpected(found.error());
    *ids = *std::move(found);
  }
  return board;
}

std::string DashboardText(const Dashboard& board) {
  std::vector<std::vector<std::string>> rows = {{"STATUS", "JOBS"}};
  for (const auto& [status, count] : board.counts) rows.push_back({status, std::to_string(count)});
  std::string text = TextTable(rows);
  text += fmt::format("counted for {} read units\n\n", board.count_read_units);
  rows = {{"BATCH", "STATUS", "EXPECTED", "COMPLETED", "FAILED"}};
  for (const Batch& batch : board.batches) {
    rows.push_back({batch.id(), batch.status, std::to_string(batch.expected.size()),
                    std::to_string(batch.completed.size()), std::to_string(batch.failed.size())});
  }
  text += board.batches.empty() ? fmt::format("no batch of {}\n", board.date) : TextTable(rows);
  for (const Batch& batch : board.batches) {
    if (batch.refused.empty()) continue;
    text += fmt::format("refused in {}: {}\n", batch.id(), fmt::join(batch.refused, ", "));
  }
  if (!board.timed_out.empty())
    text += fmt::format("timed out: {}\n", fmt::join(board.timed_out, ", "));
  if (!board.stuck.empty()) text += fmt::format("stuck: {}\n", fmt::join(board.stuck, ", "));
  if (!board.never_claimed.empty()) {
    text += fmt::format("never claimed: {}\n", fmt::join(board.never_claimed, ", "));
  }
  return text;
}

Fallible<std::vector<std::string>> SetUpTables(Endpoint& endpoint, const std::string& environment,
                                               const std::string& table_prefix) {
  const auto model = Model::Parse(ModelText());
  if (!model) return std::unexpected(model.error());
  const auto report =
      ApplyModel(endpoint, *model, {.environment = environment, .table_prefix = table_prefix});
  if (!report) return std::unexpected(report.error().message());
  return report->lines;
}

Fallible<std::vector<std::string>> Restore(Endpoint& endpoint, const RestoreOptions& options) {
  std::vector<std::string> restored;
  for (const char* name : kTableNames) {
    const std::string into = options.into_prefix + name;
    const auto begun = RestoreTable(endpoint, options.table_prefix + name, into, options.moment);
    if (!begun) return std::unexpected(begun.error());
    restored.push_back(into);
  }
  for (const std::string& table : restored) {
    const auto active = WaitUntilActive(endpoint, table);
    if (!active) return std::unexpected(active.error());
    const auto expires = endpoint.UpdateTimeToLive(
        {.table_name = table,
         .specification = TimeToLiveSpecification{.enabled = true, .attribute_name = "TTL"}});
    if (!expires) return std::unexpected(expires.error().message());
  }
  return restored;
}

}  // namespace stator::systems::downloads
