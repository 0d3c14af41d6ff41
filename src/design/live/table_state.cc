#include "live/table_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/try.h"

namespace stator::live {
namespace {

constexpr auto kPatience = std::chrono::minutes(10);
constexpr auto kLongestPause = std::chrono::milliseconds(2000);

// What is not active yet; empty: everything is.
std::string NotActive(const TableDescription& table) {
  if (table.table_status != TableStatus::kActive) return "table " + table.table_name;
  for (const TableDescription::Index& index : table.global_secondary_indexes) {
    if (index.index_status != IndexStatus::kActive || index.backfilling.value_or(false)) {
      return fmt::format("index {} of table {}", index.index_name, table.table_name);
    }
  }
  return {};
}

}  // namespace

const TableDescription::Index* TableState::FindIndex(const std::string& name) const {
  for (const auto* indexes :
       {&description.global_secondary_indexes, &description.local_secondary_indexes}) {
    const auto it = std::ranges::find(*indexes, name, &TableDescription::Index::index_name);
    if (it != indexes->end()) return &*it;
  }
  return nullptr;
}

Result<std::optional<TableState>> ReadTableState(Endpoint& endpoint,
                                                 const std::string& table_name) {
  auto described = endpoint.DescribeTable({.table_name = table_name});
  if (!described) {
    if (described.error().code() == ErrorCode::kResourceNotFound) return std::nullopt;
    return std::unexpected(described.error());
  }
  TableState state{.description = std::move(described->table), .ttl = {}, .pitr_days = {}};
  ASSIGN_OR_RETURN(const DescribeTimeToLiveResponse ttl,
                   endpoint.DescribeTimeToLive({.table_name = table_name}));
  if (ttl.status == "ENABLED" || ttl.status == "ENABLING") {
    state.ttl = ttl.attribute_name.value_or("");
  }
  ASSIGN_OR_RETURN(const DescribeContinuousBackupsResponse backups,
                   endpoint.DescribeContinuousBackups({.table_name = table_name}));
  if (const auto& recovery = backups.continuous_backups.point_in_time_recovery) {
    state.pitr_days = recovery->recovery_period_in_days;
  }
  return state;
}

Result<void> WaitUntilActive(Endpoint& endpoint, const std::string& table_name,
                             const std::function<void(const std::string& what)>& waiting) {
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  auto pause = std::chrono::milliseconds(5);
  for (;;) {
    ASSIGN_OR_RETURN(const DescribeTableResponse answer,
                     endpoint.DescribeTable({.table_name = table_name}));
    const std::string what = NotActive(answer.table);
    if (what.empty()) return {};
    if (std::chrono::steady_clock::now() > give_up) {
      return std::unexpected(Error::ResourceInUse(
          fmt::format("{} is still not active after ten minutes; run the command again later, it "
                      "goes on where it stopped",
                      what)));
    }
    if (waiting) waiting(what);
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, kLongestPause);
  }
}

}  // namespace stator::live
