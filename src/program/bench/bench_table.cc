// The table of a run: made before, removed after.
#include <chrono>
#include <thread>

#include "base/try.h"
#include "bench/call.h"
#include "bench/session.h"

namespace stator::bench {
namespace {

constexpr std::chrono::milliseconds kPollInterval{50};
constexpr std::chrono::seconds kPatience{120};  // AWS needs some ten seconds

std::string TableNameBody(const DataPlan& data) {
  return R"({"TableName":")" + data.table_name + "\"}";
}

std::string Refusal(std::string_view operation, const CallAnswer& answer) {
  return std::string(operation) + " was refused: " + answer.body;
}

}  // namespace

std::expected<void, std::string> CreateTable(const Plan& plan) {
  RequestFactory factory(plan.endpoint, plan.signer);
  ASSIGN_OR_RETURN(const CallAnswer created,
                   Call(plan.address, factory, "CreateTable", CreateTableBody(plan.data)));
  if (ErrorNameIn(created.body) == "ResourceInUseException") {
    return std::unexpected("table " + plan.data.table_name +
                           " exists already. Use --skip-load if it is full of the right items, "
                           "or --table for another name");
  }
  if (created.status != 200) return std::unexpected(Refusal("CreateTable", created));
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < deadline) {
    ASSIGN_OR_RETURN(const CallAnswer described,
                     Call(plan.address, factory, "DescribeTable", TableNameBody(plan.data)));
    const bool is_waiting = described.body.find("\"CREATING\"") != std::string::npos ||
                            described.body.find("\"UPDATING\"") != std::string::npos;
    if (described.status == 200 && !is_waiting) return {};
    std::this_thread::sleep_for(kPollInterval);
  }
  return std::unexpected("table " + plan.data.table_name + " did not become active");
}

std::expected<void, std::string> DeleteTable(const Plan& plan) {
  RequestFactory factory(plan.endpoint, plan.signer);
  ASSIGN_OR_RETURN(const CallAnswer deleted,
                   Call(plan.address, factory, "DeleteTable", TableNameBody(plan.data)));
  if (deleted.status != 200) return std::unexpected(Refusal("DeleteTable", deleted));
  return {};
}

}  // namespace stator::bench
