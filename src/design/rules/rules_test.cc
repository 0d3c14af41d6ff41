#include "rules/rules.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "model/parse/parse.h"

namespace stator::model {
namespace rules_test {

Model Parse(const std::string& yaml) {
  auto model = ParseModel(yaml, "model.yaml");
  if (model) return *std::move(model);
  for (const Problem& problem : model.error()) ADD_FAILURE() << ProblemText("model.yaml", problem);
  return {};
}

constexpr const char* kScan = R"(model: 1
tables: {notes: {key: "owner str, id str"}}
entities:
  Note: {table: notes, attrs: {owner: str 20, id: str ulid, body: str 200}, volume: {total: 1000, per: {owner: 20/50}}}
patterns:
  add: {write: Note.create, guard: not_exists, rate: 10/day}
  everything: {scan: notes, all: true, rate: 1/day}
)";

const Finding* Find(const CheckResult& result, std::string_view rule) {
  const auto it = std::ranges::find(result.findings, rule, &Finding::rule);
  return it == result.findings.end() ? nullptr : &*it;
}

TEST(Check, FindsWithPlaceTargetAndFix) {
  const CheckResult result = Check(Parse(kScan));
  const Finding* scan = Find(result, "AP02");
  ASSERT_NE(scan, nullptr);
  EXPECT_EQ(scan->target, "everything");
  EXPECT_EQ(scan->line, 7U);
  EXPECT_FALSE(scan->fix.empty());
  EXPECT_FALSE(result.clean());
}

TEST(Check, AnAcceptedFindingDoesNotFail) {
  for (const char* accept : {"AP02@everything", "AP02"}) {
    const CheckResult result =
        Check(Parse(std::string(kScan) + fmt::format("accept: {{{}: it is a backup}}\n", accept)));
    const Finding* scan = Find(result, "AP02");
    ASSERT_NE(scan, nullptr);
    EXPECT_TRUE(scan->accepted);
    EXPECT_EQ(Find(result, "AC01"), nullptr);
  }
}

TEST(Check, AnAcceptanceThatMatchesNothingIsAnError) {
  const CheckResult result =
      Check(Parse(std::string(kScan) + "accept: {AP02@nothing: a reason}\n"));
  const Finding* idle = Find(result, "AC01");
  ASSERT_NE(idle, nullptr);
  EXPECT_EQ(idle->severity, Severity::kError);
  EXPECT_EQ(idle->target, "AP02@nothing");
  EXPECT_FALSE(Find(result, "AP02")->accepted);
}

TEST(Check, FindingsComeInTheOrderOfTheFile) {
  const CheckResult result = Check(Parse(kScan));
  EXPECT_TRUE(std::ranges::is_sorted(result.findings, {}, [](const Finding& finding) {
    return std::pair(finding.line, finding.column);
  }));
}

TEST(Check, ThirteenDigitsHoldEveryNumberOfThirteenDigits) {
  constexpr const char* kModel = R"(model: 1
tables: {calls: {key: "user str, sk str"}}
entities:
  Call:
    table: calls
    keys: {sk: "{at:013d}#{id}"}
    attrs: {user: str 9, at: num epoch_ms range=0..9999999999999, id: str uuid}
patterns:
  add: {write: Call.create, rate: 1/day}
  in_time: {query: calls, where: "user = $u, at >= $a, at < $b", page: 9, rate: 1/day}
)";
  const Model model = Parse(kModel);  // the plans point into it
  const CheckResult result = Check(model);
  EXPECT_EQ(Find(result, "KY01"), nullptr);
  EXPECT_EQ(Find(result, "AP03"), nullptr);
  EXPECT_EQ(PlanText(result.plans[1]),
            "Query calls: user = $u and sk between \"{a:013d}\" and \"{b:013d}\"");
}

// 50 entities in one table with five indexes, and 200 patterns.
std::string LargeModel() {
  std::string text = "model: 1\ntables:\n  app:\n    key: PK str, SK str\n    indexes:\n";
  for (int i = 1; i <= 5; ++i) {
    text += fmt::format(
        "      GSI{0}: {{pk: GSI{0}PK str, sk: GSI{0}SK str, project: all, "
        "overloaded: true}}\n",
        i);
  }
  text += "entities:\n";
  for (int i = 0; i < 50; ++i) {
    const int g = (i % 5) + 1;
    text += fmt::format(
        "  E{0}:\n    table: app\n"
        "    keys: {{PK: \"OWNER#{{owner}}\", SK: \"E{0}#{{id}}\", GSI{1}PK: "
        "\"E{0}#{{status}}#{{kind}}\", GSI{1}SK: \"{{at}}#{{id}}\"}}\n"
        "    attrs: {{owner: str 12 no=#, id: str ulid, status: str enum=OPEN|DONE|LATE, kind: str "
        "8 no=# card=9, at: str iso_s, body: str 300}}\n"
        "    volume: {{total: 10000, per: {{owner: 20/50}}}}\n",
        i, g);
  }
  text += "patterns:\n";
  for (int i = 0; i < 50; ++i) {
    const int g = (i % 5) + 1;
    text += fmt::format("  add{0}: {{write: E{0}.create, rate: 10/day}}\n", i);
    text += fmt::format(
        "  set{0}: {{write: E{0}.update, sets: status, guard: exists, rate: "
        "10/day}}\n",
        i);
    text += fmt::format(
        "  of{0}: {{query: app, of: E{0}, where: owner = $o, page: 25, rate: "
        "9/day}}\n",
        i);
    text += fmt::format(
        "  by{0}: {{query: app.GSI{1}, of: E{0}, foreach: status, where: \"kind = "
        "$k, at > now-7d\", page: 25, rate: 9/day}}\n",
        i, g);
  }
  return text;
}

TEST(Check, AModelOf50EntitiesAnd200PatternsTakesLessThan200Milliseconds) {
  const std::string text = LargeModel();
  // The best of three: other work on the machine is not what is measured.
  double best_ms = 1e9;
  for (int round = 0; round < 3; ++round) {
    const auto start = std::chrono::steady_clock::now();
    const auto model = ParseModel(text, "model.yaml");
    ASSERT_TRUE(model);
    const CheckResult result = Check(*model);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    best_ms = std::min(best_ms, took.count());
    EXPECT_EQ(result.plans.size(), 200U);
    EXPECT_EQ(Find(result, "KY05"), nullptr) << Find(result, "KY05")->message;
    EXPECT_EQ(Find(result, "AP01"), nullptr);
  }
  RecordProperty("milliseconds", static_cast<int>(best_ms));
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  EXPECT_LT(best_ms, 4000);
#else
  EXPECT_LT(best_ms, 200);
#endif
}

// ---- Two versions of a model

Model ModelWith(Index index) {
  Model model;
  model.tables.push_back({.id = "notes", .name = "notes"});
  model.tables[0].indexes.push_back(std::move(index));
  return model;
}

Index ByTopic() {
  return {.name = "ByTopic",
          .partition = {{.name = "topic", .type = Type::kS}},
          .sort = {{.name = "at", .type = Type::kN}},
          .projection = {.kind = Projection::Kind::kInclude, .attributes = {"a", "b"}}};
}

TEST(ComparedIndexes, FindsNothingInTheSameIndex) {
  Index reordered = ByTopic();
  reordered.projection.attributes = {"b", "a"};
  EXPECT_TRUE(ComparedIndexFindings(ModelWith(ByTopic()), ModelWith(reordered)).empty());
}

TEST(ComparedIndexes, FindsEveryChangeThatCannotBeMadeInPlace) {
  Index projection = ByTopic();
  projection.projection.attributes = {"a"};
  Index key = ByTopic();
  key.partition[0].name = "owner";
  Index type = ByTopic();
  type.sort[0].type = Type::kS;
  Index local = ByTopic();
  local.local = true;
  for (const Index& changed : {projection, key, type, local}) {
    const std::vector<Finding> found =
        ComparedIndexFindings(ModelWith(ByTopic()), ModelWith(changed));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].rule, "IX13");
    EXPECT_EQ(found[0].target, "notes.ByTopic");
  }
}

TEST(ComparedIndexes, ANewIndexIsNoChange) {
  Index other = ByTopic();
  other.name = "ByTopic2";
  other.projection.kind = Projection::Kind::kAll;
  EXPECT_TRUE(ComparedIndexFindings(ModelWith(ByTopic()), ModelWith(other)).empty());
}

}  // namespace rules_test
}  // namespace stator::model
