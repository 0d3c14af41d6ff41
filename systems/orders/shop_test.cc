#include "systems/orders/shop.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

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
  const Item order = Place("alice", "550e8400");
  EXPECT_EQ(Text(order, "PK"), "CUSTOMER#alice");
  EXPECT_EQ(Text(order, "SK"), "ORDER#550e8400");
  const auto customer = shop_.Register("alice", "Alice@Example.com");
  ASSERT_TRUE(customer) << customer.error().message;
  EXPECT_EQ(Text(*customer, "SK"), "CUSTOMER#alice");
  EXPECT_EQ(Text(*customer, "GSI1PK"), "EMAIL#alice@example.com");
}

TEST_F(ShopTest, S2_38_AnOrderGoesThroughTheShop) {
  ASSERT_TRUE(shop_.Register("alice", "alice@example.com"));
  Place("alice", "o1");
  EXPECT_EQ(shop_.Deliver("o1").error().kind, EntityErrorKind::kConflict);
  ASSERT_TRUE(shop_.Ship("o1", "T1"));
  EXPECT_EQ(shop_.Ship("o1", "T2").error().kind, EntityErrorKind::kConflict);
  EXPECT_EQ(shop_.Cancel("o1").error().kind, EntityErrorKind::kConflict);
  EXPECT_EQ(shop_.Ship("o9", "T9").error().kind, EntityErrorKind::kMissing);
  ASSERT_TRUE(shop_.Deliver("o1"));
  EXPECT_EQ(Text(**shop_.ById("o1"), "status"), "DELIVERED");
  EXPECT_TRUE(*shop_.Customer("alice"));
  EXPECT_FALSE(*shop_.Customer("bob"));
  EXPECT_EQ(world_.Audit(), "");
}

TEST_F(ShopTest, S2_39_OrdersOfACustomerComeWithoutTheCustomer) {
  ASSERT_TRUE(shop_.Register("alice", "alice@example.com"));
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
  EXPECT_EQ(shop_.Place({.customer = "bob", .order_id = "o1"}).error().kind,
            EntityErrorKind::kNotUnique);
  ASSERT_TRUE(shop_.Cancel("o1"));
  Place("bob", "o1");
  EXPECT_EQ(Text(**shop_.ById("o1"), "username"), "bob");
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
              count(shop.Place({.customer = customer, .order_id = id, .amount = i}), placed);
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
  EXPECT_GT(shipped, 0);
  EXPECT_GT(lost, 0);
  EXPECT_GT(cancelled, 0);
  RecordProperty("moves", placed + shipped + lost + delivered + cancelled);
  EXPECT_EQ(world_.Audit(), "");
}

}  // namespace shop_test
}  // namespace stator::systems::orders
