#include "systems/homeops/memory/memory.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "stator/live.h"
#include "systems/homeops/memory/stockholm.h"
#include "systems/homeops/upkeep/log_generator.h"
#include "systems/homeops/upkeep/upkeep.h"
#include "tests/systems/homeops_fixture.h"

namespace stator::systems::homeops {
namespace memory_test {

class Questions : public HomeOps {
 protected:
  // An activity as the bot stores it, without a message.
  void Store(std::int64_t id, std::string_view activity, std::int64_t at, std::int64_t user = 1,
             std::string_view chat = "hemma") {
    const Message message{
        .chat = std::string(chat), .id = id, .user = user, .name = "Ann", .at = at};
    const auto stored =
        world.entities().Create("Activity", Item{{"chatId", chat},
                                                 {"activityId", ActivityIdOf(message)},
                                                 {"messageId", id},
                                                 {"userId", user},
                                                 {"userName", user == 1 ? "Martin" : "Anna"},
                                                 {"timestamp", at},
                                                 {"activity", activity},
                                                 {"type", "chore"},
                                                 {"effort", 2},
                                                 {"confidence", 90}});
    ASSERT_TRUE(stored) << stored.error().message;
  }
  Memory memory{world.entities(), bot.aliases()};
};

TEST_F(Questions, S4_20_WhoDidItLastIsOneItemForHalfAUnit) {
  for (int i = 0; i < 50; ++i) Store(i + 1, i % 2 == 0 ? "diskning" : "tvätt", kNow + i, 1 + i % 3);
  ASSERT_TRUE(bot.aliases().Of("hemma"));  // remembered from here on
  ReadUnits();
  const auto deed = memory.WhoLast("hemma", "diskning");
  ASSERT_TRUE(deed && *deed);
  EXPECT_EQ((*deed)->at, kNow + 48);
  EXPECT_EQ(ReadUnits(), 0.5);
}

TEST_F(Questions, S4_20_TimesOfNineDigitsSortBeforeThoseOfTen) {
  Store(1, "diskning", 999'999'999);
  Store(2, "diskning", 1'000'000'001, 2);
  EXPECT_EQ((*memory.WhoLast("hemma", "diskning"))->user, 2);
}

TEST_F(Questions, S4_20_AnActivityThatBeginsAlikeIsAnother) {
  Store(1, "disk", kNow);
  Store(2, "diskning", kNow + 1, 2);
  // "disk" is a form of diskning, so the pattern is asked directly.
  const auto found = world.entities().First("who_last", {{"chat", "hemma"}, {"activity", "disk"}});
  ASSERT_TRUE(found && *found);
  EXPECT_EQ(NumberOf((*found)->view(), "userId"), 1);
}

TEST_F(Questions, S4_21_AnySpellingAsksForTheSame) {
  Hear(Say(1, "Har diskat"));
  for (const char* name : {"diska", "Diskning", "DISKADE"}) {
    const auto deed = memory.WhoLast("hemma", name);
    ASSERT_TRUE(deed && *deed) << name;
    EXPECT_EQ((*deed)->activity, "diskning");
  }
}

TEST_F(Questions, S4_21_ANumberSignInAnActivityIsRefused) {
  const auto created =
      world.entities().Create("Activity", Item{{"chatId", "hemma"},
                                               {"activityId", std::string(26, '0')},
                                               {"messageId", 1},
                                               {"userId", 1},
                                               {"userName", "Ann"},
                                               {"timestamp", kNow},
                                               {"activity", "disk#ning"},
                                               {"type", "chore"},
                                               {"effort", 1},
                                               {"confidence", 1}});
  ASSERT_FALSE(created);
  EXPECT_EQ(created.error().kind, EntityErrorKind::kInvalid);
}

TEST_F(Questions, S4_22_ARareActivityIsFoundBehindManyOthers) {
  Store(1, "snöskottning", kNow);
  for (int i = 1; i <= 60; ++i) Store(1 + i, i % 2 == 0 ? "diskning" : "tvätt", kNow + i);
  for (int i = 1; i <= 60; ++i) Store(100 + i, "snöskottning", kNow + i, 2);
  const auto deed = memory.WhenLast("hemma", 1, "snöskottning");
  ASSERT_TRUE(deed && *deed);
  EXPECT_EQ((*deed)->at, kNow);
  // The seed's request gives up after ten.
  const auto as_written = Send("Query", R"({"TableName": "homeops-activities",
      "IndexName": "userId-timestamp-index", "KeyConditionExpression": "userId = :u",
      "FilterExpression": "activity = :a", "ScanIndexForward": false, "Limit": 10,
      "ExpressionAttributeValues": {":u": {"N": "1"}, ":a": {"S": "snöskottning"}}})");
  ASSERT_TRUE(as_written);
  EXPECT_NE(as_written->find("\"Count\":0"), std::string::npos) << *as_written;
}

TEST_F(Questions, S4_23_AnotherChatOfTheSameUserDoesNotAnswer) {
  Store(1, "diskning", kNow);
  Store(1, "diskning", kNow + 60, 1, "stugan");
  EXPECT_EQ((*memory.WhenLast("hemma", 1, "diskning"))->at, kNow);
  EXPECT_EQ((*memory.WhoLast("hemma", "diskning"))->at, kNow);
  EXPECT_EQ(*memory.HowOften("hemma", 1, "diskning", kNow - 1, kNow + 100), 1);
}

TEST_F(Questions, S4_24_AWeekIsCountedAcrossPages) {
  // Items of 4 KB, so that a page of 1 MB ends before the week does.
  const std::string name(40, 'n');
  for (int i = 0; i < 300; ++i) {
    Store(i + 1, "diskning", kNow + i, i % 3 == 0 ? 2 : 1);
    ASSERT_TRUE(world.endpoint().Execute(
        "UpdateItem",
        fmt::format(
            R"({{"TableName": "homeops-activities", "Key": {{"chatId": {{"S": "hemma"}},
            "activityId": {{"S": "{}"}}}}, "UpdateExpression": "SET padding = :p",
            "ExpressionAttributeValues": {{":p": {{"S": "{}"}}}}}})",
            ActivityIdOf({.chat = "hemma", .id = i + 1, .user = 1, .name = name, .at = kNow + i}),
            std::string(4000, 'x'))));
  }
  EXPECT_EQ(*memory.HowOften("hemma", 1, "diskning", kNow, kNow + 300), 200);
}

TEST_F(Questions, S4_24_TheWeekBeginsOnMondayInStockholm) {
  const std::int64_t monday = WeekStart(kNow);
  Store(1, "diskning", monday - 1);
  Store(2, "diskning", monday);
  Store(3, "diskning", kNow);
  EXPECT_EQ(*memory.HowOften("hemma", 1, "diskning", monday, kNow), 2);
}

TEST_F(Questions, S4_25_TimestampIsReservedAndNeedsAnAlias) {
  const std::string request = R"({"TableName": "homeops-activities",
      "IndexName": "userId-timestamp-index", "KeyConditionExpression": "userId = :u AND %s > :t",
      %s "ExpressionAttributeValues": {":u": {"N": "1"}, ":t": {"N": "0"}}})";
  const auto send = [&](std::string_view name, std::string_view names) {
    std::string json = request;
    json.replace(json.find("%s"), 2, name);
    json.replace(json.find("%s"), 2, names);
    return Send("Query", json);
  };
  const auto refused = send("timestamp", "");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("reserved keyword"), std::string::npos);
  EXPECT_TRUE(send("#t", R"("ExpressionAttributeNames": {"#t": "timestamp"},)"));
  Store(1, "diskning", kNow);
  EXPECT_EQ(*memory.HowOften("hemma", 1, "diskning", kNow, kNow), 1);  // the layer sees to it
}

TEST_F(Questions, NobodyIsAnAnswer) {
  EXPECT_FALSE(*memory.WhoLast("hemma", "diskning"));
  EXPECT_FALSE(*memory.WhenLast("hemma", 1, "jonglering"));
  EXPECT_EQ(*memory.HowOften("hemma", 1, "diskning", 0, kNow), 0);
}

TEST_F(Questions, MembersAreFoundByNameAndNumber) {
  Hear(Say(1, "Hej", kNow, 2));
  const auto users = [&](std::string_view chat, std::string_view who) {
    std::vector<std::int64_t> numbers;
    const auto people = memory.FindPeople(chat, who);
    for (const Member& person : *people) numbers.push_back(person.user);
    return numbers;
  };
  EXPECT_EQ(users("hemma", "ANNA"), std::vector<std::int64_t>{2});
  EXPECT_EQ(users("hemma", "2"), std::vector<std::int64_t>{2});
  EXPECT_TRUE(users("hemma", "martin").empty());
  EXPECT_TRUE(users("stugan", "anna").empty());
}

// Tables of the phase before, in a world without the model's.
class Migration : public ::testing::Test {
 protected:
  Migration() : database(*Database::Open({})), model(*Model::Parse(ModelText())) {
    EXPECT_TRUE(CreatePhaseTwoTable(*database));
    for (const Message& message : GenerateLog({.messages = 600, .slang = false})) {
      if (message.expected == "none") continue;
      EXPECT_TRUE(PutPhaseTwoActivity(*database, message));
      if (message.chat == "hemma") last[message.expected] = message;
      ++stored;
    }
  }
  std::unique_ptr<Database> database;
  Model model;
  std::map<std::string, Message> last;
  std::int64_t stored = 0;
};

TEST_F(Migration, S4_28_WithoutABackfillTheNewIndexIsEmpty) {
  ASSERT_TRUE(database->Execute("UpdateTable", R"({"TableName": "homeops-activities",
      "AttributeDefinitions": [{"AttributeName": "chatId", "AttributeType": "S"},
                               {"AttributeName": "activityTimestamp", "AttributeType": "S"}],
      "GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "chatId-activity-index",
        "KeySchema": [{"AttributeName": "chatId", "KeyType": "HASH"},
                      {"AttributeName": "activityTimestamp", "KeyType": "RANGE"}],
        "Projection": {"ProjectionType": "ALL"}}}]})"));
  database->WaitForBackgroundWork();
  const auto rows = database->Scan({.table_name = "homeops-activities",
                                    .index_name = "chatId-activity-index",
                                    .select = Select::kCount});
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->count, 0);
}

TEST_F(Migration, S4_28_TheBackfillFillsItAndMayBeRepeated) {
  for (int round = 0; round < 2; ++round) {
    const auto report = ApplyModel(*database, model, {.backfill = true});
    ASSERT_TRUE(report) << report.error().message();
    EXPECT_TRUE(report->complete);
    const auto rows = database->Scan({.table_name = "homeops-activities",
                                      .index_name = "chatId-activity-index",
                                      .select = Select::kCount});
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->count, stored);
  }
  Entities entities(*database, model);
  AliasBook aliases(entities);
  Memory memory(entities, aliases);
  for (const auto& [activity, message] : last) {
    const auto deed = memory.WhoLast("hemma", activity);
    ASSERT_TRUE(deed && *deed) << activity;
    EXPECT_EQ((*deed)->at, message.at);
    EXPECT_EQ((*deed)->name, message.name);
  }
}

}  // namespace memory_test
}  // namespace stator::systems::homeops
