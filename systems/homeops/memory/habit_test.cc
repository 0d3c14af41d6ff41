#include <gtest/gtest.h>

#include "systems/homeops/memory/stockholm.h"
#include "tests/systems/homeops_fixture.h"

namespace stator::systems::homeops {
namespace habit_test {

using stator::testing::Text;

class Habits : public HomeOps {
 protected:
  // The seed's own requests, on an item of its own.
  Result<std::string> Update(const std::string& update, const std::string& condition = {}) {
    std::string json = R"({"TableName": "homeops",
        "Key": {"pk": {"S": "PATTERN#x#9"}, "sk": {"S": "diskning"}},
        "ReturnValues": "ALL_NEW", "UpdateExpression": ")" +
                       update + "\"";
    if (!condition.empty()) json += R"(, "ConditionExpression": ")" + condition + "\"";
    if (update.find("#day") != std::string::npos) {
      json += R"(, "ExpressionAttributeNames": {"#day": "mon"})";
    }
    json += R"(, "ExpressionAttributeValues": {":one": {"N": "1"})";
    if (update.find(":zero") != std::string::npos) json += R"(, ":zero": {"N": "0"})";
    if (update.find(":empty") != std::string::npos) json += R"(, ":empty": {"M": {}})";
    return Send("UpdateItem", json + "}}");
  }
  void PutHabit(bool with_maps) {
    Item item{{"pk", "PATTERN#x#9"}, {"sk", "diskning"}};
    if (with_maps) item.Set("dayOfWeekCounts", AttributeValue::Map({}));
    ASSERT_TRUE(world.endpoint().PutItem({.table_name = "homeops", .item = item}));
  }
};

TEST_F(Habits, S4_13_AreCountedByDayAndHourInStockholm) {
  Hear(Say(1, "Har diskat", kNow));                     // Saturday, 09:00 there
  Hear(Say(2, "Har diskat", kNow + 15 * 3600 + 1800));  // 23:30 UTC: Sunday, 00:30 there
  const Item habit = StoredHabit("diskning");
  EXPECT_EQ(Counter(habit, "dayOfWeekCounts", "sat"), "1");
  EXPECT_EQ(Counter(habit, "dayOfWeekCounts", "sun"), "1");
  EXPECT_EQ(Counter(habit, "hourOfDayCounts", "9"), "1");
  EXPECT_EQ(Counter(habit, "hourOfDayCounts", "0"), "1");
  EXPECT_EQ(Text(habit, "totalCount"), "2");
  EXPECT_EQ(world.Audit(), "");
}

TEST_F(Habits, S4_13_KeepTheirHourWhenTheClocksChange) {
  // Every evening at seven, over both changes.
  const std::vector<const char*> days = {"2026-03-28", "2026-03-29", "2026-03-30",
                                         "2026-10-24", "2026-10-25", "2026-10-26"};
  std::int64_t id = 0;
  for (const char* day : days) Hear(Say(++id, "Har diskat", *FromStockholm(day, 19, 0)));
  EXPECT_EQ(Counter(StoredHabit("diskning"), "hourOfDayCounts", "19"), "6");
  // The hour that comes twice is one hour of the day.
  Hear(Say(++id, "Har diskat", 1'792'890'000 - 1800));
  Hear(Say(++id, "Har diskat", 1'792'890'000 + 1800));
  EXPECT_EQ(Counter(StoredHabit("diskning"), "hourOfDayCounts", "2"), "2");
}

TEST_F(Habits, S4_14_AddOnANestedPathIsAcceptedWhenTheMapIsThere) {
  PutHabit(true);
  const auto added = Update("ADD dayOfWeekCounts.#day :one");
  ASSERT_TRUE(added) << added.error().message();
  EXPECT_NE(added->find(R"("mon":{"N":"1"})"), std::string::npos) << *added;
}

TEST_F(Habits, S4_15_AMissingMapMakesThePathInvalid) {
  PutHabit(false);
  for (const char* update : {"ADD dayOfWeekCounts.#day :one",
                             "SET dayOfWeekCounts.#day = "
                             "if_not_exists(dayOfWeekCounts.#day, :zero) + :one"}) {
    const auto updated = Update(update);
    ASSERT_FALSE(updated);
    EXPECT_EQ(updated.error().name(), "ValidationException");
    EXPECT_EQ(updated.error().message(),
              "The document path provided in the update expression is invalid for update");
  }
}

TEST_F(Habits, S4_16_TheMapAndItsMemberInOneUpdateOverlap) {
  PutHabit(true);
  const auto updated = Update(
      "SET dayOfWeekCounts = if_not_exists(dayOfWeekCounts, :empty), dayOfWeekCounts.#day = "
      "if_not_exists(dayOfWeekCounts.#day, :zero) + :one");
  ASSERT_FALSE(updated);
  EXPECT_EQ(updated.error().name(), "ValidationException");
  EXPECT_NE(updated.error().message().find("overlap"), std::string::npos);
}

TEST_F(Habits, S4_17_SetTwiceIsNoExpression) {
  const auto updated = Update("SET SET totalCount = if_not_exists(totalCount, :zero) + :one");
  ASSERT_FALSE(updated);
  EXPECT_EQ(updated.error().name(), "ValidationException");
}

TEST_F(Habits, S4_18_StartWithTheFirstMessageAndGrowAfterwards) {
  for (int id = 1; id <= 3; ++id) Hear(Say(id, "Har diskat", kNow + id));
  EXPECT_EQ(Counter(StoredHabit("diskning"), "dayOfWeekCounts", "sat"), "3");
}

TEST_F(Habits, S4_18_AnItemWithoutMapsGetsThem) {
  // As a reader of an older phase may have left it.
  ASSERT_TRUE(world.endpoint().PutItem({.table_name = "homeops",
                                        .item = Item{{"pk", "PATTERN#hemma#1"},
                                                     {"sk", "diskning"},
                                                     {"chatId", "hemma"},
                                                     {"userId", 1},
                                                     {"activity", "diskning"},
                                                     {"totalCount", 41}}}));
  Hear(Say(1, "Har diskat"));
  const Item habit = StoredHabit("diskning");
  EXPECT_EQ(Text(habit, "totalCount"), "42");
  EXPECT_EQ(Counter(habit, "hourOfDayCounts", "9"), "1");
}

TEST_F(Habits, S4_19_AttributesThatNobodyKnowsSurvive) {
  Hear(Say(1, "Har diskat"));
  ASSERT_TRUE(Send("UpdateItem", R"({"TableName": "homeops",
      "Key": {"pk": {"S": "PATTERN#hemma#1"}, "sk": {"S": "diskning"}},
      "UpdateExpression": "SET streak = :five", "ExpressionAttributeValues": {":five": {"N": "5"}}})"));
  Hear(Say(2, "Har diskat"));
  EXPECT_EQ(Text(StoredHabit("diskning"), "streak"), "5");
}

TEST_F(Habits, LastSeenNeverGoesBack) {
  Hear(Say(2, "Har diskat", kNow + 1000));
  Hear(Say(1, "Har diskat", kNow));
  const Item habit = StoredHabit("diskning");
  EXPECT_EQ(Text(habit, "lastSeen"), "2026-02-28T08:16:40.000Z");
  EXPECT_EQ(Text(habit, "totalCount"), "2");
}

TEST_F(Habits, EffortIsARunningFigure) {
  Hear(Say(1, "Städat"));       // 4
  Hear(Say(2, "Städat lite"));  // 3
  const Item effort = Stored("Effort", Item{{"userId", 1}, {"activity", "städning"}});
  EXPECT_EQ(Text(effort, "ema"), "3.7");
  EXPECT_EQ(Text(effort, "samples"), "2");
}

TEST_F(Habits, PreferencesCountLightAndHeavyWork) {
  Hear(Say(1, "Städat"));
  Hear(Say(2, "Pantat"));
  Hear(Say(3, "Har diskat"));
  Hear(Say(4, "Har diskat"));
  Memory memory(world.entities(), bot.aliases());
  const auto preferences = memory.PreferencesOf(1);
  ASSERT_TRUE(preferences);
  std::map<std::string, std::int64_t> counts;
  for (const Preference& preference : *preferences) counts[preference.metric] = preference.count;
  EXPECT_EQ(counts,
            (std::map<std::string, std::int64_t>{{"light", 1}, {"medium", 2}, {"heavy", 1}}));
}

}  // namespace habit_test
}  // namespace stator::systems::homeops
