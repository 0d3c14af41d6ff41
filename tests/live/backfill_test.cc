#include "live/backfill.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "live/item_walk.h"
#include "model/parse/parse.h"
#include "stator/database.h"

namespace stator::live {
namespace backfill_test {

const char* const kModel = R"(
model: 1
tables:
  activities:
    name: Activities
    key: chat str, id str
    indexes:
      byActivity: {pk: chat str, sk: activityTime str, project: all}
entities:
  Activity:
    table: activities
    keys: {activityTime: "{activity}#{at:010d}"}
    attrs: {chat: str 5, id: str 8, activity: str 10 no=#, at: num epoch_s}
patterns: {}
)";

class BackfillTest : public ::testing::Test {
 protected:
  void SetUp() override {
    database_ = *Database::Open({});
    model_ = *model::ParseModel(kModel, "model.yaml");
    ASSERT_TRUE(database_->CreateTable(
        {.attribute_definitions = {{{.attribute_name = "chat", .attribute_type = ScalarType::kS},
                                    {.attribute_name = "id", .attribute_type = ScalarType::kS}}},
         .table_name = "Activities",
         .key_schema = {{{.attribute_name = "chat", .key_type = KeyType::kHash},
                         {.attribute_name = "id", .key_type = KeyType::kRange}}},
         .billing_mode = BillingMode::kPayPerRequest}));
  }

  void AddItems(int count) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(database_->PutItem({.table_name = "Activities",
                                      .item = Item{{"chat", "c" + std::to_string(i % 7)},
                                                   {"id", std::to_string(i)},
                                                   {"activity", "dishes"},
                                                   {"at", 1'700'000'000 + i},
                                                   {"extra", "stays"}}}));
    }
  }

  Result<BackfillResult> Run(const std::string& checkpoint = {},
                             const std::atomic<bool>* stop = nullptr) {
    return Backfill(*database_, model_, model_.tables.front(),
                    {.table_name = "Activities",
                     .index = &model_.tables.front().indexes.front(),
                     .segments = 3,
                     .checkpoint = checkpoint,
                     .stop = stop},
                    {});
  }

  std::int64_t CountFilled() {
    const auto page = database_->Scan({.table_name = "Activities",
                                       .select = Select::kCount,
                                       .filter_expression = "attribute_exists(activityTime)"});
    return page->count;
  }

  std::unique_ptr<Database> database_;
  model::Model model_;
};

TEST_F(BackfillTest, FillsEveryItemOnceAndKeepsTheRest) {
  AddItems(1000);
  const auto first = Run();
  ASSERT_TRUE(first) << first.error().message();
  EXPECT_EQ(first->read, 1000);
  EXPECT_EQ(first->changed, 1000);
  EXPECT_EQ(CountFilled(), 1000);
  const auto item =
      database_->GetItem({.table_name = "Activities", .key = Item{{"chat", "c0"}, {"id", "7"}}});
  EXPECT_EQ(item->item->Find("activityTime")->S(), "dishes#1700000007");
  EXPECT_EQ(item->item->Find("extra")->S(), "stays");
  const auto second = Run();
  EXPECT_EQ(second->changed, 0);
}

TEST_F(BackfillTest, DoesNotBringDeletedItemsBack) {
  AddItems(1);
  const Item stale{{"chat", "c9"}, {"id", "9"}, {"activity", "dishes"}, {"at", 1'700'000'000}};
  const auto mended = MendItem(*database_,
                               {.model = model_,
                                .table = model_.tables.front(),
                                .table_name = "Activities",
                                .index = nullptr,
                                .now = TimeMs{}},
                               stale.view());
  ASSERT_TRUE(mended);
  EXPECT_EQ(*mended, Mended::kGone);
  EXPECT_EQ(database_->Scan({.table_name = "Activities"})->count, 1);
}

TEST_F(BackfillTest, TakesTheValuesThatAWriterLeftMeanwhile) {
  AddItems(1);
  const Item seen{{"chat", "c0"}, {"id", "0"}, {"activity", "laundry"}, {"at", 1'700'000'000}};
  ASSERT_TRUE(MendItem(*database_,
                       {.model = model_,
                        .table = model_.tables.front(),
                        .table_name = "Activities",
                        .index = nullptr,
                        .now = TimeMs{}},
                       seen.view()));
  const auto item =
      database_->GetItem({.table_name = "Activities", .key = Item{{"chat", "c0"}, {"id", "0"}}});
  EXPECT_EQ(item->item->Find("activityTime")->S(), "dishes#1700000000");
}

TEST_F(BackfillTest, GoesOnWhereItWasStopped) {
  AddItems(3000);
  const std::string file = ::testing::TempDir() + "/backfill/checkpoint.json";
  RemoveCheckpoint(file);
  std::atomic<bool> stop = false;
  std::int64_t first_read = 0;
  const auto stopped = Backfill(*database_, model_, model_.tables.front(),
                                {.table_name = "Activities",
                                 .index = &model_.tables.front().indexes.front(),
                                 .segments = 1,
                                 .checkpoint = file,
                                 .stop = &stop},
                                [&](const LiveProgress& progress) {
                                  first_read = progress.read;
                                  if (progress.read >= 1000) stop = true;
                                });
  ASSERT_TRUE(stopped);
  EXPECT_TRUE(stopped->stopped);
  EXPECT_LT(stopped->read, 3000);
  ASSERT_TRUE(std::filesystem::exists(file));
  const auto resumed = Backfill(*database_, model_, model_.tables.front(),
                                {.table_name = "Activities",
                                 .index = &model_.tables.front().indexes.front(),
                                 .segments = 1,
                                 .checkpoint = file},
                                {});
  ASSERT_TRUE(resumed);
  EXPECT_EQ(resumed->resumed_at, first_read);
  EXPECT_EQ(resumed->read, 3000);
  EXPECT_EQ(CountFilled(), 3000);
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(BackfillTest, MissesNothingBesideWritersThatSetTheKeyThemselves) {
  AddItems(2000);
  std::jthread writer([&](const std::stop_token& done) {
    for (int i = 0; !done.stop_requested(); i = (i + 1) % 2000) {
      (void)database_->UpdateItem(
          {.table_name = "Activities",
           .key = Item{{"chat", "c" + std::to_string(i % 7)}, {"id", std::to_string(i)}},
           .update_expression = "SET activity = :a, activityTime = :t",
           .expression_attribute_values = ValueMap{
               {":a", "laundry"}, {":t", "laundry#" + std::to_string(1'700'000'000 + i)}}});
    }
  });
  const auto filled = Run();
  writer.request_stop();
  writer.join();
  ASSERT_TRUE(filled) << filled.error().message();
  EXPECT_EQ(CountFilled(), 2000);
  EXPECT_EQ(Run()->changed, 0);
}

TEST(IndexCheck, IsFineWhenTheTableMovedPastWhatWasFound) {
  EXPECT_TRUE((IndexCheck{.expected = 5, .found = 5, .expected_after = 5}.ok()));
  EXPECT_TRUE((IndexCheck{.expected = 5, .found = 6, .expected_after = 8}.ok()));
  EXPECT_TRUE((IndexCheck{.expected = 8, .found = 6, .expected_after = 5}.ok()));
  EXPECT_FALSE((IndexCheck{.expected = 5, .found = 4, .expected_after = 8}.ok()));
  EXPECT_FALSE((IndexCheck{.expected = 5, .found = 6, .expected_after = 5}.ok()));
}

TEST(WalkCheckpoint, OfOtherWorkOrDamagedIsNotTakenUp) {
  const std::string file = ::testing::TempDir() + "/walk/checkpoint.json";
  const std::vector<SegmentPosition> saved = {
      {.read = 5, .done = false, .key = Item{{"pk", "a"}, {"n", 7}}}, {.read = 2, .done = true}};
  ASSERT_TRUE(SaveCheckpoint(file, "work", saved));
  const auto loaded = LoadCheckpoint(file, "work", 2);
  ASSERT_TRUE(loaded);
  EXPECT_EQ((*loaded)[0].read, 5);
  EXPECT_EQ((*loaded)[0].key, saved[0].key);
  EXPECT_TRUE((*loaded)[1].done);
  EXPECT_FALSE(LoadCheckpoint(file, "other work", 2));
  EXPECT_FALSE(LoadCheckpoint(file, "work", 3));
  std::filesystem::resize_file(file, 20);
  EXPECT_FALSE(LoadCheckpoint(file, "work", 2));
}

}  // namespace backfill_test
}  // namespace stator::live
