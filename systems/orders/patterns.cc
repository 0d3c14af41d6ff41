#include <fmt/format.h>

#include <array>

#include "systems/orders/example.h"
#include "systems/program/fallible.h"

namespace stator::systems::orders {
namespace {

Item OrderItem(std::string_view id, std::string_view created_at, int priority = 3) {
  return Item{{"username", "carol"},
              {"orderId", id},
              {"amount", 80},
              {"priority", priority},
              {"createdAt", created_at}};
}

EntityResult<void> RunEntityType(Narrator& narrator) {
  Entities& entities = narrator.entities();
  for (int i = 0; i < 6; ++i) {
    TRY_VOID(
        Ensure(entities, "Order",
               OrderItem(fmt::format("880b220{}", i), fmt::format("2026-02-1{}T09:00:00Z", i))));
    TRY_VOID(Ensure(entities, "Customer",
                    Item{{"username", fmt::format("customer-{}", i)},
                         {"email", fmt::format("customer-{}@example.com", i)},
                         {"createdAt", fmt::format("2026-02-1{}T08:00:00Z", i)}}));
  }
  narrator.Did("six orders and six customers");
  TRY(const Page orders, entities.Query("recent_orders"));
  narrator.Did("the 20 newest orders at most, and no customer among them");
  narrator.Show(orders.items, {"GSI4SK", "orderId", "username"}, 4);
  TRY(const Page customers, entities.Query("recent_customers"));
  narrator.Did("the 20 newest customers at most, and no order among them");
  narrator.Show(customers.items, {"GSI4SK", "username"}, 4);
  return {};
}

EntityResult<void> RunTime(Narrator& narrator) {
  Entities& entities = narrator.entities();
  TRY_VOID(Ensure(entities, "Order", OrderItem("990c3300", "2024-01-01T00:00:00Z")));
  TRY_VOID(Ensure(entities, "Order", OrderItem("990c3301", "2024-01-31T18:30:00Z")));
  TRY_VOID(Ensure(entities, "Order", OrderItem("990c3302", "2024-02-01T00:00:00Z")));
  TRY_VOID(Ensure(entities, "Customer",
                  Item{{"username", "dora"},
                       {"email", "dora@example.com"},
                       {"createdAt", "2024-01-15T10:30:00Z"}}));
  narrator.Did("orders of 1 and 31 January and of 1 February 2024, a customer of 15 January");
  TRY(const auto january, entities.All("items_between", {{"from", "2024-01-01T00:00:00Z"},
                                                         {"to", "2024-02-01T00:00:00Z"}}));
  narrator.Did("January, orders and customers, all shards merged in order");
  narrator.Show(january, {"GSI5SK", "GSI5PK"});
  narrator.Say("  BETWEEN '2024-01-01' AND '2024-01-31' would have lost the order of the 31st:");
  narrator.Say("  2024-01-31T18:30:00Z is greater than 2024-01-31.");
  return {};
}

EntityResult<void> RunComposite(Narrator& narrator) {
  Entities& entities = narrator.entities();
  for (int rank = 1; rank <= 4; ++rank) {
    TRY_VOID(Ensure(entities, "Order",
                    OrderItem(fmt::format("aa0d440{}", 5 - rank), "2026-02-20T09:00:00Z", rank)));
  }
  narrator.Did("four orders of the priorities highest (1), high (2), medium (3) and low (4)");
  TRY(const auto high, entities.All("urgent_orders", {{"status", "OPEN"}, {"priority", 2}}));
  narrator.Did("open orders of high priority: begins_with OPEN#2#, so not the highest too");
  narrator.Show(high, {"GSI6SK", "orderId"});
  TRY(const Page ranked, entities.Query("orders_by_priority", {{"status", "OPEN"}}, {.limit = 4}));
  narrator.Did("open orders, the most urgent first: text would sort HIGH, LOW, MEDIUM");
  narrator.Show(ranked.items, {"GSI6SK", "priority"});
  return {};
}

EntityResult<void> RunTenant(Narrator& narrator) {
  Entities& entities = narrator.entities();
  for (const char* tenant : {"a", "b"}) {
    for (int i = 0; i < 3; ++i) {
      // The same customers and order ids in both tenants.
      const Item item{{"tenantId", tenant},
                      {"customerId", fmt::format("c{}", i)},
                      {"orderId", fmt::format("bb0e550{}", i)},
                      {"amount", 10 * i}};
      TRY_VOID(Ensure(entities, "TenantOrder", item));
    }
  }
  const Item first{{"tenantId", "a"}, {"customerId", "c0"}, {"orderId", "bb0e5500"}};
  const auto closed = entities.Move("TenantOrder", first, "close");
  if (!closed && closed.error().kind != EntityErrorKind::kConflict) {
    return std::unexpected(closed.error());
  }
  narrator.Did("tenants a and b have three orders each, with the same ids; a closed one");
  for (const char* tenant : {"a", "b"}) {
    TRY(const auto orders,
        entities.All("tenant_orders", {{"tenant", tenant}, {"status", "CLOSED"}}));
    narrator.Did(
        fmt::format("closed orders of tenant {}, of all its customers: {}", tenant, orders.size()));
    if (!orders.empty()) narrator.Show(orders, {"GSI1PK", "GSI1SK", "PK"});
  }
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
