#include "systems/downloads/restore.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "stator/live.h"
#include "systems/program/json_line.h"
#include "systems/program/model_text.h"

namespace stator::systems::downloads {
namespace {

constexpr const char* kTableNames[] = {"data-download-jobs", "data-download-batches"};
constexpr auto kPatience = std::chrono::hours(1);

std::expected<void, std::string> WaitUntilActive(Endpoint& endpoint, const std::string& table) {
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

std::expected<void, std::string> RestoreTable(Endpoint& endpoint, const std::string& from,
                                              const std::string& into,
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

std::expected<std::vector<std::string>, std::string> SetUpTables(Endpoint& endpoint,
                                                                 const std::string& environment,
                                                                 const std::string& table_prefix) {
  const auto model = Model::Parse(ModelText());
  if (!model) return std::unexpected(model.error());
  const auto report =
      ApplyModel(endpoint, *model, {.environment = environment, .table_prefix = table_prefix});
  if (!report) return std::unexpected(report.error().message());
  return report->lines;
}

std::expected<std::vector<std::string>, std::string> Restore(Endpoint& endpoint,
                                                             const RestoreOptions& options) {
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
