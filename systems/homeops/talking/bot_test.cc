#include "systems/homeops/talking/bot.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "systems/homeops/upkeep/log_generator.h"
#include "tests/systems/failing_endpoint.h"
#include "tests/systems/homeops_fixture.h"

namespace stator::systems::homeops {
namespace bot_test {

using stator::testing::Text;

class BotRuns : public HomeOps {};

TEST_F(BotRuns, S4_Bot_AMessageLogGoesInAndAnswersComeOut) {
  const auto messages = GenerateLog({.messages = 600});
  const IngestReport report = Ingest(bot, messages);
  EXPECT_TRUE(report.complete());
  EXPECT_EQ(report.messages, 600);
  EXPECT_EQ(report.step_failures, 0);
  EXPECT_EQ(report.right, report.judged);
  EXPECT_GT(report.kinds.at("chore"), 100);
  EXPECT_GT(report.kinds.at("recovery"), 5);
  EXPECT_GT(report.kinds.at("clarification"), 3);
  // The last of each activity, from the log itself.
  std::map<std::string, Message> last;
  for (const Message& message : messages) {
    if (message.chat == "hemma" && message.expected != "none") last[message.expected] = message;
  }
  Memory memory(world.entities(), bot.aliases());
  for (const auto& [activity, message] : last) {
    const auto deed = memory.WhoLast("hemma", activity);
    ASSERT_TRUE(deed && *deed) << activity;
    EXPECT_EQ((*deed)->name, message.name) << activity;
    EXPECT_EQ((*deed)->at, message.at) << activity;
  }
  EXPECT_EQ(world.Audit(), "");
}

TEST_F(BotRuns, S4_Bot_HabitsAddUpToWhatWasDone) {
  const auto messages = GenerateLog({.messages = 400});
  Ingest(bot, messages);
  std::map<std::int64_t, std::int64_t> done;
  for (const Message& message : messages) {
    // What was explained later counts from then on.
    const bool is_explained = message.text.starts_with("Nej, jag menade");
    if (message.chat == "hemma" && (message.expected != "none" || is_explained)) {
      ++done[message.user];
    }
  }
  Memory memory(world.entities(), bot.aliases());
  for (const auto& [user, count] : done) {
    std::int64_t total = 0;
    std::int64_t days = 0;
    const auto habits = memory.HabitsOf("hemma", user);
    ASSERT_TRUE(habits);
    for (const Habit& habit : *habits) {
      total += habit.total;
      for (const auto& [day, times] : habit.days) days += times;
    }
    EXPECT_EQ(total, count);
    EXPECT_EQ(days, count);
  }
}

TEST_F(BotRuns, S4_1_EveryRecordTypeHasItsKeys) {
  Hear(Say(1, "/start"));
  Hear(Say(2, "Har diskat"));
  Hear(Reply(3, 2, "Ja"));
  std::vector<std::string> keys;
  const auto page = world.database().Scan({.table_name = "homeops"});
  ASSERT_TRUE(page);
  for (std::size_t i = 0; i < page->items->size(); ++i) {
    keys.push_back(TextOf((*page->items)[i], "pk") + " / " + TextOf((*page->items)[i], "sk"));
  }
  std::ranges::sort(keys);
  EXPECT_EQ(keys, (std::vector<std::string>{"ALIAS#hemma / diskat", "DM#1 / STATUS",
                                            "EFFORT#1 / diskning", "MEMBERS#hemma / 1",
                                            "PATTERN#hemma#1 / diskning", "PREF#1 / medium"}));
}

TEST_F(BotRuns, S4_2_ActivitiesHaveUlidsAndNumbersAsIndexKeys) {
  Hear(Say(1, "Har diskat"));
  const auto page = world.database().Scan(
      {.table_name = "homeops-activities", .index_name = "userId-timestamp-index"});
  ASSERT_TRUE(page);
  ASSERT_EQ(page->items->size(), 1U);
  const ItemView item = (*page->items)[0];
  EXPECT_EQ(TextOf(item, "activityId").size(), 26U);
  EXPECT_EQ(item.Find("userId")->type(), Type::kN);
  EXPECT_EQ(item.Find("timestamp")->type(), Type::kN);
  EXPECT_EQ(TextOf(item, "activityTimestamp"), "diskning#1772265600");
}

TEST_F(BotRuns, AMessageThatComesAgainChangesNothing) {
  const auto messages = GenerateLog({.messages = 250});
  Ingest(bot, messages);
  const auto before = State();
  const IngestReport again = Ingest(bot, messages);
  EXPECT_EQ(again.repeated, 250);
  EXPECT_EQ(State(), before);
}

TEST_F(BotRuns, AMessageWithoutTextIsNothing) { EXPECT_EQ(Hear(Say(1, "")).decision.kind, "none"); }

TEST_F(BotRuns, DirectMessagesAreOpenSinceTheLastStart) {
  Hear(Say(2, "/start", kNow + 10));
  EXPECT_TRUE(Hear(Say(1, "/start", kNow)).failures.empty());
  EXPECT_EQ(Text(Stored("DmStatus", Item{{"userId", 1}}), "since"), std::to_string(kNow + 10));
}

TEST_F(BotRuns, AMessageIsDecidedOnce) {
  Hear(Say(1, "Nu har jag kört en maskin"));
  ASSERT_TRUE(bot.aliases().Teach("hemma", "kört en maskin", "tvätt"));
  EXPECT_EQ(Hear(Say(1, "Nu har jag kört en maskin")).decision.kind, "none");
  EXPECT_EQ(Hear(Say(2, "Nu har jag kört en maskin")).decision.activity(), "tvätt");
}

TEST_F(BotRuns, AnswersAtMostTenTimesADayAndNeverInterrupts) {
  std::int64_t id = 0;
  int responses = 0;
  for (int i = 0; i < 12; ++i) {
    if (Hear(Say(++id, "Har diskat", kNow + i * 600)).responded) ++responses;
  }
  EXPECT_EQ(responses, 10);
  const std::int64_t tomorrow = kNow + 86'400;
  for (int i = 0; i < 4; ++i) Hear(Say(++id, "Haha", tomorrow + i));
  EXPECT_FALSE(Hear(Say(++id, "Har diskat", tomorrow + 5)).responded);
  EXPECT_TRUE(Hear(Say(++id, "Har diskat", tomorrow + 500)).responded);
}

// The bot behind an endpoint that fails when told to.
class ErrorPolicy : public HomeOps {
 protected:
  ErrorPolicy()
      : endpoint(world.endpoint()),
        entities(endpoint, world.model(), {.clock = &world.clock()}),
        shaky(entities, classifier, Logger()) {}

  void FailOn(std::string operation, std::string what) {
    endpoint.FailWhen(
        [operation = std::move(operation), what = std::move(what)](std::string_view seen) {
          return seen.starts_with(operation) && seen.find(what) != std::string_view::npos;
        });
  }
  bool WasLogged(std::string_view step) {
    return std::ranges::any_of(log, [&](const std::string& line) {
      return line.find(fmt::format(": {}: ", step)) != std::string::npos;
    });
  }

  testing::FailingEndpoint endpoint;
  Entities entities;
  Bot shaky;
};

TEST_F(ErrorPolicy, S4_32_ARawMessageThatIsNotSavedFailsTheItemOfTheBatch) {
  FailOn("PutItem", "homeops-messages");
  EXPECT_FALSE(shaky.Handle(Say(1, "Har diskat")));
  EXPECT_TRUE(State().empty());
  endpoint.FailWhen({});
  EXPECT_TRUE(shaky.Handle(Say(1, "Har diskat")));
  EXPECT_EQ(Text(StoredHabit("diskning"), "totalCount"), "1");
}

TEST_F(ErrorPolicy, S4_32_WithoutAliasesTheBuiltInWordsDo) {
  ASSERT_TRUE(bot.aliases().Teach("hemma", "kört en maskin", "tvätt"));
  FailOn("Query", "ALIAS#");
  EXPECT_EQ(shaky.Handle(Say(1, "Har diskat"))->decision.activity(), "diskning");
  EXPECT_EQ(shaky.Handle(Say(2, "Har kört en maskin"))->decision.kind, "none");
  EXPECT_TRUE(WasLogged("aliases"));
  // A failure is not remembered for five minutes.
  endpoint.FailWhen({});
  EXPECT_EQ(shaky.Handle(Say(3, "Har kört en maskin"))->decision.activity(), "tvätt");
}

TEST_F(ErrorPolicy, S4_32_AnActivityThatIsNotSavedIsLoggedAndTheRestGoesOn) {
  FailOn("PutItem", "homeops-activities");
  ASSERT_TRUE(shaky.Handle(Say(1, "Har diskat")));
  EXPECT_TRUE(WasLogged("activity"));
  EXPECT_EQ(Text(StoredHabit("diskning"), "totalCount"), "1");
}

TEST_F(ErrorPolicy, S4_32_EachLearningStepFailsAlone) {
  struct Case {
    const char* what;
    const char* step;
  };
  std::int64_t id = 0;
  for (const auto& [what, step] :
       {Case{"EFFORT#", "effort"}, Case{"PATTERN#", "habit"}, Case{"PREF#", "preference"},
        Case{"homeops-response-counters", "response"}}) {
    log.clear();
    ++id;
    FailOn("TransactWriteItems", what);
    const auto outcome = shaky.Handle(Say(id, "Har diskat", kNow + id * 600));
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->failures.size(), 1U) << step;
    EXPECT_TRUE(WasLogged(step));
    endpoint.FailWhen({});
    const std::string total = std::to_string(id);
    EXPECT_EQ(Text(StoredHabit("diskning"), "totalCount"),
              std::string(step) == "habit" ? std::to_string(id - 1) : total);
    // A message that comes again makes up for what was missed, and for nothing else.
    EXPECT_TRUE(shaky.Handle(Say(id, "Har diskat", kNow + id * 600))->failures.empty());
    EXPECT_EQ(Text(StoredHabit("diskning"), "totalCount"), total);
    EXPECT_EQ(Text(Stored("Effort", Item{{"userId", 1}, {"activity", "diskning"}}), "samples"),
              total);
    EXPECT_EQ(Text(Stored("Preference", Item{{"userId", 1}, {"metric", "medium"}}), "count"),
              total);
  }
}

TEST_F(ErrorPolicy, S4_32_AReadThatFailsIsLoggedToo) {
  FailOn("GetItem", "EFFORT#");
  const auto outcome = shaky.Handle(Say(1, "Har diskat"));
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(WasLogged("effort"));
  EXPECT_EQ(Text(StoredHabit("diskning"), "totalCount"), "1");
}

TEST_F(ErrorPolicy, S4_33_OnlyAliasesAreRemembered) {
  Hear(Say(1, "Har diskat"));
  const auto reads = [&](const std::function<void()>& ask) {
    ask();
    ReadUnits();
    ask();
    return ReadUnits();
  };
  Memory memory(world.entities(), bot.aliases());
  EXPECT_EQ(reads([&] { (void)bot.aliases().Of("hemma"); }), 0);
  EXPECT_GT(reads([&] { (void)memory.HabitsOf("hemma", 1); }), 0);
  EXPECT_GT(reads([&] { (void)memory.PreferencesOf(1); }), 0);
  EXPECT_GT(reads([&] { (void)memory.WhoLast("hemma", "diskning"); }), 0);
  EXPECT_GT(reads([&] { (void)Stored("Effort", Item{{"userId", 1}, {"activity", "diskning"}}); }),
            0);
}

}  // namespace bot_test
}  // namespace stator::systems::homeops
