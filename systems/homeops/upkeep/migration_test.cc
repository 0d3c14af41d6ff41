// Items as the seed's own code and older versions wrote them: found by the audit, mended once.
#include "systems/homeops/upkeep/migration.h"

#include <fmt/format.h>

#include <atomic>
#include <functional>
#include <map>

#include "systems/homeops/upkeep/mending.h"
#include "systems/program/process.h"
#include "tests/systems/failing_endpoint.h"
#include "tests/systems/homeops_fixture.h"

namespace stator::systems::homeops {
namespace migration_test {

class Mended : public HomeOps {
 protected:
  void Put(std::string_view table, std::string_view item) {
    const auto put = Send("PutItem", fmt::format(R"({{"TableName":"{}","Item":{}}})", table, item));
    ASSERT_TRUE(put) << put.error().message();
  }
  // As the seed's activity-store.ts writes it, with the seed's own activityTimestamp.
  void PutSeedActivity(std::string_view id, std::string_view activity, std::int64_t at,
                       std::string_view more = "") {
    Put("homeops-activities",
        fmt::format(
            R"({{"chatId":{{"S":"hemma"}},"activityId":{{"S":"{}"}},"userId":{{"N":"1"}},)"
            R"("userName":{{"S":"Martin"}},"timestamp":{{"N":"{}"}},"activity":{{"S":"{}"}},)"
            R"("type":{{"S":"chore"}},"effort":{{"N":"2"}},"confidence":{{"N":"90"}}{}}})",
            id, at, activity, more));
  }
  // updatePatternHabit() of the seed: no attributes but these.
  void PutSeedHabit(std::string_view activity, int count, std::string_view last_seen) {
    Put("homeops",
        fmt::format(
            R"({{"pk":{{"S":"PATTERN#hemma#1"}},"sk":{{"S":"{0}"}},)"
            R"("dayOfWeekCounts":{{"M":{{"mon":{{"N":"{1}"}}}}}},)"
            R"("hourOfDayCounts":{{"M":{{"14":{{"N":"{1}"}}}}}},"totalCount":{{"N":"{1}"}},)"
            R"("lastSeen":{2},"updatedAt":{{"S":"2026-02-17T10:00:00.000Z"}}}})",
            activity, count, last_seen));
  }

  MendReport Run(bool dry_run = false) {
    auto report =
        MendItems(world.endpoint(), {.table_prefix = "", .dry_run = dry_run, .progress = {}});
    EXPECT_TRUE(report) << (report ? "" : report.error().message());
    return report ? *report : MendReport();
  }

  std::string LastOf(std::string_view activity) {
    AliasBook aliases(world.entities());
    Memory memory(world.entities(), aliases);
    const auto done = memory.WhoLast("hemma", activity);
    EXPECT_TRUE(done);
    return done && *done ? std::to_string((*done)->at) : "nobody";
  }
};

TEST_F(Mended, S4_21_AuditFindsWhatQuestionsWouldMissAndMigrateMendsIt) {
  PutSeedActivity("01", "Diska", 1'771'000'001, R"(,"activityTimestamp":{"S":"Diska#1771000001"})");
  PutSeedActivity("02", "tva\xCC\x88tt", 1'771'000'002);
  PutSeedActivity("03", "STÄDA", 1'771'000'003'000,
                  R"(,"activityTimestamp":{"S":"STÄDA#1771000003000"})");
  PutSeedActivity("04", "pantning", 900'000'000,
                  R"(,"activityTimestamp":{"S":"pantning#900000000"})");
  PutSeedActivity("05", "jonglering", 1'771'000'005,
                  R"(,"activityTimestamp":{"S":"jonglering#1771000005"})");
  EXPECT_EQ(LastOf("diskning"), "nobody");

  const MendReport audit = Run(true);
  std::int64_t found = 0;
  for (const auto& [name, problem] : audit.problems) found += problem.count;
  EXPECT_EQ(found, 4);  // all but the last, which is right
  EXPECT_EQ(audit.mended, 0);
  EXPECT_EQ(LastOf("diskning"), "nobody");

  EXPECT_EQ(Run().mended, 4);
  EXPECT_EQ(LastOf("diskning"), "1771000001");
  EXPECT_EQ(LastOf("tvätt"), "1771000002");
  EXPECT_EQ(LastOf("städning"), "1771000003");
  EXPECT_EQ(LastOf("pantning"), "900000000");
  EXPECT_EQ(LastOf("jonglering"), "1771000005");
  EXPECT_TRUE(Run(true).clean());
  EXPECT_EQ(Run().mended, 0);
}

TEST_F(Mended, WhatNobodyCanTellIsReportedAndLeftAlone) {
  Put("homeops-activities",
      R"({"chatId":{"S":"hemma"},"activityId":{"S":"x"},"userId":{"N":"1"},"timestamp":{"N":"5"}})");
  Put("homeops-activities",
      R"({"chatId":{"S":"hemma"},"activityId":{"S":"y"},"activity":{"S":"vila"},)"
      R"("timestamp":{"N":"1771000001"}})");
  const auto before = State();
  const MendReport report = Run();
  EXPECT_EQ(report.mended, 0);
  ASSERT_EQ(report.hopeless.size(), 2U);
  EXPECT_EQ(report.hopeless.begin()->first, "homeops-activities: it does not say what was done");
  EXPECT_EQ(State(), before);
}

TEST_F(Mended, ATimeThatIsMissingIsInTheUlid) {
  const Message message = Say(7, "Har diskat", 1'771'234'567);
  Put("homeops-activities",
      fmt::format(
          R"({{"chatId":{{"S":"hemma"}},"activityId":{{"S":"{}"}},"userId":{{"N":"1"}},"userName":)"
          R"({{"S":"Martin"}},"activity":{{"S":"diskning"}}}})",
          ActivityIdOf(message)));
  EXPECT_EQ(Run().mended, 1);
  EXPECT_EQ(LastOf("diskning"), "1771234567");
}

TEST_F(Mended, S4_13_HabitsOfTheSeedsCodeAndOfOlderVersionsBecomeOne) {
  PutSeedHabit("diskning", 2, R"({"S":"2026-02-16T13:00:00.000Z"})");
  PutSeedHabit("Diska", 3, R"({"N":"1771250000"})");              // older: seconds
  PutSeedHabit("diskade", 4, R"({"S":"2026-02-17T09:00:00Z"})");  // another width
  PutSeedHabit("Tva\xCC\x88tt", 1, R"({"N":"1771250000000"})");   // milliseconds
  EXPECT_GE(Run().mended, 3);  // the right name may be mended with what is added to it
  const Item dishes = StoredHabit("diskning");
  EXPECT_EQ(NumberOf(dishes, "totalCount"), 9);
  EXPECT_EQ(Counter(dishes, "dayOfWeekCounts", "mon"), "9");
  EXPECT_EQ(Counter(dishes, "hourOfDayCounts", "14"), "9");
  EXPECT_EQ(TextOf(dishes, "lastSeen"), "2026-02-17T09:00:00.000Z");
  EXPECT_EQ(TextOf(StoredHabit("tvätt"), "lastSeen"), "2026-02-16T13:53:20.000Z");
  EXPECT_EQ(TextOf(dishes, "updatedAt"), "2026-02-17T10:00:00.000Z");  // not ours, still there
  EXPECT_TRUE(Run(true).clean());
  // The bot goes on counting where the seed's code was.
  Hear(Say(1, "Har diskat"));
  EXPECT_EQ(NumberOf(StoredHabit("diskning"), "totalCount"), 10);
}

TEST_F(Mended, AliasesEffortsAndMembersAreMendedToo) {
  Put("homeops",
      R"({"pk":{"S":"ALIAS#hemma"},"sk":{"S":"Kört  EN maskin"},"canonicalActivity":{"S":"Tvätta"},)"
      R"("confirmations":{"N":"2"},"source":{"S":"learned"}})");
  Put("homeops",
      R"({"pk":{"S":"ALIAS#hemma"},"sk":{"S":"kört en maskin"},"canonicalActivity":{"S":"tvätt"},)"
      R"("confirmations":{"N":"3"},"source":{"S":"learned"},"gsi1pk":{"S":"ALIASES_BY_ACTIVITY#hemma"},)"
      R"("gsi1sk":{"S":"tvätt"}})");
  Put("homeops",
      R"({"pk":{"S":"EFFORT#1"},"sk":{"S":"Diskat"},"ema":{"N":"4"},"samples":{"N":"1"}})");
  Put("homeops",
      R"({"pk":{"S":"EFFORT#1"},"sk":{"S":"diskning"},"ema":{"N":"2"},"samples":{"N":"3"}})");
  Put("homeops",
      R"({"pk":{"S":"MEMBERS#hemma"},"sk":{"S":"martin"},"name":{"S":"martin"},"chatId":{"S":"hemma"},)"
      R"("userId":{"N":"1"}})");
  Run();
  const Item alias = StoredAlias("kört en maskin");
  EXPECT_EQ(NumberOf(alias, "confirmations"), 5);
  EXPECT_EQ(TextOf(alias, "gsi1sk"), "tvätt");
  const Item effort = Stored("Effort", Item{{"userId", 1}, {"activity", "diskning"}});
  EXPECT_EQ(RealOf(effort.view(), "ema"), 2.5);
  EXPECT_EQ(NumberOf(effort, "samples"), 4);
  EXPECT_TRUE(Run(true).clean());
  const auto member = world.endpoint().GetItem(
      {.table_name = "homeops", .key = Item{{"pk", "MEMBERS#hemma"}, {"sk", "1"}}});
  ASSERT_TRUE(member && member->item);
  EXPECT_EQ(TextOf(*member->item, "name"), "martin");
}

// Somebody counts in the items just before they are changed, after they were read.
class MeddlingEndpoint final : public testing::ForwardingEndpoint {
 public:
  MeddlingEndpoint(Endpoint& behind, std::function<void()> meddle)
      : ForwardingEndpoint(behind), meddle_(std::move(meddle)) {}

  Result<UpdateItemResponse> UpdateItem(const UpdateItemRequest& request) override {
    meddle_();
    return behind_.UpdateItem(request);
  }
  Result<TransactWriteItemsResponse> TransactWriteItems(
      const TransactWriteItemsRequest& request) override {
    meddle_();
    return behind_.TransactWriteItems(request);
  }

 private:
  std::function<void()> meddle_;
};

class Lost : public Mended {
 protected:
  // A bot that cannot save activities, or cannot learn from them either.
  void HearWithoutSaving(const Message& message, bool learns) {
    testing::FailingEndpoint failing(world.endpoint());
    failing.FailWhen([&](std::string_view what) {
      return what.contains("homeops-activities") ||
             (!learns && what.starts_with("TransactWriteItems"));
    });
    Entities entities(failing, *Model::Parse(ModelText()), {.clock = &world.clock()});
    Bot hindered(entities, classifier);
    ASSERT_TRUE(hindered.Handle(message));
  }
  static std::int64_t Found(const MendReport& report) {
    const auto found = report.problems.find(
        "homeops-messages: what was done was decided, and its activity never saved");
    return found == report.problems.end() ? 0 : found->second.count;
  }
};

TEST_F(Lost, DeedsThatWereDecidedAndNeverSavedAreFoundAndReplayed) {
  Hear(Say(1, "Har städat"));
  Hear(Say(2, "Hej alla"));
  HearWithoutSaving(Say(3, "Har diskat", kNow + 3), true);
  HearWithoutSaving(Say(4, "Har tvättat och handlat", kNow + 4), false);
  EXPECT_EQ(LastOf("diskning"), "nobody");

  const auto before = State();
  const MendReport audit = Run(true);
  EXPECT_EQ(Found(audit), 2);
  EXPECT_TRUE(audit.hopeless.empty());
  EXPECT_EQ(State(), before);

  EXPECT_EQ(Run().mended, 2);
  EXPECT_EQ(LastOf("diskning"), std::to_string(kNow + 3));
  EXPECT_EQ(LastOf("tvätt"), std::to_string(kNow + 4));
  EXPECT_EQ(LastOf("handling"), std::to_string(kNow + 4));
  for (const char* activity : {"städning", "diskning", "tvätt", "handling"}) {
    EXPECT_EQ(NumberOf(StoredHabit(activity), "totalCount"), 1) << activity;
  }
  // Once is enough, also if the messages come again.
  EXPECT_TRUE(Run(true).clean());
  const auto after = State();
  EXPECT_EQ(Run().mended, 0);
  Hear(Say(3, "Har diskat", kNow + 3));
  EXPECT_EQ(State(), after);
}

TEST_F(Lost, WhatWasUndoneIsNotLost) {
  Hear(Say(1, "Har diskat"));
  Hear(Say(2, "ångra"));
  EXPECT_EQ(LastOf("diskning"), "nobody");
  EXPECT_TRUE(Run(true).clean());
  EXPECT_EQ(Run().mended, 0);
  EXPECT_EQ(LastOf("diskning"), "nobody");
}

// Somebody takes the deed back after it was found lost, before it is saved or before it is counted.
TEST_F(Lost, WhatIsUndoneMeanwhileStaysUndone) {
  for (const int write : {1, 2}) {
    const Message message = Say(write, "Har diskat", kNow + write);
    HearWithoutSaving(message, false);
    int writes = 0;
    MeddlingEndpoint meddling(world.endpoint(), [&] {
      if (++writes != write) return;
      const Change undo{.set = {{"undoneAt", kNow}}};
      ASSERT_TRUE(world.entities().Update("Message", KeyOf(message), undo));
    });
    const auto report = MendItems(meddling, {.table_prefix = "", .segments = 1, .progress = {}});
    ASSERT_TRUE(report) << report.error().message();
    EXPECT_EQ(LastOf("diskning"), write == 1 ? "nobody" : std::to_string(kNow + 2));
    EXPECT_EQ(NumberOf(StoredHabit("diskning"), "totalCount"), 0);
  }
}

TEST_F(Mended, NothingThatIsWrittenMeanwhileIsLost) {
  PutSeedHabit("Diska", 1, R"({"N":"1771250000"})");
  PutSeedHabit("diskning", 1, R"({"S":"2026-02-16T13:00:00.000Z"})");
  PutSeedHabit("tvätt", 1, R"({"N":"1771250000"})");
  std::map<std::string, int> written;
  int left = 6;
  const auto count_one = [&](std::string_view name) {
    const auto counted = Send(
        "UpdateItem",
        fmt::format(
            R"({{"TableName":"homeops","Key":{{"pk":{{"S":"PATTERN#hemma#1"}},"sk":{{"S":"{}"}}}},)"
            R"("UpdateExpression":"ADD dayOfWeekCounts.mon :one, totalCount :one",)"
            R"x("ConditionExpression":"attribute_exists(pk)",)x"
            R"("ExpressionAttributeValues":{{":one":{{"N":"1"}}}}}})",
            name));
    if (counted) ++written[name == "tvätt" ? "tvätt" : "diskning"];
  };
  MeddlingEndpoint meddling(world.endpoint(), [&] {
    if (left-- <= 0) return;
    count_one(left % 2 == 0 ? "Diska" : "diskning");
    count_one("tvätt");
  });
  const auto report = MendItems(meddling, {.table_prefix = "", .segments = 1, .progress = {}});
  ASSERT_TRUE(report) << report.error().message();
  for (const auto& [activity, before] : std::map<std::string, int>{{"diskning", 2}, {"tvätt", 1}}) {
    EXPECT_GE(written[activity], 3);
    const Item habit = StoredHabit(activity);
    EXPECT_EQ(NumberOf(habit, "totalCount"), written[activity] + before) << activity;
    EXPECT_EQ(Counter(habit, "dayOfWeekCounts", "mon"), std::to_string(written[activity] + before));
  }
  EXPECT_TRUE(Run(true).clean());
}

TEST_F(Mended, MayBeStoppedAnywhereAndRunAgain) {
  for (int i = 0; i < 40; ++i) {
    PutSeedActivity(fmt::format("{:02}", i), i % 2 == 0 ? "Diska" : "STÄDAT", 1'771'000'000 + i);
  }
  PutSeedHabit("Diska", 3, R"({"N":"1771250000"})");
  PutSeedHabit("diskning", 2, R"({"N":"1771250000"})");
  std::int64_t mended = 0;
  for (int until = 1; until < 60; until += 7) {
    testing::FailingEndpoint failing(world.endpoint());
    std::atomic<int> writes = 0;
    failing.FailWhen(
        [&](std::string_view what) { return !what.starts_with("GetItem") && ++writes > until; });
    const auto report = MendItems(failing, {.table_prefix = "", .segments = 1, .progress = {}});
    if (!report) continue;
    mended += report->mended;
    break;
  }
  Run();
  EXPECT_TRUE(Run(true).clean());
  EXPECT_EQ(NumberOf(StoredHabit("diskning"), "totalCount"), 5);
  EXPECT_EQ(LastOf("diskning"), "1771000038");
}

TEST_F(Mended, TellsHowFarItIs) {
  for (int i = 0; i < 30; ++i) PutSeedActivity(fmt::format("{:02}", i), "Diska", 1'771'000'000 + i);
  std::int64_t most = 0;
  const auto report = MendItems(
      world.endpoint(), {.table_prefix = "",
                         .progress = [&](std::string_view table, std::int64_t read, std::int64_t) {
                           if (table == "homeops-activities") most = std::max(most, read);
                         }});
  ASSERT_TRUE(report);
  EXPECT_EQ(most, 30);
}

}  // namespace migration_test
}  // namespace stator::systems::homeops
