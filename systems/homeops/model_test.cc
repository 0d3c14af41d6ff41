// The model beside the seed document: what the checker says of both, and what they cost.
#include "stator/model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "generate/generate.h"
#include "model/claims/claims.h"
#include "model/parse/parse.h"
#include "rules/rules.h"
#include "systems/homeops/upkeep/log_generator.h"
#include "systems/homeops/upkeep/upkeep.h"
#include "systems/program/model_text.h"
#include "tests/systems/homeops_fixture.h"

namespace stator::systems::homeops {
namespace model_test {

// A model with everything that is reckoned from it.
struct Judged {
  explicit Judged(model::Model parsed)
      : values(std::move(parsed)),
        checked(model::Check(values)),
        claims(model::EvaluateClaims(values, checked.estimates)) {}

  static Judged AsWritten() {
    auto parsed = model::LoadModel(STATOR_SOURCE_DIR "/systems/homeops/as-written.yaml");
    EXPECT_TRUE(parsed);
    return Judged(*std::move(parsed));
  }
  static Judged OfText(std::string_view text) {
    auto parsed = model::ParseModel(text, "model.yaml");
    EXPECT_TRUE(parsed) << (parsed ? "" : model::ProblemText("model.yaml", parsed.error().front()));
    return Judged(*std::move(parsed));
  }
  static Judged Ours() { return OfText(ModelText()); }

  bool Finds(std::string_view rule, std::string_view target) const {
    return std::ranges::any_of(checked.findings, [&](const model::Finding& finding) {
      return finding.rule == rule && finding.target == target;
    });
  }
  const model::ClaimResult& Claim(std::string_view says) const {
    const auto found = std::ranges::find_if(claims, [&](const model::ClaimResult& result) {
      return result.claim->says.find(says) != std::string::npos;
    });
    EXPECT_NE(found, claims.end()) << says;
    return *found;
  }
  const model::Estimate& Of(std::string_view pattern) const {
    const auto found = std::ranges::find_if(checked.estimates, [&](const model::Estimate& each) {
      return each.plan->pattern->name == pattern;
    });
    EXPECT_NE(found, checked.estimates.end()) << pattern;
    return *found;
  }
  double Reads(std::string_view pattern) const { return Of(pattern).read_units.typical; }
  double Writes(std::string_view pattern) const { return Of(pattern).TotalWriteUnits(); }

  model::Model values;
  model::CheckResult checked;
  std::vector<model::ClaimResult> claims;
};

std::string Replaced(std::string text, std::string_view what, std::string_view with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  if (at != std::string::npos) text.replace(at, what.size(), with);
  return text;
}

TEST(HomeOpsModel, ChecksClean) {
  const Judged ours = Judged::Ours();
  for (const model::Finding& finding : ours.checked.findings) {
    EXPECT_TRUE(finding.accepted || finding.severity == model::Severity::kNote)
        << finding.rule << "@" << finding.target << ": " << finding.message;
  }
}

TEST(HomeOpsModel, S4_1_FiveRecordTypesShareATableWithoutMeeting) {
  const Judged ours = Judged::Ours();
  std::set<std::string> types;
  for (const model::Entity& entity : ours.values.entities) {
    if (entity.table == "homeops") types.insert(entity.name);
  }
  for (const char* type : {"Alias", "Effort", "Preference", "Habit", "DmStatus"}) {
    EXPECT_TRUE(types.contains(type)) << type;
  }
  for (const model::Finding& finding : ours.checked.findings) EXPECT_NE(finding.rule, "KY05");
}

TEST(HomeOpsModel, S4_4_EightUnitsForThirtyKilobytesAreRefuted) {
  const Judged seed = Judged::AsWritten();
  const auto& claim = seed.Claim("100 aliases take 8 RCU");
  EXPECT_FALSE(claim.holds);
  EXPECT_EQ(claim.truth, 4);
  EXPECT_EQ(claim.rule, "CO02");
}

TEST(HomeOpsModel, S4_5_ThePriceIsAnOldOne) {
  const Judged seed = Judged::AsWritten();
  const auto& claim = seed.Claim("$0.283");
  EXPECT_FALSE(claim.holds);
  EXPECT_EQ(claim.rule, "CO04");
  EXPECT_EQ(claim.truth, 0.1415);  // of eu-west-1 since November 2024
  // It was the right one before.
  const Judged before = Judged::OfText(
      Replaced(testing::FileText(STATOR_SOURCE_DIR "/systems/homeops/as-written.yaml"),
               "price_list: 2026-09", "price_list: 2024-10"));
  EXPECT_TRUE(before.Claim("$0.283").holds);
}

TEST(HomeOpsModel, S4_9_AQueryForOneAliasIsPointedOut) {
  EXPECT_TRUE(Judged::AsWritten().Finds("AP15", "one_alias"));
  EXPECT_FALSE(Judged::Ours().Finds("AP15", "alias"));
}

TEST(HomeOpsModel, S4_11_AnOverrideCostsTwoIndexWrites) {
  const Judged seed = Judged::AsWritten();
  EXPECT_FALSE(seed.Claim("an alias mutation").holds);
  EXPECT_EQ(seed.Claim("an alias mutation").truth, 3);
  EXPECT_EQ(Judged::Ours().Writes("override"), 3);
}

TEST(HomeOpsModel, S4_16_OverlappingPathsAreFound) {
  EXPECT_TRUE(Judged::AsWritten().Finds("WR06", "count_habit"));
}

TEST(HomeOpsModel, S4_17_TheRepeatedSetIsFound) {
  EXPECT_TRUE(Judged::AsWritten().Finds("WR08", "count_habit"));
}

TEST(HomeOpsModel, S4_18_AKeyInPutItemIsFound) {
  EXPECT_TRUE(Judged::AsWritten().Finds("WR09", "count_habit"));
}

TEST(HomeOpsModel, S4_19_ReadModifyWriteIsFound) {
  const Judged seed = Judged::AsWritten();
  EXPECT_TRUE(seed.Finds("WR05", "update_habit"));
  EXPECT_TRUE(seed.Finds("WR05", "update_effort"));
}

TEST(HomeOpsModel, S4_20_TheUnpaddedTimeIsFound) {
  EXPECT_TRUE(Judged::AsWritten().Finds("KY01", "Activity.activityTimestamp"));
  EXPECT_FALSE(Judged::Ours().Finds("KY01", "Activity.activityTimestamp"));
}

TEST(HomeOpsModel, S4_22_AFilterBehindALimitIsFound) {
  EXPECT_TRUE(Judged::AsWritten().Finds("AP08", "user_last"));
  EXPECT_FALSE(Judged::Ours().Finds("AP08", "user_last"));
}

TEST(HomeOpsModel, S4_23_TheIndexThatCrossesChatsIsFound) {
  EXPECT_TRUE(Judged::AsWritten().Finds("KY15", "user_last"));
  EXPECT_FALSE(Judged::Ours().Finds("KY15", "user_last"));
}

TEST(HomeOpsModel, S4_24_ACountOfOnePageIsFound) {
  EXPECT_TRUE(Judged::AsWritten().Finds("AP13", "week_count"));
  EXPECT_FALSE(Judged::Ours().Finds("AP13", "week_count"));
}

TEST(HomeOpsModel, S4_26_AYearIs21900ActivitiesAndFilteringThemIsDear) {
  const Judged seed = Judged::AsWritten();
  EXPECT_FALSE(seed.Claim("1000 activities a year").holds);
  EXPECT_EQ(seed.Claim("1000 activities a year").truth, 21'900);
  EXPECT_NEAR(seed.Reads("who_last_by_filter"), 1337, 30);
}

TEST(HomeOpsModel, S4_27_TheThreeOptionsAreCosted) {
  const Judged seed = Judged::AsWritten();
  // B: a record LAST_ACTIVITY#<chat> / <activity>, written with every activity.
  const Judged b = Judged::OfText(R"(
model: 1
tables:
  homeops: {key: "pk str, sk str"}
entities:
  LastActivity:
    table: homeops
    keys: {pk: "LAST_ACTIVITY#{chatId}", sk: "{activity}"}
    size: 150
    volume: {total: 24, update: 60/day, per: {chatId: 24}}
    attrs: {chatId: str 14 no=#, activity: str 12 norm=nfc|lower|trim, userName: str 8, timestamp: num epoch_s}
patterns:
  note: {write: LastActivity.put, guard: "timestamp < $at", rate: 60/day}
  who_last: {get: LastActivity, rate: 10/day}
)");
  EXPECT_EQ(seed.Reads("who_last"), 0.5);  // A: an index, one more write an activity
  EXPECT_EQ(seed.Writes("save_activity"), 3);
  EXPECT_EQ(b.Reads("who_last"), 0.5);  // B: the same units, and a record to keep right
  EXPECT_EQ(b.Writes("note"), 1);
  EXPECT_GT(seed.Reads("who_last_by_filter"), 2000 * seed.Reads("who_last"));  // C
  EXPECT_TRUE(seed.Finds("IX09", "activities.chatId-activity-index"));
}

TEST(HomeOpsModel, S4_28_TheMissingBackfillIsFound) {
  EXPECT_TRUE(Judged::AsWritten().Finds("MG01", "activities.chatId-activity-index"));
  EXPECT_FALSE(Judged::Ours().Finds("MG01", "activities.chatId-activity-index"));
}

TEST(HomeOpsModel, S4_29_EightWritesAreRightAndFiveReadsAreNot) {
  const Judged seed = Judged::AsWritten();
  EXPECT_TRUE(seed.Claim("8 WCU").holds);
  EXPECT_EQ(seed.Claim("8 WCU").truth, 8);
  // The message and what is learned are one write each, the activity three: itself and two indexes.
  EXPECT_EQ(seed.Writes("save_activity"), 3);
  for (const char* pattern :
       {"save_message", "update_effort", "update_habit", "update_preference", "count_response"}) {
    EXPECT_EQ(seed.Writes(pattern), 1) << pattern;
  }
  EXPECT_FALSE(seed.Claim("5 RCU").holds);
  // Four for the aliases, and half a unit for each of four eventual reads.
  EXPECT_EQ(seed.Claim("5 RCU").truth, 6);
}

class HomeOpsCost : public HomeOps {
 protected:
  // How many items of a table there are, and the sum of one of their attributes.
  struct Sum {
    double items = 0;
    double value = 0;
  };
  Sum SumOf(const std::string& table, std::string_view prefix, std::string_view attribute) {
    Sum sum;
    const auto page = world.endpoint().Scan({.table_name = table});
    EXPECT_TRUE(page) << (page ? "" : page.error().message());
    if (!page) return sum;
    EXPECT_FALSE(page->last_evaluated_key);
    for (std::size_t i = 0; i < page->items->size(); ++i) {
      const ItemView item = (*page->items)[i];
      if (!TextOf(item, "pk").starts_with(prefix)) continue;
      ++sum.items;
      sum.value += static_cast<double>(NumberOf(item, attribute));
    }
    return sum;
  }
};

TEST_F(HomeOpsCost, S4_29_MeasuredUnitsStandBesideTheSeeds) {
  const auto report =
      MeasureCosts(world.entities(), world.clock(), GenerateLog({.messages = 500, .per_day = 200}));
  ASSERT_TRUE(report) << report.error().message;
  const auto each = [](const MessageCosts& costs, std::string_view stage) {
    return costs.stages.find(stage)->second.write / double(costs.messages);
  };
  EXPECT_EQ(each(report->classified, "save"), 1);
  EXPECT_EQ(each(report->classified, "activity"), 3);
  EXPECT_EQ(each(report->none, "decide"), 1);
  EXPECT_EQ(each(report->classified, "decide"), 1);
  // At twice the price: the message's stamp; effort, habit and preference of each deed; and the
  // answer if there is one. Other messages are answered too.
  const double answers = SumOf("homeops-response-counters", "", "count").value;
  const double deeds = SumOf("homeops", "PATTERN#", "totalCount").value;
  const auto messages = double(report->classified.messages);
  EXPECT_GE(deeds, messages);
  const double answered =
      (report->classified.stages.find("learn")->second.write - 2 * messages - 6 * deeds) / 2;
  EXPECT_EQ(answered, std::floor(answered));
  EXPECT_GT(answered, 0);
  EXPECT_LE(answered, answers);
  EXPECT_LT(report->none.ReadEach(), 0.5);  // half a unit, if they are not remembered
  const std::string text = CostText(*report);
  EXPECT_NE(text.find("the seed: 860 + 620"), std::string::npos) << text;
}

TEST(HomeOpsModel, S4_30_TheSumsAreRight) {
  const Judged seed = Judged::AsWritten();
  EXPECT_TRUE(seed.Claim("620 WCU a day").holds);
  EXPECT_TRUE(seed.Claim("18 600 WCU a month").holds);
}

TEST(HomeOpsModel, S4_31_TheFreeTierIsForProvisionedModeAndTheShareIsOnePercent) {
  const Judged seed = Judged::AsWritten();
  EXPECT_EQ(seed.Claim("free tier").rule, "CO05");
  const auto& share = seed.Claim("0.001 %");
  EXPECT_FALSE(share.holds);
  EXPECT_GT(share.truth, 0.005);
  EXPECT_LT(share.truth, 0.02);
}

TEST(HomeOpsModel, S4_33_NoPatternButAliasesIsRemembered) {
  for (const model::Pattern& pattern : Judged::Ours().values.patterns) {
    EXPECT_EQ(pattern.read.cache.has_value(), pattern.name == "aliases") << pattern.name;
  }
}

TEST(HomeOpsModel, S4_34_TheWorkersPermissionsNameTablesAndIndexes) {
  const Judged ours = Judged::Ours();
  const std::string policy = model::GenerateIamPolicy(ours.values, ours.checked.plans,
                                                      {.environment = "prod", .subject = "worker"});
  for (const char* part : {"table/homeops\"", "table/homeops/index/GSI1",
                           "table/homeops-activities/index/chatId-activity-index",
                           "table/homeops-activities/index/userId-timestamp-index",
                           "dynamodb:UpdateItem", "dynamodb:Query"}) {
    EXPECT_NE(policy.find(part), std::string::npos) << part << "\n" << policy;
  }
  EXPECT_EQ(policy.find("dynamodb:Scan"), std::string::npos);
  // And for one entity alone.
  const std::string alias = model::GenerateIamPolicy(ours.values, ours.checked.plans,
                                                     {.environment = "prod", .subject = "Alias"});
  EXPECT_NE(alias.find("index/GSI1"), std::string::npos) << alias;
  EXPECT_EQ(alias.find("homeops-activities"), std::string::npos) << alias;
}

TEST(HomeOpsModel, S4_35_EveryPatternResolvesWithOneIndexOnHomeops) {
  const Judged ours = Judged::Ours();
  for (const model::Plan& plan : ours.checked.plans) {
    EXPECT_TRUE(plan.resolved()) << plan.pattern->name << ": " << plan.obstacle;
    EXPECT_NE(plan.operation, model::Operation::kScan) << plan.pattern->name;
  }
  for (const model::Table& table : ours.values.tables) {
    if (table.id == "homeops") {
      EXPECT_EQ(table.indexes.size(), 1U);
    }
  }
}

// The reads of a day that a model gives a pattern, as `stator cost` bills them.
double ReadsPerDay(const std::string& text, const std::string& pattern) {
  const Judged judged = Judged::OfText(
      Replaced(text, "\nclaims:\n",
               "\nclaims:\n  - {says: reads of a day, check: rcu.day(" + pattern + ") == 0}\n"));
  return judged.Claim("reads of a day").truth;
}

// The model without normalised activities, and with an index that has only these attributes.
std::string WithFreeText(const std::string& text) {
  return Replaced(text, "Act: str 9/40 no=# norm=nfc|lower|trim canon=Alias card=20",
                  "Act: str 9/40 text");
}
std::string Projecting(const std::string& text, const std::string& attributes) {
  return Replaced(text, "sk: activityTimestamp str, project: all",
                  "sk: activityTimestamp str, project: [" + attributes + "]");
}

TEST(HomeOpsModel, S4_36_TheOpenQuestionsAreSwitches) {
  const std::string text(ModelText());
  const Judged ours = Judged::OfText(text);
  // 1. How long aliases may be stale: reads of a day follow.
  const std::string cache = "cache: 5m per_process, ";
  const double uncached = ReadsPerDay(Replaced(text, cache, ""), "aliases");
  const double hour = ReadsPerDay(Replaced(text, cache, "cache: 1h per_process, "), "aliases");
  const double day = ReadsPerDay(Replaced(text, cache, "cache: 1d per_process, "), "aliases");
  EXPECT_EQ(uncached, 200 * ours.Reads("aliases"));
  EXPECT_LT(hour, uncached / 4);
  EXPECT_LT(day, hour / 4);
  EXPECT_GT(day, 0);
  // 2. Whether activities are normalised.
  const Judged free_text = Judged::OfText(WithFreeText(text));
  EXPECT_TRUE(free_text.Finds("KY14", "Activity.activityTimestamp"));
  EXPECT_FALSE(ours.Finds("KY14", "Activity.activityTimestamp"));
  // 4. What the index projects: the same write units at this size, fewer bytes.
  const Judged lean = Judged::OfText(Projecting(text, "userId, userName, timestamp, effort"));
  const Judged wide =
      Judged::OfText(Projecting(text, "userId, userName, timestamp, effort, type, confidence"));
  EXPECT_EQ(lean.Writes("save_activity"), ours.Writes("save_activity"));
  EXPECT_LT(lean.Of("who_last").bytes_read.typical, wide.Of("who_last").bytes_read.typical);
  EXPECT_LT(wide.Of("who_last").bytes_read.typical, ours.Of("who_last").bytes_read.typical);
  // 5. Effort and habit read together: one BatchGetItem, the same units.
  const Judged together =
      Judged::OfText(Replaced(text, "read_effort:    {get: Effort, fresh: strong,",
                              "read_effort:    {get: Effort, batch: 2, fresh: strong,"));
  EXPECT_EQ(ours.Of("read_effort").plan->operation, model::Operation::kGetItem);
  EXPECT_EQ(together.Of("read_effort").plan->operation, model::Operation::kBatchGetItem);
  EXPECT_EQ(together.Reads("read_effort"), 2 * ours.Reads("read_effort"));
}

// What the index returns of an activity that was written as "Diskning ".
std::optional<Item> LastDishes(const std::string& model_text) {
  testing::SystemWorld world(model_text);
  const auto saved = world.entities().Create("Activity", Item{{"chatId", "hemma"},
                                                              {"activityId", "1"},
                                                              {"messageId", 1},
                                                              {"userId", 1},
                                                              {"userName", "Martin"},
                                                              {"timestamp", kNow},
                                                              {"activity", "Diskning "},
                                                              {"type", "chore"},
                                                              {"effort", 2},
                                                              {"confidence", 90}});
  EXPECT_TRUE(saved) << (saved ? "" : saved.error().message);
  const auto last =
      world.entities().First("who_last", {{"chat", "hemma"}, {"activity", "diskning"}});
  EXPECT_TRUE(last) << (last ? "" : last.error().message);
  return last ? *last : std::nullopt;
}

// 2. and 4. What runs follows the switches.
TEST(HomeOpsModel, S4_36_NamesAndProjectionsAreThoseOfTheModelThatRuns) {
  const std::string text(ModelText());
  const auto ours = LastDishes(text);
  ASSERT_TRUE(ours);
  EXPECT_TRUE(ours->Find("confidence"));
  EXPECT_FALSE(LastDishes(WithFreeText(text)));
  const auto lean = LastDishes(Projecting(text, "userId, userName, timestamp, effort"));
  ASSERT_TRUE(lean);
  EXPECT_TRUE(lean->Find("effort"));
  EXPECT_FALSE(lean->Find("confidence"));
}

// 3. Chats start with aliases and without habits.
TEST_F(HomeOpsCost, S4_36_SeedsBringAliasesAndNoHabits) {
  ASSERT_TRUE(bot.aliases().LoadSeeds("hemma"));
  EXPECT_FALSE(State().empty());
  for (const std::string& line : State()) {
    EXPECT_NE(line.find("\"pk\":\"ALIAS#hemma\""), std::string::npos) << line;
    EXPECT_NE(line.find("\"source\":\"seed\""), std::string::npos) << line;
  }
}

// 1. Who teaches may wait like everyone else.
TEST_F(HomeOpsCost, S4_36_TheTeachersOwnMemoryMayBeKept) {
  AliasBook patient(world.entities(), {.forget_when_taught = false});
  ASSERT_TRUE(patient.Of("hemma")->empty());
  ASSERT_TRUE(patient.Teach("hemma", "kört en maskin", "tvätt"));
  EXPECT_TRUE(patient.Of("hemma")->empty());
  world.clock().Advance(std::chrono::minutes(5));
  EXPECT_EQ(patient.Of("hemma")->size(), 1U);
}

}  // namespace model_test
}  // namespace stator::systems::homeops
