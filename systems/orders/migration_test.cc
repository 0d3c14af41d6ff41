#include "systems/orders/migration.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <filesystem>

#include "systems/orders/traffic.h"
#include "tests/systems/orders_fixture.h"

namespace stator::systems::orders {
namespace migration_test {

using testing::AsWritten;
using testing::Text;

class Migration : public ::testing::Test {
 protected:
  static constexpr const char* kTable = "ShopTable";

  Entities EntitiesOf(Stage stage) { return Entities(world_.endpoint(), StageModel(stage)); }

  ApplyModelReport Apply(Stage stage, const ApplyModelOptions& options = {}) {
    const auto report = ApplyModel(world_.endpoint(), StageModel(stage), options);
    EXPECT_TRUE(report) << report.error().message();
    return report ? *report : ApplyModelReport{};
  }
  void Place(Stage stage, int from, int to) {
    Entities entities = EntitiesOf(stage);
    for (int i = from; i < to; ++i) ASSERT_TRUE(CarryOut(entities, {Task::Kind::kPlace, i}));
  }
  // The index alone: no key is filled by us.
  Result<UpdateTableResponse> AddIndexes(const std::vector<std::string>& names) {
    UpdateTableRequest request;
    request.table_name = kTable;
    request.attribute_definitions.emplace();
    request.global_secondary_index_updates.emplace();
    for (const std::string& name : names) {
      std::vector<KeySchemaElement> keys;
      for (const auto& [suffix, type] :
           {std::pair("PK", KeyType::kHash), std::pair("SK", KeyType::kRange)}) {
        keys.push_back({.attribute_name = name + suffix, .key_type = type});
        request.attribute_definitions->push_back(
            {.attribute_name = name + suffix, .attribute_type = ScalarType::kS});
      }
      GlobalSecondaryIndex index;
      index.index_name = name;
      index.key_schema = keys;
      index.projection = IndexProjection{.projection_type = ProjectionType::kAll};
      GlobalSecondaryIndexUpdate update;
      update.create = index;
      request.global_secondary_index_updates->push_back(update);
    }
    auto updated = world_.endpoint().UpdateTable(request);
    world_.database().WaitForBackgroundWork();
    return updated;
  }
  std::int64_t Count(const std::string& index = {}) {
    ScanRequest request{.table_name = kTable, .select = Select::kCount};
    if (!index.empty()) request.index_name = index;
    std::int64_t count = 0;
    do {
      const auto page = world_.endpoint().Scan(request);
      if (!page) return -1;
      count += page->count;
      request.exclusive_start_key = page->last_evaluated_key;
    } while (request.exclusive_start_key);
    return count;
  }
  std::int64_t CountOf(Stage stage, const char* status) {
    const auto count = EntitiesOf(stage).Count("by_status", {{"status", status}});
    EXPECT_TRUE(count) << count.error().message;
    return count.value_or(-1);
  }

  testing::SystemWorld world_{StageModelText(Stage::kBefore)};
};

TEST_F(Migration, S2_32_AnIndexFillsItselfWithItemsThatCarryItsKeys) {
  Place(Stage::kBefore, 0, 10);    // without the new keys
  Place(Stage::kWriters, 10, 25);  // with them
  ASSERT_TRUE(AddIndexes({"GSI3"}));
  EXPECT_EQ(Count("GSI3"), 15);
}

TEST_F(Migration, S2_32_OnlyWhenTheAttributesAreNewTheIndexIsEmpty) {
  Place(Stage::kBefore, 0, 10);
  ASSERT_TRUE(AddIndexes({"GSI3"}));
  EXPECT_EQ(Count("GSI3"), 0);
}

TEST_F(Migration, S2_33_BackfillBeforeTheWritersMissesWhatComesBetween) {
  Place(Stage::kBefore, 0, 10);
  EXPECT_TRUE(Apply(Stage::kWriters).complete);
  Place(Stage::kBefore, 10, 13);  // the code that knows nothing of the index
  Place(Stage::kWriters, 13, 20);
  EXPECT_EQ(Count("GSI3"), 17);
  EXPECT_EQ(Count(), 20);
  EXPECT_TRUE(std::ranges::any_of(
      AsWritten(), [](const std::string& finding) { return finding.starts_with("MG02 "); }));
}

TEST_F(Migration, S2_33_WritersFirstMissNothing) {
  Place(Stage::kBefore, 0, 10);
  Place(Stage::kWriters, 10, 13);
  EXPECT_TRUE(Apply(Stage::kWriters).complete);
  Place(Stage::kWriters, 13, 20);
  EXPECT_EQ(Count("GSI3"), 20);
}

TEST_F(Migration, S2_34_TheGuidesBackfillBringsDeletedItemsBackAndOursDoesNot) {
  Place(Stage::kBefore, 0, 2);
  Entities entities = EntitiesOf(Stage::kWriters);
  const auto stale = entities.Get("Order", NumberedOrder(1));
  ASSERT_TRUE(stale && *stale);
  ASSERT_TRUE(CarryOut(entities, {Task::Kind::kCancel, 1}));
  UpdateItemRequest fill{.table_name = kTable,
                         .key = Item{{"PK", Text(**stale, "PK")}, {"SK", Text(**stale, "SK")}},
                         .update_expression = "SET GSI3PK = :k",
                         .expression_attribute_values = ValueMap{{":k", "STATUS#OPEN#0"}}};
  ASSERT_TRUE(world_.endpoint().UpdateItem(fill));
  EXPECT_EQ(Count(), 2);  // a stump with keys only
  ASSERT_TRUE(world_.endpoint().DeleteItem({.table_name = kTable, .key = fill.key}));
  fill.condition_expression = "attribute_exists(PK)";
  EXPECT_FALSE(world_.endpoint().UpdateItem(fill));
  EXPECT_EQ(Count(), 1);
  EXPECT_TRUE(std::ranges::any_of(
      AsWritten(), [](const std::string& finding) { return finding.starts_with("MG03 "); }));
}

TEST_F(Migration, S2_34_TheBackfillShowsItsProgressAndMayBeRepeated) {
  Place(Stage::kBefore, 0, 300);
  std::vector<LiveProgress> seen;
  ApplyModelOptions options;
  options.progress = [&](const LiveProgress& progress) { seen.push_back(progress); };
  EXPECT_TRUE(Apply(Stage::kWriters, options).complete);
  ASSERT_FALSE(seen.empty());
  EXPECT_TRUE(std::ranges::any_of(seen, [](const LiveProgress& progress) {
    return progress.what == "filling GSI3" && progress.read > 0;
  }));
  options.backfill = true;
  const ApplyModelReport again = Apply(Stage::kWriters, options);
  for (const std::string& line : again.lines) {
    const bool is_right = !line.starts_with("fill") || line.find(" 0 changed") != line.npos;
    EXPECT_TRUE(is_right) << line;
  }
}

TEST_F(Migration, S2_34_ABarTellsHowFarItIs) {
  EXPECT_EQ(ProgressText({.what = "filling GSI3", .read = 500, .changed = 12, .total = 1000}),
            "filling GSI3  [##########..........]  500 of 1000, 12 changed");
  EXPECT_EQ(ProgressText({.what = "filling GSI3", .read = 7, .changed = 0, .total = {}}),
            "filling GSI3  7 items");
}

TEST_F(Migration, S2_35_TheIndexIsComparedWithItsTable) {
  Place(Stage::kBefore, 0, 40);
  const ApplyModelReport report = Apply(Stage::kWriters);
  ASSERT_FALSE(report.lines.empty());
  EXPECT_NE(report.lines.back().find("40 items carry its keys, 40 entries in the index"),
            std::string::npos)
      << report.lines.back();
  const auto audit = AuditModel(world_.endpoint(), StageModel(Stage::kWriters));
  ASSERT_TRUE(audit);
  EXPECT_TRUE(audit->clean());
}

TEST_F(Migration, S2_36_ReadersThatDoNotLeaveFirstFail) {
  Place(Stage::kWriters, 0, 8);
  EXPECT_TRUE(Apply(Stage::kWriters).complete);
  EXPECT_TRUE(Apply(Stage::kAfter, {.prune = true}).complete);
  world_.database().WaitForBackgroundWork();
  EXPECT_FALSE(EntitiesOf(Stage::kWriters).Query("by_status", {{"status", "OPEN"}}));
  EXPECT_TRUE(EntitiesOf(Stage::kReaders).Query("by_status", {{"status", "OPEN"}}));
  EXPECT_TRUE(std::ranges::any_of(
      AsWritten(), [](const std::string& finding) { return finding.starts_with("MG05 "); }));
}

TEST_F(Migration, S2_37_TwoIndexesInOneUpdateAreRefusedAndPlannedOneByOne) {
  EXPECT_FALSE(AddIndexes({"GSI3", "GSI4"}));
  EXPECT_TRUE(std::ranges::any_of(
      AsWritten(), [](const std::string& finding) { return finding.starts_with("MG04 "); }));
  const auto two = Model::Parse(R"(
model: 1
tables:
  shop:
    name: ShopTable
    key: PK str, SK str
    indexes:
      GSI1: {pk: GSI1PK str, sk: GSI1SK str, project: keys}
      GSI2: {pk: GSI2PK str, sk: GSI2SK str, project: [orderId, amount]}
      GSI3: {pk: GSI3PK str, project: keys}
      GSI4: {pk: GSI4PK str, project: keys}
entities:
  Order: {table: shop, keys: {PK: "{a}", SK: "{b}", GSI3PK: "X#{a}", GSI4PK: "Y#{a}"}}
patterns: {}
)");
  ASSERT_TRUE(two) << two.error();
  const auto plan = ApplyModel(world_.endpoint(), *two, {.dry_run = true});
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->lines.size(), 6U);
  EXPECT_TRUE(plan->lines[0].starts_with("add index GSI3"));
  EXPECT_TRUE(plan->lines[3].starts_with("add index GSI4"));
}

// The play.

TrafficOptions SmallTraffic() {
  TrafficOptions traffic;
  traffic.writers = 4;
  traffic.orders = 400;
  traffic.new_orders = 100;
  return traffic;
}

void ExpectEndState(Endpoint& endpoint, const MigrationReport& report) {
  EXPECT_EQ(report.flaws, std::vector<std::string>{});
  Entities entities(endpoint, StageModel(Stage::kAfter));
  std::int64_t orders = 0;
  for (const char* status : {"OPEN", "SHIPPED", "DELIVERED"}) {
    const auto count = entities.Count("by_status", {{"status", status}});
    ASSERT_TRUE(count) << count.error().message;
    EXPECT_EQ(*count, OrdersLeft(status, SmallTraffic())) << status;
    orders += *count;
  }
  EXPECT_EQ(report.items, orders + 1);  // and the progress
  const auto table = endpoint.DescribeTable({.table_name = "ShopTable"});
  ASSERT_TRUE(table);
  std::set<std::string> indexes;
  for (const auto& index : table->table.global_secondary_indexes) indexes.insert(index.index_name);
  EXPECT_EQ(indexes, (std::set<std::string>{"GSI1", "GSI3"}));
}

class MigrationPlay : public ::testing::Test {
 protected:
  testing::SystemWorld world_{ModelText()};
};

TEST_F(MigrationPlay, S2_36_AnIndexIsReplacedUnderWritersAndReadersAndNothingIsLost) {
  const auto report = PlayMigration(world_.endpoint(), {.traffic = SmallTraffic()});
  ASSERT_TRUE(report) << report.error();
  EXPECT_GT(report->writes_while_filling, 0);
  EXPECT_GT(report->reads, 0);
  ExpectEndState(world_.endpoint(), *report);
}

TEST_F(MigrationPlay, S2_34_ARunThatWasCutShortIsTakenUp) {
  for (int steps = 1; steps < 5; ++steps) {
    const auto part = PlayMigration(world_.endpoint(), {.traffic = SmallTraffic(), .steps = steps});
    ASSERT_TRUE(part) << part.error();
    EXPECT_FALSE(part->complete);
    EXPECT_EQ(part->taken_up_at, steps - 1);
  }
  const auto report = PlayMigration(world_.endpoint(), {.traffic = SmallTraffic()});
  ASSERT_TRUE(report) << report.error();
  EXPECT_EQ(report->taken_up_at, 4);
  ExpectEndState(world_.endpoint(), *report);
}

TEST_F(MigrationPlay, TheSameWorkDoneTwiceChangesNothing) {
  for (int round = 0; round < 2; ++round) {
    const auto report = PlayMigration(world_.endpoint(), {.traffic = SmallTraffic()});
    ASSERT_TRUE(report) << report.error();
    ExpectEndState(world_.endpoint(), *report);
  }
}

TEST(MigrationTasks, EveryOrderBelongsToOneWriter) {
  const TrafficOptions traffic = SmallTraffic();
  std::set<int> seen;
  for (int writer = 0; writer < traffic.writers; ++writer) {
    std::set<int> own;
    for (const Task& task : TasksOf(writer, traffic)) own.insert(task.order);
    for (const int order : own) EXPECT_TRUE(seen.insert(order).second) << order;
  }
  EXPECT_EQ(std::ssize(seen), 300 + 100);  // every fourth stays as it is
}

}  // namespace migration_test
}  // namespace stator::systems::orders
