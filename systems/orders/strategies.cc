#include <fmt/format.h>

#include <array>

#include "systems/orders/example.h"
#include "systems/orders/shop.h"
#include "systems/program/fallible.h"

namespace stator::systems::orders {
namespace {

EntityResult<void> EnsureOrder(Narrator& narrator, std::string_view customer, std::string_view id,
                               std::string_view created_at) {
  return Ensure(
      narrator.entities(), "Order",
      Item{{"username", customer}, {"orderId", id}, {"amount", 120}, {"createdAt", created_at}});
}

EntityResult<void> RunLookup(Narrator& narrator) {
  Shop shop(narrator.entities());
  TRY_VOID(EnsureOrder(narrator, "alice", "550e8400", "2026-02-27T10:00:00Z"));
  narrator.Did("alice places order 550e8400");
  TRY(const auto found, shop.ById("550e8400"));
  narrator.Did("the order by its id, from what GSI1 copies");
  if (found) narrator.Show({*found}, {"username", "status", "createdAt", "amount"});
  TRY(const auto whole, shop.WholeOrder("550e8400"));
  narrator.Did("the whole order: the index gives the key, a GetItem the item");
  TRY(const auto none, shop.WholeOrder("00000000"));
  narrator.Did(
      fmt::format("an id that no order has: {}", none ? "found?!" : "nothing, and no crash"));
  return {};
}

EntityResult<void> RunStatus(Narrator& narrator) {
  Shop shop(narrator.entities());
  for (int i = 0; i < 4; ++i) {
    TRY_VOID(EnsureOrder(narrator, i % 2 == 0 ? "alice" : "bob", fmt::format("660f950{}", i),
                         fmt::format("2026-02-2{}T12:00:00Z", i)));
  }
  narrator.Did("alice and bob have four orders of four days");
  TRY(const Page open, shop.ByStatus("OPEN", {.limit = 4}));
  narrator.Did("the newest open orders of all customers, all shards merged");
  narrator.Show(open.items, {"createdAt", "orderId", "username"});
  return {};
}

EntityResult<void> RunAdjacency(Narrator& narrator) {
  Entities& entities = narrator.entities();
  for (const auto& [user, repo] :
       {std::pair("alice", "engine"), std::pair("alice", "docs"), std::pair("bob", "engine")}) {
    TRY_VOID(
        Ensure(entities, "Access", Item{{"username", user}, {"owner", "acme"}, {"repo", repo}}));
  }
  narrator.Did("alice may read acme/engine and acme/docs, bob acme/engine");
  TRY(const auto repos, entities.All("repos_of_user", {{"user", "alice"}}));
  narrator.Did("the repositories of alice, from the table");
  narrator.Show(repos, {"owner", "repo"});
  TRY(const auto users, entities.All("users_of_repo", {{"owner", "acme"}, {"repo", "engine"}}));
  narrator.Did("the users of acme/engine, from GSI1");
  narrator.Show(users, {"username"});
  return {};
}

EntityResult<void> RunSparse(Narrator& narrator) {
  Shop shop(narrator.entities());
  TRY_VOID(EnsureOrder(narrator, "alice", "770a1100", "2026-02-27T11:00:00Z"));
  TRY_VOID(EnsureOrder(narrator, "bob", "770a1101", "2026-02-27T12:00:00Z"));
  narrator.Did("two orders without a tracking number: GSI3 has no entry for them");
  // A run that was repeated finds them shipped.
  TRY(const auto order, shop.WholeOrder("770a1100"));
  if (order && CellOf(*order, "status") == "OPEN") {
    TRY_VOID(shop.Ship("770a1100", "1Z999AA10123456784"));
  }
  narrator.Did("770a1100 is shipped: the tracking number puts it into GSI3");
  TRY(const auto tracked, narrator.entities().All("tracked_orders"));
  narrator.Did("all orders that have one: keys from GSI3, then the orders");
  narrator.Show(tracked, {"trackingNumber", "orderId", "status"});
  TRY(const auto found, shop.ByTracking("1Z999AA10123456784"));
  narrator.Did("the order by its number: its hash says which shard to ask");
  TRY_VOID(shop.Lose("770a1100"));
  TRY(const auto lost, shop.ByTracking("1Z999AA10123456784"));
  narrator.Did(fmt::format("the parcel is lost: the order leaves GSI3 ({})",
                           lost ? "still there?!" : "not found any more"));
  return {};
}

EntityResult<void> RunOverloaded(Narrator& narrator) {
  Entities& entities = narrator.entities();
  TRY_VOID(
      Ensure(entities, "Customer", Item{{"username", "alice"}, {"email", "alice@example.com"}}));
  TRY_VOID(Ensure(entities, "User", Item{{"username", "alice"}, {"email", "alice@example.com"}}));
  for (const char* name : {"alice", "bob"}) {
    TRY_VOID(Ensure(entities, "OrgMember", Item{{"username", name}, {"orgName", "acme"}}));
  }
  narrator.Did("alice is a customer, a user and, with bob, a member of acme");
  TRY(const auto user, entities.First("user_by_email", {{"email", " Alice@Example.com "}}));
  narrator.Did(fmt::format("the user by email: {}", user ? CellOf(*user, "PK") : "none"));
  TRY(const auto customer, entities.First("customer_by_email", {{"email", "alice@example.com"}}));
  narrator.Did(fmt::format("the customer by the same email: {}",
                           customer ? CellOf(*customer, "PK") : "none"));
  TRY(const auto members, entities.All("members_of_org", {{"org", "acme"}}));
  narrator.Did(fmt::format("the members of acme: {}, and nobody else", members.size()));
  narrator.Show(members, {"GSI1PK", "GSI1SK"});
  return {};
}

constexpr std::array<Example, 5> kStrategies = {{
    {.name = "lookup",
     .title = "Strategy 1: inverted lookup",
     .keys = "GSI1: ORDER#<orderId> / ORDER#<orderId>",
     .run = RunLookup},
    {.name = "status",
     .title = "Strategy 2: filtering by an attribute",
     .keys = "GSI2: STATUS#<status>#<shard> / <createdAt>#<orderId>",
     .run = RunStatus},
    {.name = "adjacency",
     .title = "Strategy 3: reverse lookup, many to many",
     .keys = "table: USER#<username> / REPO#<owner>#<repo>; GSI1 the other way round",
     .run = RunAdjacency},
    {.name = "sparse",
     .title = "Strategy 4: sparse index",
     .keys = "GSI3: TRACKING#<shard> / <trackingNumber>, only where there is one",
     .run = RunSparse},
    {.name = "overloaded",
     .title = "Strategy 5: overloaded index",
     .keys = "GSI1: EMAIL#<email>, ORG#<orgName>, ORDER#…, REPO#…, TENANT#…",
     .run = RunOverloaded},
}};

}  // namespace

std::span<const Example> Strategies() { return kStrategies; }

}  // namespace stator::systems::orders
