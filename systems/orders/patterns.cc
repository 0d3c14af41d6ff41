#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "systems/orders/example.h"
#include "systems/orders/shop.h"
#include "systems/program/fallible.h"
#include "systems/program/items.h"

namespace stator::systems::orders {
namespace {

EntityResult<void> RunEntityType(Narrator& narrator) {
  TRY(const bool has_items, narrator.Load({"Customer", "Order"}));
  if (!has_items) return {};
  Entities& entities = narrator.entities();
  TRY(const Page orders, entities.Query("recent_orders"));
  narrator.Did("the 20 newest orders at most, and no customer among them");
  narrator.Show(orders.items, {"GSI4SK", "orderId", "username"}, 4);
  TRY(const Page customers, entities.Query("recent_customers"));
  narrator.Did("the 20 newest customers at most, and no order among them");
  narrator.Show(customers.items, {"GSI4SK", "username"}, 4);
  return {};
}

// The day before the first that is not wanted, as somebody would write it: 2024-01-31.
std::string LastDay(const std::vector<Item>& items) {
  std::string last;
  for (const Item& item : items) last = std::max(last, TextOf(item, "GSI5SK").substr(0, 10));
  return last;
}

EntityResult<void> RunTime(Narrator& narrator) {
  TRY(const bool has_items, narrator.Load({"Customer", "Order"}));
  if (!has_items) return {};
  const Questions& ask = narrator.ask();
  TRY(const auto found,
      narrator.entities().All("items_between", {{"from", ask.from}, {"to", ask.to}}));
  narrator.Did(fmt::format("{} to {}, shards merged", ask.from, ask.to));
  narrator.Show(found, {"GSI5SK", "GSI5PK"});
  if (found.empty()) return {};
  const std::string last = LastDay(found);
  const auto lost = std::ranges::count_if(
      found, [&](const Item& item) { return TextOf(item, "GSI5SK").starts_with(last); });
  narrator.Say(fmt::format(
      "  BETWEEN '{}' AND '{}' would have lost {} of them:", ask.from.substr(0, 10), last, lost));
  narrator.Say(
      fmt::format("  {}… is greater than {}.", TextOf(found.back(), "GSI5SK").substr(0, 20), last));
  return {};
}

EntityResult<void> RunComposite(Narrator& narrator) {
  TRY(const bool has_items, narrator.Load({"Customer", "Order"}));
  if (!has_items) return {};
  Entities& entities = narrator.entities();
  const Questions& ask = narrator.ask();
  const int rank = static_cast<int>(PriorityOf(ask.priority).value_or(Priority::kMedium));
  TRY(const auto urgent,
      entities.All("urgent_orders", {{"status", ask.status}, {"priority", rank}}));
  narrator.Did(fmt::format("{} orders of {} priority: begins_with {}#{}#, and no other rank",
                           ask.status, ask.priority, ask.status, rank));
  narrator.Show(urgent, {"GSI6SK", "orderId"});
  TRY(const Page ranked,
      entities.Query("orders_by_priority", {{"status", ask.status}}, {.limit = 4}));
  narrator.Did(
      fmt::format("{} orders, most urgent first; text sorts HIGH, LOW, MEDIUM", ask.status));
  narrator.Show(ranked.items, {"GSI6SK", "priority"});
  return {};
}

EntityResult<void> RunTenant(Narrator& narrator) {
  TRY(const bool has_items, narrator.Load({"TenantOrder"}));
  if (!has_items) return {};
  const std::string& tenant = narrator.ask().tenant;
  for (const char* status : {"OPEN", "CLOSED"}) {
    TRY(const auto orders,
        narrator.entities().All("tenant_orders", {{"tenant", tenant}, {"status", status}}));
    narrator.Did(fmt::format("{} orders of tenant {}, of all its customers: {}", status, tenant,
                             orders.size()));
    if (!orders.empty()) narrator.Show(orders, {"GSI1PK", "GSI1SK", "PK", "amount"});
  }
  const auto others = std::ranges::count_if(narrator.ItemsOf("TenantOrder"), [&](const Item& item) {
    return TextOf(item, "tenantId") != tenant;
  });
  narrator.Say(
      fmt::format("  {} orders of other tenants are in the table, and none of them here", others));
  return {};
}

constexpr std::array<Example, 4> kPatterns = {{
    {.name = "type",
     .title = "Pattern 1: entity type index",
     .keys = "GSI4: TYPE#ORDER#<shard> / <createdAt>#<orderId>",
     .run = RunEntityType},
    {.name = "time",
     .title = "Pattern 2: time index, with shards",
     .keys = "GSI5: TIME#<shard> / <createdAt>#<type>#<id>",
     .run = RunTime},
    {.name = "composite",
     .title = "Pattern 3: composite filter index",
     .keys = "GSI6: PRIORITY#<shard> / <status>#<rank>#<orderId>",
     .run = RunComposite},
    {.name = "tenant",
     .title = "Pattern 4: multi-tenant index",
     .keys = "table: TENANT#<tenantId>#CUSTOMER#<id>; GSI1: TENANT#<tenantId> / "
             "STATUS#<status>#<orderId>",
     .run = RunTenant},
}};

}  // namespace

std::span<const Example> Patterns() { return kPatterns; }

}  // namespace stator::systems::orders
