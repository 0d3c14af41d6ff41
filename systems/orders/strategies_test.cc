#include <gtest/gtest.h>

#include <sstream>

#include "systems/orders/example.h"
#include "tests/systems/orders_fixture.h"

namespace stator::systems::orders {
namespace strategies_test {

using testing::AsWritten;
using testing::Text;
using Texts = std::vector<std::string>;
using Strategy = testing::OrdersWorld;

TEST_F(Strategy, AllRunAndMayBeRepeated) {
  std::ostringstream out;
  for (int round = 0; round < 2; ++round) {
    Narrator narrator(world_.entities(), testing::BuiltIn(), out);
    for (const Example& example : Strategies()) {
      const auto ran = RunExample(example, narrator);
      ASSERT_TRUE(ran) << example.name << ": " << ran.error().message;
    }
  }
  EXPECT_EQ(out.str().find("?!"), std::string::npos) << out.str();
  EXPECT_EQ(Strategies().size(), 5U);
  EXPECT_EQ(world_.Audit(), "");
}

TEST_F(Strategy, S2_2_AStrongReadOfAGlobalIndexIsRefused) {
  const auto page =
      world_.endpoint().Query({.table_name = "AppTable",
                               .index_name = "GSI1",
                               .consistent_read = true,
                               .key_condition_expression = "GSI1PK = :pk",
                               .expression_attribute_values = ValueMap{{":pk", "ORDER#1"}}});
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().name(), "ValidationException");
  EXPECT_NE(page.error().message().find("onsistent read"), std::string::npos)
      << page.error().message();
}

TEST_F(Strategy, S2_5_AnOrderIsFoundByItsIdWhoseKeysAreBothTheId) {
  const Item order = Place("alice", "550e8400");
  EXPECT_EQ(Text(order, "GSI1PK"), "ORDER#550e8400");
  EXPECT_EQ(Text(order, "GSI1SK"), "ORDER#550e8400");
  const auto found = shop_.EntriesOf("550e8400");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ(Text(found->front(), "username"), "alice");
}

TEST_F(Strategy, S2_6_OrdersOfAStatusComeNewestFirstFromAllShards) {
  for (int i = 0; i < 9; ++i) {
    const std::string digit = std::to_string(i);
    Place("alice", "o" + digit, "2026-02-2" + digit + "T12:00:00Z");
  }
  ASSERT_TRUE(shop_.Ship("o4", "T4"));
  EXPECT_EQ(Ask("orders_by_status", {{"status", "OPEN"}}, "orderId"),
            (Texts{"o8", "o7", "o6", "o5", "o3", "o2", "o1", "o0"}));
  EXPECT_EQ(Ask("orders_by_status", {{"status", "SHIPPED"}}, "orderId"), Texts{"o4"});
}

TEST_F(Strategy, S2_6_OrdersOfOneSecondHaveAnOrderAndTheStatusHasManyPartitions) {
  std::set<std::string> partitions;
  for (int i = 0; i < 40; ++i) {
    const Item order = Place("alice", "o" + std::to_string(10 + i), "2026-02-20T12:00:00Z");
    partitions.insert(Text(order, "GSI2PK"));
  }
  EXPECT_GT(partitions.size(), 8U);
  const auto orders = Ask("orders_by_status", {{"status", "OPEN"}}, "orderId");
  ASSERT_EQ(orders.size(), 40U);
  EXPECT_TRUE(std::ranges::is_sorted(orders, std::greater()));
  EXPECT_TRUE(AsWritten().contains("HP02 app.GSI2"));
}

TEST_F(Strategy, S2_7_UsersAndRepositoriesAreFoundFromEachOther) {
  for (const auto& [user, repo] :
       {std::pair("alice", "engine"), std::pair("alice", "docs"), std::pair("bob", "engine")}) {
    Create("Access", Item{{"username", user}, {"owner", "acme"}, {"repo", repo}});
  }
  EXPECT_EQ(Ask("repos_of_user", {{"user", "alice"}}, "repo"), (Texts{"docs", "engine"}));
  EXPECT_EQ(Ask("users_of_repo", {{"owner", "acme"}, {"repo", "engine"}}, "username"),
            (Texts{"alice", "bob"}));
}

TEST_F(Strategy, S2_8_OnlyOrdersWithATrackingNumberAreInTheIndex) {
  for (int i = 0; i < 6; ++i) Place("alice", "o" + std::to_string(i));
  EXPECT_EQ(CountEntries("GSI3"), 0);
  ASSERT_TRUE(shop_.Ship("o1", "T1"));
  ASSERT_TRUE(shop_.Ship("o2", "T2"));
  EXPECT_EQ(CountEntries("GSI3"), 2);
  EXPECT_EQ(Ask("tracked_orders", {}, "orderId"), (Texts{"o1", "o2"}));
  ASSERT_TRUE(shop_.Lose("o1"));
  EXPECT_EQ(CountEntries("GSI3"), 1);
  ASSERT_TRUE(shop_.Deliver("o2"));
  EXPECT_EQ(CountEntries("GSI3"), 1);
}

TEST_F(Strategy, S2_8_TrackingNumbersAreSpreadOverShardsAndFoundInOne) {
  std::set<std::string> partitions;
  for (int i = 0; i < 20; ++i) {
    const std::string id = "o" + std::to_string(i);
    Place("alice", id);
    partitions.insert(Text(*shop_.Ship(id, "T" + id), "GSI3PK"));
  }
  EXPECT_EQ(partitions.size(), 4U);
  const std::uint64_t before = world_.entities().used().requests;
  const auto found = shop_.ByTracking("To7");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ(Text(found->front(), "orderId"), "o7");
  EXPECT_EQ(world_.entities().used().requests - before, 2U);  // one shard, one item
  EXPECT_TRUE(AsWritten().contains("HP02 tracking.GSI1"));
}

TEST_F(Strategy, S2_9_EachQueryOfTheOverloadedIndexGivesItsOwnEntity) {
  Create("User", Item{{"username", "alice"}, {"email", "alice@example.com"}});
  Register("alice");
  Create("OrgMember", Item{{"username", "alice"}, {"orgName", "acme"}});
  Create("OrgMember", Item{{"username", "bob"}, {"orgName", "acme"}});
  Place("alice", "acme");
  EXPECT_EQ(Ask("user_by_email", {{"email", "alice@example.com"}}, "PK"), Texts{"USER#alice"});
  EXPECT_EQ(Ask("customer_by_email", {{"email", "alice@example.com"}}, "PK"),
            Texts{"CUSTOMER#alice"});
  EXPECT_EQ(Ask("members_of_org", {{"org", "acme"}}, "username"), (Texts{"alice", "bob"}));
  EXPECT_EQ(Ask("orgs_of_user", {{"user", "bob"}}, "orgName"), Texts{"acme"});
}

TEST_F(Strategy, S2_10_AnOrderCalledOpenIsNotTakenForTheOpenOrders) {
  Place("alice", "OPEN");
  Place("alice", "o1");
  ASSERT_TRUE(shop_.Ship("OPEN", "T1"));
  EXPECT_EQ(Ask("orders_by_status", {{"status", "OPEN"}}, "orderId"), Texts{"o1"});
  EXPECT_EQ(Ask("order_by_id", {{"id", "OPEN"}}, "status"), Texts{"SHIPPED"});
  EXPECT_EQ(Ask("order_by_id", {{"id", "SHIPPED"}}, "status"), Texts{});
}

TEST_F(Strategy, S2_10_TheGuidesKeysCollideAndTheCheckerSaysSo) {
  EXPECT_TRUE(std::ranges::any_of(
      AsWritten(), [](const std::string& finding) { return finding.starts_with("KY05 "); }));
}

TEST_F(Strategy, S2_11_ATableTakesTwentyGlobalIndexesAndNoMore) {
  const auto create = [&](int count) {
    std::vector<AttributeDefinition> attributes = {
        {.attribute_name = "PK", .attribute_type = ScalarType::kS}};
    std::vector<GlobalSecondaryIndex> indexes;
    for (int i = 1; i <= count; ++i) {
      const std::string name = "GSI" + std::to_string(i);
      attributes.push_back({.attribute_name = name + "PK", .attribute_type = ScalarType::kS});
      GlobalSecondaryIndex index;
      index.index_name = name;
      index.key_schema = {{{.attribute_name = name + "PK", .key_type = KeyType::kHash}}};
      index.projection = IndexProjection{.projection_type = ProjectionType::kKeysOnly};
      indexes.push_back(std::move(index));
    }
    CreateTableRequest request;
    request.table_name = "With" + std::to_string(count);
    request.attribute_definitions = attributes;
    request.key_schema = {{{.attribute_name = "PK", .key_type = KeyType::kHash}}};
    request.billing_mode = BillingMode::kPayPerRequest;
    request.global_secondary_indexes = indexes;
    return world_.endpoint().CreateTable(request).has_value();
  };
  EXPECT_TRUE(create(20));
  EXPECT_FALSE(create(21));
}

TEST_F(Strategy, S2_16_KeysFirstThenTheItemsAndNothingWhereThereIsNone) {
  EXPECT_TRUE(shop_.ById("nobody")->empty());
  EXPECT_TRUE(shop_.ByTracking("T9")->empty());
  Place("alice", "o1");
  ASSERT_TRUE(shop_.Ship("o1", "T1"));
  const auto entry =
      RawQuery("GSI3", "GSI3PK = :pk", {{":pk", Text(shop_.ById("o1")->front(), "GSI3PK")}});
  ASSERT_EQ(entry.size(), 1U);
  EXPECT_EQ(entry.front().size(), 4U);  // the keys of the table and of the index
  EXPECT_EQ(Text(shop_.ByTracking("T1")->front(), "amount"), "100");
}

TEST_F(Strategy, S2_16_AnItemThatIsGoneWhenItIsFetchedIsLeftOut) {
  std::vector<Item> keys;
  for (const char* id : {"o1", "o2", "o3"}) keys.push_back(Place("alice", id));
  ASSERT_TRUE(shop_.Cancel("o2"));
  const auto items = world_.entities().GetMany("Order", keys);
  ASSERT_TRUE(items) << items.error().message;
  EXPECT_EQ(TextsOf(*items, "orderId"), (Texts{"o1", "o3"}));
}

TEST_F(Strategy, S2_16_ManyHitsAreOneQueryAndOneBatch) {
  for (int i = 0; i < 10; ++i) {
    const std::string id = "o" + std::to_string(i);
    Place("alice", id);
    ASSERT_TRUE(shop_.Ship(id, "T" + id));
  }
  const UsedUnits before = world_.entities().used();
  const auto page = world_.entities().Query("tracked_orders");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->items.size(), 10U);
  const UsedUnits after = world_.entities().used();
  EXPECT_EQ(after.requests - before.requests, 5U);  // four shards, one BatchGetItem
  EXPECT_DOUBLE_EQ(after.read - before.read, 7.0);  // … of ten items at half a unit each
}

TEST_F(Strategy, S2_30_AWriteTouchesOnlyTheIndexesThatItChanges) {
  const Item order = Place("alice", "o1");
  double before = WriteUnits();
  ASSERT_TRUE(world_.entities().Update("Order", order, {.set = {{"note", "ring twice"}}}));
  EXPECT_DOUBLE_EQ(WriteUnits() - before, 1);  // no index copies the note
  before = WriteUnits();
  ASSERT_TRUE(shop_.Ship("o1", "T1"));
  // The order and its number's item, doubled by their transaction; GSI1 copies the status; GSI2 and
  // GSI6 move, two writes each; GSI3 gains an entry.
  EXPECT_DOUBLE_EQ(WriteUnits() - before, 2 * 2 + 1 + 2 + 1 + 2);
  EXPECT_TRUE(std::ranges::any_of(
      AsWritten(), [](const std::string& finding) { return finding.starts_with("CO07 "); }));
}

}  // namespace strategies_test
}  // namespace stator::systems::orders
