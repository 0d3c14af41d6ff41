#include <fmt/format.h>

#include <array>

#include "systems/orders/example.h"
#include "systems/orders/shop.h"
#include "systems/program/fallible.h"
#include "systems/program/items.h"

namespace stator::systems::orders {
namespace {

// Nobody gives an order this id.
constexpr std::string_view kNoOrder = "no-such-order";

EntityResult<void> RunLookup(Narrator& narrator) {
  TRY(const bool has_items, narrator.Load({"Customer", "Order"}));
  if (!has_items) return {};
  Shop shop(narrator.entities());
  const std::string& id = narrator.ask().order;
  TRY(const auto entries, shop.EntriesOf(id));
  narrator.Did(fmt::format("order {} by its id, from what GSI1 copies", id));
  narrator.Show(entries, {"username", "status", "createdAt", "amount"});
  TRY(const auto whole, shop.ById(id));
  narrator.Did(fmt::format("the whole order: its key from the index, then GetItem ({})",
                           whole.empty() ? "not there" : "found"));
  TRY(const auto none, shop.ById(kNoOrder));
  narrator.Did(fmt::format("an id that no order has: {}",
                           none.empty() ? "nothing, and no crash" : "found?!"));
  return {};
}

EntityResult<void> RunStatus(Narrator& narrator) {
  TRY(const bool has_items, narrator.Load({"Customer", "Order"}));
  if (!has_items) return {};
  Shop shop(narrator.entities());
  const std::string& status = narrator.ask().status;
  TRY(const Page page, shop.ByStatus(status, {.limit = 4}));
  narrator.Did(fmt::format("the newest {} orders of all customers, all shards merged", status));
  narrator.Show(page.items, {"createdAt", "orderId", "username", "amount"});
  return {};
}

EntityResult<void> RunAdjacency(Narrator& narrator) {
  TRY(const bool has_items, narrator.Load({"Access"}));
  if (!has_items) return {};
  Entities& entities = narrator.entities();
  const std::string& user = narrator.ask().user;
  TRY(const auto repos, entities.All("repos_of_user", {{"user", user}}));
  narrator.Did(fmt::format("the repositories of {}, from the table", user));
  narrator.Show(repos, {"owner", "repo"});
  const std::string& repo = narrator.ask().repo;
  const std::size_t slash = repo.find('/');
  TRY(const auto users, entities.All("users_of_repo", {{"owner", repo.substr(0, slash)},
                                                       {"repo", repo.substr(slash + 1)}}));
  narrator.Did(fmt::format("the users of {}, from GSI1", repo));
  narrator.Show(users, {"username"});
  return {};
}

// Ships the order and loses the parcel, which leaves the order as it was.
EntityResult<void> ShipAndLose(Narrator& narrator, Shop& shop, const std::string& id,
                               const std::string& number) {
  const auto shipped = shop.Ship(id, number);
  if (!shipped) {
    if (shipped.error().kind == EntityErrorKind::kStore) return std::unexpected(shipped.error());
    narrator.Say("  " + shipped.error().message);
    return {};
  }
  narrator.Did(fmt::format("{} is shipped: the tracking number puts it into GSI3", id));
  TRY(const auto found, shop.ByTracking(number));
  narrator.Did("the order by its number: its hash says which shard to ask");
  narrator.Show(found, {"trackingNumber", "orderId", "status"});
  TRY_VOID(shop.Lose(id));
  TRY(const auto lost, shop.ByTracking(number));
  narrator.Did(fmt::format("the parcel is lost: the order leaves GSI3 ({})",
                           lost.empty() ? "not found any more" : "still there?!"));
  return {};
}

EntityResult<void> RunSparse(Narrator& narrator) {
  TRY(const bool has_items, narrator.Load({"Customer", "Order"}));
  if (!has_items) return {};
  TRY(const Page tracked, narrator.entities().Query("tracked_orders"));
  narrator.Did("orders that have a tracking number: keys from GSI3, then the orders");
  narrator.Show(tracked.items, {"trackingNumber", "orderId", "status"}, 4);
  Shop shop(narrator.entities());
  return ShipAndLose(narrator, shop, narrator.ask().order, narrator.ask().tracking);
}

EntityResult<void> RunOverloaded(Narrator& narrator) {
  TRY(const bool has_items, narrator.Load({"Customer", "User", "OrgMember"}));
  if (!has_items) return {};
  Entities& entities = narrator.entities();
  const Questions& ask = narrator.ask();
  if (!ask.email.empty()) {
    TRY(const auto user, entities.First("user_by_email", {{"email", ask.email}}));
    narrator.Did(fmt::format("the user with the email {}: {}", ask.email,
                             user ? CellOf(*user, "PK") : "none"));
    TRY(const auto customer, entities.First("customer_by_email", {{"email", ask.email}}));
    narrator.Did(fmt::format("the customer with the same email: {}",
                             customer ? CellOf(*customer, "PK") : "none"));
  }
  TRY(const auto members, entities.All("members_of_org", {{"org", ask.org}}));
  narrator.Did(fmt::format("the members of {}: {}, and nobody else", ask.org, members.size()));
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
