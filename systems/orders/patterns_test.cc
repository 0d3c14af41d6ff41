#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "systems/orders/example.h"
#include "tests/systems/orders_fixture.h"

namespace stator::systems::orders {
namespace patterns_test {

using testing::AsWritten;
using testing::Text;
using Texts = std::vector<std::string>;
using Pattern = testing::OrdersWorld;

TEST_F(Pattern, AllRunAndMayBeRepeated) {
  std::ostringstream out;
  for (int round = 0; round < 2; ++round) {
    Narrator narrator(world_.entities(), testing::BuiltIn(), out);
    for (const Example& example : Patterns()) {
      const auto ran = RunExample(example, narrator);
      ASSERT_TRUE(ran) << example.name << ": " << ran.error().message;
    }
  }
  EXPECT_EQ(Patterns().size(), 4U);
  EXPECT_EQ(world_.Audit(), "");
}

TEST_F(Pattern, S2_17_TheTwentyNewestOrdersComeWithoutAnyCustomer) {
  for (int i = 0; i < 30; ++i) {
    const std::string number = std::to_string(10 + i);
    Create("Customer", Item{{"username", "c" + number},
                            {"email", number + "@example.com"},
                            {"createdAt", "2026-03-01T00:00:" + number + "Z"}});
    Place("c" + number, "o" + number, "2026-02-20T00:00:" + number + "Z");
  }
  const auto page = world_.entities().Query("recent_orders");
  ASSERT_TRUE(page);
  ASSERT_EQ(page->items.size(), 20U);
  EXPECT_EQ(Text(page->items.front(), "orderId"), "o39");
  EXPECT_EQ(Text(page->items.back(), "orderId"), "o20");
  EXPECT_TRUE(AsWritten().contains("HP02 by_type.GSI1"));
}

TEST_F(Pattern, S2_18_AMonthHoldsItsLastDay) {
  Place("alice", "first", "2024-01-01T00:00:00Z");
  Place("alice", "last", "2024-01-31T23:59:59Z");
  Place("alice", "next", "2024-02-01T00:00:00Z");
  Create("Customer", Item{{"username", "dora"},
                          {"email", "dora@example.com"},
                          {"createdAt", "2024-01-15T10:30:00Z"}});
  EXPECT_EQ(Ask("items_between", {{"from", "2024-01-01T00:00:00Z"}, {"to", "2024-02-01T00:00:00Z"}},
                "GSI5SK"),
            (Texts{"2024-01-01T00:00:00Z#ORDER#first", "2024-01-15T10:30:00Z#CUSTOMER#dora",
                   "2024-01-31T23:59:59Z#ORDER#last"}));
}

TEST_F(Pattern, S2_18_TheGuidesBetweenDropsTheThirtyFirst) {
  const Item order = Place("alice", "last", "2024-01-31T18:30:00Z");
  EXPECT_TRUE(RawQuery("GSI5", "GSI5PK = :pk AND GSI5SK BETWEEN :a AND :b",
                       {{":pk", Text(order, "GSI5PK")}, {":a", "2024-01-01"}, {":b", "2024-01-31"}})
                  .empty());
  EXPECT_TRUE(AsWritten().contains("KY08 in_january"));
  EXPECT_TRUE(AsWritten().contains("HP02 by_time.GSI1"));
}

TEST_F(Pattern, S2_19_ItemsAreSpreadOverShardsAndMergedInTimeOrder) {
  std::set<std::string> partitions;
  for (int i = 0; i < 30; ++i) {
    const std::string number = std::to_string(10 + i);
    partitions.insert(
        Text(Place("c" + number, "o" + number, "2024-01-02T03:04:" + number + "Z"), "GSI5PK"));
  }
  EXPECT_EQ(partitions, (std::set<std::string>{"TIME#0", "TIME#1", "TIME#2", "TIME#3"}));
  const PatternParameters january = {{"from", "2024-01-01T00:00:00Z"},
                                     {"to", "2024-02-01T00:00:00Z"}};
  Texts seen;
  PageOptions options{.limit = 7, .cursor = {}, .descending = {}};
  do {
    const auto page = world_.entities().Query("items_between", january, options);
    ASSERT_TRUE(page) << page.error().message;
    for (const std::string& id : TextsOf(page->items, "orderId")) seen.push_back(id);
    options.cursor = page->cursor;
  } while (!options.cursor.empty());
  ASSERT_EQ(seen.size(), 30U);
  EXPECT_TRUE(std::ranges::is_sorted(seen));
}

TEST_F(Pattern, S2_20_OpenOrdersComeTheMostUrgentFirst) {
  Place("alice", "o1", {}, Priority::kLow);
  Place("alice", "o2", {}, Priority::kHighest);
  Place("alice", "o3", {}, Priority::kMedium);
  Place("alice", "o4", {}, Priority::kHigh);
  EXPECT_EQ(Ask("orders_by_priority", {{"status", "OPEN"}}, "orderId"),
            (Texts{"o2", "o4", "o3", "o1"}));
  EXPECT_EQ(Ask("urgent_orders", {{"status", "OPEN"}, {"priority", 2}}, "orderId"), Texts{"o4"});
}

TEST_F(Pattern, S2_20_ThePriorityAsTextAndAnOpenPrefixAreFound) {
  EXPECT_TRUE(AsWritten().contains("KY07 open_by_priority"));
  EXPECT_TRUE(AsWritten().contains("KY06 high_priority"));
}

TEST_F(Pattern, S2_21_ATenantSeesItsOwnOrdersOfAllItsCustomers) {
  for (const char* tenant : {"a", "b"}) {
    for (const char* customer : {"c1", "c2"}) {
      Create("TenantOrder", Item{{"tenantId", tenant},
                                 {"customerId", customer},
                                 {"orderId", std::string("o") + customer},
                                 {"amount", 1}});
    }
  }
  const Item closed{{"tenantId", "a"}, {"customerId", "c1"}, {"orderId", "oc1"}};
  ASSERT_TRUE(world_.entities().Move("TenantOrder", closed, "close"));
  const auto ask = [&](const char* tenant, const char* status) {
    return Ask("tenant_orders", {{"tenant", tenant}, {"status", status}}, "PK");
  };
  EXPECT_EQ(ask("a", "CLOSED"), Texts{"TENANT#a#CUSTOMER#c1"});
  EXPECT_EQ(ask("a", "OPEN"), Texts{"TENANT#a#CUSTOMER#c2"});
  EXPECT_EQ(ask("b", "OPEN"), (Texts{"TENANT#b#CUSTOMER#c1", "TENANT#b#CUSTOMER#c2"}));
  EXPECT_TRUE(AsWritten().contains("KY10 TenantOrder"));
}

}  // namespace patterns_test
}  // namespace stator::systems::orders
