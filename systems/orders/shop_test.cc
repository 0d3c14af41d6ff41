#include "systems/orders/shop.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <latch>
#include <thread>

#include "model/model.h"
#include "tests/systems/orders_fixture.h"

namespace stator::systems::orders {
namespace shop_test {

using testing::AsWritten;
using testing::StressTime;
using testing::Text;
using Texts = std::vector<std::string>;
using ShopTest = testing::OrdersWorld;

TEST_F(ShopTest, S2_38_KeysAreOneWordEachAndCustomersHaveAnEmail) {
  // The guide has #ORDER# here and ORDER# there, and a customer's EMAIL# in one chart only.
  const auto customer = shop_.Register({.username = "alice", .email = "Alice@Example.com"});
  ASSERT_TRUE(customer) << customer.error().message;
  const Item order = Place("alice", "550e8400");
  EXPECT_EQ(Text(order, "PK"), "CUSTOMER#alice");
  EXPECT_EQ(Text(order, "SK"), "ORDER#550e8400");
  EXPECT_EQ(Text(*customer, "SK"), "CUSTOMER#alice");
  EXPECT_EQ(Text(*customer, "GSI1PK"), "EMAIL#alice@example.com");
}

TEST_F(ShopTest, S2_38_AnOrderGoesThroughTheShop) {
  Place("alice", "o1");
  EXPECT_EQ(shop_.Deliver("o1").error().kind, EntityErrorKind::kConflict);
  ASSERT_TRUE(shop_.Ship("o1", "T1"));
  EXPECT_EQ(shop_.Ship("o1", "T2").error().kind, EntityErrorKind::kConflict);
  EXPECT_EQ(shop_.Cancel("o1").error().kind, EntityErrorKind::kConflict);
  EXPECT_EQ(shop_.Ship("o9", "T9").error().kind, EntityErrorKind::kMissing);
  ASSERT_TRUE(shop_.Deliver("o1"));
  EXPECT_EQ(Text(shop_.ById("o1")->front(), "status"), "DELIVERED");
  EXPECT_TRUE(*shop_.Customer("alice"));
  EXPECT_FALSE(*shop_.Customer("bob"));
  EXPECT_EQ(world_.Audit(), "");
}

TEST_F(ShopTest, S2_39_OrdersOfACustomerComeWithoutTheCustomer) {
  Place("alice", "o1");
  Place("alice", "o2");
  Place("bob", "o3");
  const auto page = shop_.OfCustomer("alice");
  ASSERT_TRUE(page);
  EXPECT_EQ(TextsOf(page->items, "orderId"), (Texts{"o1", "o2"}));
  // As the guide asks, by the partition key alone, the customer is among them.
  EXPECT_EQ(RawQuery("", "PK = :pk", {{":pk", "CUSTOMER#alice"}}).size(), 3U);
  EXPECT_TRUE(AsWritten().contains("AP14 customer_orders"));
}

TEST_F(ShopTest, AnOrderIdIsOneOrderWhoeverPlacesIt) {
  Place("alice", "o1");
  Register("bob");
  EXPECT_EQ(shop_.Place({.customer = "bob", .order_id = "o1"}).error().kind,
            EntityErrorKind::kNotUnique);
  ASSERT_TRUE(shop_.Cancel("o1"));
  Place("bob", "o1");
  EXPECT_EQ(Text(shop_.ById("o1")->front(), "username"), "bob");
}

TEST_F(ShopTest, NobodyWhoIsNotACustomerHasAnOrder) {
  const auto placed = shop_.Place({.customer = "nobody", .order_id = "o1"});
  ASSERT_FALSE(placed);
  EXPECT_EQ(placed.error().kind, EntityErrorKind::kMissing);
  EXPECT_EQ(placed.error().message, "there is no customer nobody: register nobody first");
  EXPECT_EQ(CountEntries("GSI1"), 0);
}

TEST_F(ShopTest, AnAmountIsKeptToTheLastPlace) {
  Register("alice");
  const auto amount_of = [&](const char* id, const char* amount, const char* currency) {
    const auto placed = shop_.Place(
        {.customer = "alice", .order_id = id, .money = {.amount = amount, .currency = currency}});
    if (!placed) return placed.error().message;
    const Item stored = shop_.ById(id)->front();
    return Text(stored, "amount") + " " + Text(stored, "currency") + ", " +
           MoneyText(stored.view());
  };
  EXPECT_EQ(amount_of("o1", "0.10", "EUR"), "0.1 EUR, 0.10 EUR");
  EXPECT_EQ(amount_of("o2", "999999999999.99", "USD"), "999999999999.99 USD, 999999999999.99 USD");
  EXPECT_EQ(amount_of("o3", "1250", "JPY"), "1250 JPY, 1250 JPY");
  EXPECT_EQ(amount_of("o4", "12.505", "KWD"), "12.505 KWD, 12.505 KWD");
  EXPECT_EQ(amount_of("o5", "12.505", "USD"),
            "`12.505` is no amount of USD: USD has 2 places at most; write it like 12.50");
  // The index that answers `by-status` has the amount with its currency.
  const auto open = shop_.ByStatus("OPEN");
  ASSERT_TRUE(open);
  ASSERT_EQ(open->items.size(), 4U);
  for (const Item& entry : open->items) EXPECT_NE(Text(entry, "currency"), "(none)");
}

TEST_F(ShopTest, AStatusThatIsUnknownIsAnErrorThatListsTheKnownOnes) {
  const auto page = shop_.ByStatus("LOST");
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().message, "there is no status LOST: orders are OPEN, SHIPPED, DELIVERED");
  const model::Entity* order = world_.model().values().FindEntity("Order");
  ASSERT_TRUE(order != nullptr && order->machine);
  Texts states;
  for (const auto& state : order->machine->states) states.push_back(state.name);
  EXPECT_EQ(states, Texts(kStatuses.begin(), kStatuses.end()));
}

TEST_F(ShopTest, NoTwoOrdersHaveATrackingNumber) {
  Place("alice", "o1");
  Place("bob", "o2");
  ASSERT_TRUE(shop_.Ship("o1", "T1"));
  const auto again = shop_.Ship("o2", "T1");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().kind, EntityErrorKind::kNotUnique);
  EXPECT_EQ(again.error().message, "order o1 of alice has the tracking number T1 already");
  EXPECT_EQ(Text(shop_.ById("o2")->front(), "status"), "OPEN");
  // A parcel that is lost frees its number, and one that is delivered does not.
  ASSERT_TRUE(shop_.Lose("o1"));
  ASSERT_TRUE(shop_.Ship("o2", "T1"));
  ASSERT_TRUE(shop_.Deliver("o2"));
  EXPECT_EQ(shop_.Ship("o1", "T1").error().kind, EntityErrorKind::kNotUnique);
  EXPECT_EQ(world_.Audit(), "");
}

// The index may lag behind; the item that holds the number does not.
TEST_F(ShopTest, TheNumberIsHeldByAnItemOfTheSameTransaction) {
  Place("alice", "o1");
  Place("bob", "o2");
  ASSERT_TRUE(shop_.Ship("o1", "T1"));
  const Item order = shop_.ById("o1")->front();
  // As if the index had not heard of it yet.
  const auto hidden = world_.endpoint().UpdateItem(
      {.table_name = "AppTable",
       .key = Item{{"PK", Text(order, "PK")}, {"SK", Text(order, "SK")}},
       .update_expression = "REMOVE GSI3PK"});
  ASSERT_TRUE(hidden) << hidden.error().message();
  ASSERT_TRUE(shop_.ByTracking("T1")->empty());
  const auto again = shop_.Ship("o2", "T1");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().message, "order o1 has the tracking number T1 already");
  EXPECT_EQ(Text(shop_.ById("o2")->front(), "status"), "OPEN");
  EXPECT_EQ(CountEntries("GSI3"), 0);
}

TEST_F(ShopTest, OfManyWhoShipUnderOneNumberOneDoes) {
  constexpr int kOrders = 8;
  for (int i = 0; i < kOrders; ++i) Place("alice", "o" + std::to_string(i));
  std::atomic<int> shipped = 0;
  std::atomic<int> refused = 0;
  std::latch start(kOrders);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kOrders; ++i) {
      threads.emplace_back([&, i] {
        const auto entities = world_.MoreEntities();
        start.arrive_and_wait();
        const auto done = Shop(*entities).Ship("o" + std::to_string(i), "T1");
        ++(done ? shipped : refused);
        if (done) return;
        EXPECT_EQ(done.error().kind, EntityErrorKind::kNotUnique) << done.error().message;
      });
    }
  }
  EXPECT_EQ(shipped, 1);
  EXPECT_EQ(refused, kOrders - 1);
  EXPECT_EQ(CountEntries("GSI3"), 1);
}

// Items as other programs write them: with the keys and little else.
Item RawOrder(const char* customer, const char* id, const char* number) {
  Item order{{"PK", std::string("CUSTOMER#") + customer},
             {"SK", std::string("ORDER#") + id},
             {"GSI1PK", std::string("ORDER#") + id},
             {"GSI1SK", std::string("ORDER#") + id}};
  if (*number == '\0') return order;
  order.Set("trackingNumber", number);
  order.Set("GSI3SK", number);
  return order;
}

TEST_F(ShopTest, TwoOrdersThatClaimATrackingNumberAreBothShown) {
  Place("alice", "o1");
  const auto shipped = shop_.Ship("o1", "T1");
  ASSERT_TRUE(shipped);
  Item other = RawOrder("bob", "o2", "T1");
  other.Set("GSI3PK", Text(*shipped, "GSI3PK"));
  PutRaw(other);
  const auto found = shop_.ByTracking("T1");
  ASSERT_TRUE(found) << found.error().message;
  Texts owners = TextsOf(*found, "PK");
  std::ranges::sort(owners);
  EXPECT_EQ(owners, (Texts{"CUSTOMER#alice", "CUSTOMER#bob"}));
}

TEST_F(ShopTest, ANumberThatOthersGaveAnOrderIsTaken) {
  Place("alice", "o1");
  Place("carol", "o3");
  ASSERT_TRUE(shop_.Ship("o1", "T1"));
  Item other = RawOrder("bob", "o2", "T1");
  other.Set("GSI3PK", Text(shop_.ById("o1")->front(), "GSI3PK"));
  PutRaw(other);
  ASSERT_TRUE(shop_.Lose("o1"));
  EXPECT_EQ(shop_.Ship("o3", "T1").error().message,
            "order o2 of bob has the tracking number T1 already");
}

// As an earlier program would have shipped it, without an item for the number.
TEST_F(ShopTest, AParcelOfAnOrderThatOthersShippedIsLostToo) {
  Place("alice", "o1");
  ASSERT_TRUE(world_.entities().Move("Order", Item{{"username", "alice"}, {"orderId", "o1"}},
                                     "ship", {.set = {{"trackingNumber", "T1"}}}));
  Place("bob", "o2");
  EXPECT_EQ(shop_.Ship("o2", "T1").error().kind, EntityErrorKind::kNotUnique);
  ASSERT_TRUE(shop_.Lose("o1"));
  ASSERT_TRUE(shop_.Ship("o2", "T1"));
  // The number of another order's parcel stays with it.
  Place("carol", "o3");
  ASSERT_TRUE(world_.entities().Move("Order", Item{{"username", "carol"}, {"orderId", "o3"}},
                                     "ship", {.set = {{"trackingNumber", "T1"}}}));
  ASSERT_TRUE(shop_.Lose("o3"));
  EXPECT_EQ(shop_.Ship("o3", "T1").error().message,
            "order o2 of bob has the tracking number T1 already");
  EXPECT_EQ(world_.Audit(), "");
}

TEST_F(ShopTest, TwoOrdersThatClaimAnIdAreBothShownAndNeitherIsChanged) {
  Place("alice", "o1");
  PutRaw(RawOrder("bob", "o1", ""));
  const auto found = shop_.ById("o1");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->size(), 2U);
  for (const auto& done : {shop_.Ship("o1", "T1"), shop_.Deliver("o1"), shop_.Cancel("o1")}) {
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().message,
              "alice and bob both have an order o1: one of them must go first");
  }
}

TEST_F(ShopTest, WhatCannotStandInAKeyIsRefusedInPlainWords) {
  Register("alice");
  const std::string too_long(61, 'x');
  for (const std::string& id : {std::string(), std::string("a#b"), too_long, std::string("a\nb"),
                                std::string("\xff"), std::string(" a"), std::string("a ")}) {
    const auto placed = shop_.Place({.customer = "alice", .order_id = id});
    ASSERT_FALSE(placed) << id;
    EXPECT_EQ(placed.error().kind, EntityErrorKind::kInvalid) << placed.error().message;
    EXPECT_EQ(Explained(placed.error()).find("Exception"), std::string::npos);
    EXPECT_FALSE(shop_.ById(id)) << id;
  }
  // The same letter, written in two ways, is one id.
  Place("alice", "caf\u00e9");
  EXPECT_EQ(shop_.Place({.customer = "alice", .order_id = "cafe\u0301"}).error().kind,
            EntityErrorKind::kExists);
}

TEST_F(ShopTest, TheLengthsAreTheModels) {
  const auto longest = [&](const char* entity, const char* attribute) {
    const auto* found = world_.model().values().FindEntity(entity)->FindAttribute(attribute);
    return static_cast<std::size_t>(found->bytes.max);
  };
  EXPECT_EQ(longest("Customer", "username"), kNameBytesMax);
  EXPECT_EQ(longest("Customer", "email"), kEmailBytesMax);
  EXPECT_EQ(longest("Order", "orderId"), kOrderIdBytesMax);
  EXPECT_EQ(longest("Order", "trackingNumber"), kTrackingBytesMax);
}

// What each command consumes, and what the model says of the patterns that it runs.
TEST_F(ShopTest, WhatIsConsumedIsWhatTheModelSays) {
  const Design design = CheckDesign(world_.model());
  const auto sum = [&](std::initializer_list<std::string_view> patterns) {
    UsedUnits units;
    for (const std::string_view pattern : patterns) {
      const auto proof = std::ranges::find(design.patterns, pattern, &PatternProof::pattern);
      EXPECT_NE(proof, design.patterns.end()) << pattern;
      units.read += proof->read_units;
      units.write += proof->write_units;
    }
    return units;
  };
  const auto expect = [&](const auto& work, const UsedUnits& expected) {
    const UsedUnits before = world_.entities().used();
    const auto done = work();
    EXPECT_TRUE(done) << done.error().message;
    EXPECT_DOUBLE_EQ(world_.entities().used().read - before.read, expected.read);
    EXPECT_DOUBLE_EQ(world_.entities().used().write - before.write, expected.write);
  };
  expect([&] { return shop_.Register({.username = "alice", .email = "alice@example.com"}); },
         sum({"register"}));
  expect([&] { return shop_.Place({.customer = "alice", .order_id = "o1"}); },
         sum({"customer", "place"}));
  const auto ship = sum({"order_by_id", "number_is_free", "order", "ship", "order"});
  expect([&] { return shop_.Ship("o1", "T1"); }, ship);
  const auto lose = sum({"order_by_id", "order", "parcel", "order", "lose", "order"});
  expect([&] { return shop_.Lose("o1"); }, lose);
  expect([&] { return shop_.Ship("o1", "T1"); }, ship);
  expect([&] { return shop_.Deliver("o1"); }, sum({"order_by_id", "order", "deliver"}));
}

// A table that somebody else made, without the indexes.
TEST_F(ShopTest, NobodySeesTheNameOfAnException) {
  ASSERT_TRUE(world_.endpoint().DeleteTable({.table_name = "AppTable"}));
  const auto found = shop_.ById("o1");
  ASSERT_FALSE(found);
  EXPECT_EQ(Explained(found.error()),
            "the table is not there, or lacks an index of this program's model");
  EntityError refused{
      .kind = EntityErrorKind::kStore,
      .message = "TransactionCanceledException: [None, ValidationError]",
      .item = {},
      .cause = Error::TransactionCanceled(
          {{}, {.code = "ValidationError", .message = "it is too large", .item = {}}})};
  EXPECT_EQ(Explained(refused), "the database refused it: it is too large");
}

// Eight threads of eight processes' worth of entities fight for a few orders.
TEST_F(ShopTest, UnderStressEveryMoveIsMadeOnceAndEveryIndexStaysRight) {
  constexpr int kOrders = 12;
  std::atomic<int> placed = 0;
  std::atomic<int> cancelled = 0;
  std::atomic<int> shipped = 0;
  std::atomic<int> lost = 0;
  std::atomic<int> delivered = 0;
  std::atomic<int> failures = 0;
  const auto end = std::chrono::steady_clock::now() + StressTime();
  const auto count = [&](const EntityResult<Item>& done, std::atomic<int>& counter) {
    if (done) {
      ++counter;
    } else if (done.error().kind == EntityErrorKind::kStore ||
               done.error().kind == EntityErrorKind::kInvalid) {
      ++failures;
      ADD_FAILURE() << done.error().message;
    }
  };
  for (int number = 0; number < 8; ++number) Register("c" + std::to_string(number));
  {
    std::vector<std::jthread> threads;
    for (int number = 0; number < 8; ++number) {
      threads.emplace_back([&, number] {
        const auto entities = world_.MoreEntities();
        Shop shop(*entities);
        for (int i = number; std::chrono::steady_clock::now() < end && failures == 0; ++i) {
          const std::string id = "o" + std::to_string(i % kOrders);
          const std::string customer = "c" + std::to_string(number);
          switch (i * 7 % 11 % 5) {
            case 0:
              count(shop.Place({.customer = customer, .order_id = id}), placed);
              break;
            case 1:
              count(shop.Ship(id, "T" + std::to_string(i)), shipped);
              break;
            case 2:
              count(shop.Lose(id), lost);
              break;
            case 3:
              count(shop.Cancel(id), cancelled);
              break;
            default:
              if (i % 997 == 0) count(shop.Deliver(id), delivered);
          }
        }
      });
    }
  }
  const auto statuses = [&](const char* status) {
    return static_cast<int>(Ask("orders_by_status", {{"status", status}}, "orderId").size());
  };
  EXPECT_EQ(statuses("OPEN") + statuses("SHIPPED") + statuses("DELIVERED"), placed - cancelled);
  EXPECT_EQ(statuses("SHIPPED"), shipped - lost - delivered);
  EXPECT_EQ(statuses("DELIVERED"), delivered);
  EXPECT_EQ(CountEntries("GSI3"), shipped - lost);
  // Every number in use, and no other, has its parcel.
  const auto parcels =
      world_.endpoint().Scan({.table_name = "AppTable",
                              .filter_expression = "begins_with(PK, :parcel)",
                              .expression_attribute_values = ValueMap{{":parcel", "PARCEL#"}}});
  ASSERT_TRUE(parcels) << parcels.error().message();
  EXPECT_EQ(parcels->count, shipped - lost);
  EXPECT_GT(shipped, 0);
  EXPECT_GT(lost, 0);
  EXPECT_GT(cancelled, 0);
  RecordProperty("moves", placed + shipped + lost + delivered + cancelled);
  EXPECT_EQ(world_.Audit(), "");
}

}  // namespace shop_test
}  // namespace stator::systems::orders
