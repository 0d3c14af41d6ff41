// Making the tables of a model that are not there.
#include "entity/tables.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "base/try.h"
#include "entity/table_requests.h"

namespace stator::entity {
namespace {

constexpr auto kPatience = std::chrono::minutes(10);

EntityResult<void> WaitUntilActive(Context& context, const std::string& table_name) {
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  for (auto pause = std::chrono::milliseconds(5);;
       pause = std::min(pause * 2, std::chrono::milliseconds(2000))) {
    const auto answer = context.endpoint().DescribeTable({.table_name = table_name});
    if (!answer) return std::unexpected(StoreError(answer.error()));
    if (answer->table.table_status == TableStatus::kActive) return {};
    if (std::chrono::steady_clock::now() > give_up) {
      return std::unexpected(StoreError(Error::Throttling(
          fmt::format("table {} is still not active after ten minutes", table_name))));
    }
    std::this_thread::sleep_for(pause);
  }
}

EntityResult<void> CreateTable(Context& context, const model::Table& table) {
  const std::string name = context.TableName(table);
  const auto there = context.endpoint().DescribeTable({.table_name = name});
  if (there) return {};
  if (there.error().code() != ErrorCode::kResourceNotFound) {
    return std::unexpected(StoreError(there.error()));
  }
  const auto created = context.endpoint().CreateTable(MakeCreateTable(table, name));
  // Another process may have been faster.
  if (!created && created.error().code() != ErrorCode::kResourceInUse) {
    return std::unexpected(StoreError(created.error()));
  }
  RETURN_IF_ERROR(WaitUntilActive(context, name));
  if (!table.ttl.empty() && created) {
    const auto updated = context.endpoint().UpdateTimeToLive(
        {.table_name = name,
         .specification = TimeToLiveSpecification{.enabled = true, .attribute_name = table.ttl}});
    if (!updated) return std::unexpected(StoreError(updated.error()));
  }
  return {};
}

}  // namespace

EntityResult<void> CreateTables(Context& context) {
  for (const model::Table& table : context.model().tables) {
    if (!table.partition) {
      return Invalid(fmt::format("table `{}` has no key in the model", table.id));
    }
    RETURN_IF_ERROR(CreateTable(context, table));
  }
  return {};
}

}  // namespace stator::entity
