#include "systems/homeops/understanding/spending.h"

#include <fmt/format.h>

#include <limits>

#include "systems/homeops/memory/stockholm.h"

namespace stator::systems::homeops {
namespace {

std::string DayOf(std::int64_t epoch_s) { return InStockholm(epoch_s).date; }
std::string MonthOf(std::int64_t epoch_s) { return DayOf(epoch_s).substr(0, 7); }

AttributeValue LimitValue(std::int64_t limit) {
  return {limit > 0 ? limit : std::numeric_limits<std::int64_t>::max()};
}

}  // namespace

Spending::Spending(Endpoint& endpoint, const std::string& table_prefix, std::string_view service,
                   const Budget& budget)
    : endpoint_(endpoint),
      table_(table_prefix + "homeops"),
      service_(service),
      partition_(fmt::format("SPENT#{}", service)),
      budget_(budget) {}

Fallible<bool> Spending::Take(const std::string& period, std::int64_t requests_max,
                              std::int64_t tokens_max) {
  const auto taken = endpoint_.UpdateItem(
      {.table_name = table_,
       .key = Item{{"pk", partition_}, {"sk", period}},
       .update_expression = "SET service = :service, period = :period ADD requests :one",
       .condition_expression = "(attribute_not_exists(requests) OR requests < :requests) AND "
                               "(attribute_not_exists(#tokens) OR #tokens < :tokens)",
       .expression_attribute_names = NameMap{{"#tokens", "tokens"}},
       .expression_attribute_values = ValueMap{{":service", AttributeValue(service_)},
                                               {":period", AttributeValue(period)},
                                               {":one", AttributeValue(1)},
                                               {":requests", LimitValue(requests_max)},
                                               {":tokens", LimitValue(tokens_max)}}});
  if (taken) return true;
  if (taken.error().code() == ErrorCode::kConditionalCheckFailed) return false;
  return std::unexpected("cannot count what is spent: " + taken.error().message());
}

Fallible<void> Spending::Add(const std::string& period, std::string_view what, std::int64_t count) {
  const auto added = endpoint_.UpdateItem(
      {.table_name = table_,
       .key = Item{{"pk", partition_}, {"sk", period}},
       .update_expression = "SET service = :service, period = :period ADD #what :count",
       .expression_attribute_names = NameMap{{"#what", std::string(what)}},
       .expression_attribute_values = ValueMap{{":service", AttributeValue(service_)},
                                               {":period", AttributeValue(period)},
                                               {":count", AttributeValue(count)}}});
  if (!added) return std::unexpected("cannot count what is spent: " + added.error().message());
  return {};
}

Fallible<bool> Spending::TakeRequest(std::int64_t epoch_s) {
  const std::string month = MonthOf(epoch_s);
  TRY(const bool in_month, Take(month, budget_.requests_per_month, budget_.tokens_per_month));
  if (!in_month) return false;
  TRY(const bool in_day, Take(DayOf(epoch_s), budget_.requests_per_day, budget_.tokens_per_day));
  if (!in_day) TRY_VOID(Add(month, "requests", -1));
  return in_day;
}

Fallible<void> Spending::AddTokens(std::int64_t epoch_s, std::int64_t tokens) {
  TRY_VOID(Add(MonthOf(epoch_s), "tokens", tokens));
  return Add(DayOf(epoch_s), "tokens", tokens);
}

}  // namespace stator::systems::homeops
