#include "report/check_report.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <set>
#include <string>

#include "model/parse/parse.h"

namespace stator::model {
namespace check_report_test {

using simdjson::dom::element;

Model Parse(const std::string& yaml) {
  auto model = ParseModel(yaml, "model.yaml");
  if (model) return *std::move(model);
  for (const Problem& problem : model.error()) ADD_FAILURE() << ProblemText("model.yaml", problem);
  return {};
}

constexpr const char* kModel = R"(model: 1
title: Notes
tables: {notes: {key: "owner str, id str"}}
entities:
  Note: {table: notes, attrs: {owner: str 20, id: str ulid, body: str 200}, volume: {total: 1000, per: {owner: 20/50}}}
patterns:
  add: {write: Note.create, guard: not_exists, rate: 10/day}
  mine: {query: notes, where: owner = $o, page: 25, rate: 10/day}
  everything: {scan: notes, all: true, rate: 1/day}
  lost: {query: notes, where: body = $b, page: 25, rate: 1/day}
accept: {AP02@everything: a backup}
)";

std::string_view Text(const element& value) { return value.get_string().value(); }

TEST(CheckText, ShowsTheProofAndEachFindingWithItsFix) {
  const Model model = Parse(kModel);
  const std::string text = CheckText(model, Check(model), false);
  EXPECT_NE(text.find("Query notes: owner = $o"), std::string::npos) << text;
  EXPECT_NE(text.find("model.yaml:10:3 AP01 error lost resolves to no operation"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\n    fix: "), std::string::npos) << text;
  EXPECT_NE(text.find("AP02 accepted"), std::string::npos) << text;
  EXPECT_NE(text.find("3 of 4 patterns resolved; 1 error"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(CheckText(model, Check(model), true).find('\x1b'), std::string::npos);
}

TEST(CheckJson, TellsWhatThePrimaryKeyServes) {
  const Model model = Parse(kModel);
  simdjson::dom::parser parser;
  const std::string json = CheckJson(model, Check(model));
  const element document = parser.parse(json).value();
  EXPECT_FALSE(document["clean"].get_bool().value());
  ASSERT_EQ(document["patterns"].get_array().value().size(), 4U);
  const element mine = document["patterns"].at(1).value();
  EXPECT_EQ(Text(mine["operation"].value()), "Query");
  EXPECT_TRUE(mine["satisfiedByPrimaryKey"].get_bool().value());
  EXPECT_EQ(Text(mine["key"].at(0)["attribute"].value()), "owner");
  EXPECT_FALSE(document["patterns"].at(2)["satisfiedByPrimaryKey"].get_bool().value());
}

TEST(CheckSarif, HasTheStructureOfVersion210) {
  const Model model = Parse(kModel);
  const CheckResult result = Check(model);
  simdjson::dom::parser parser;
  const std::string sarif = CheckSarif(model, result);
  const element document = parser.parse(sarif).value();
  EXPECT_EQ(Text(document["version"].value()), "2.1.0");
  EXPECT_TRUE(Text(document["$schema"].value()).ends_with("sarif-2.1.0.json"));
  ASSERT_EQ(document["runs"].get_array().value().size(), 1U);
  const element run = document["runs"].at(0).value();
  const element driver = run["tool"]["driver"].value();
  EXPECT_FALSE(Text(driver["name"].value()).empty());
  std::vector<std::string> rules;
  const auto described = driver["rules"].get_array().value();
  for (const element rule : described) {
    rules.emplace_back(Text(rule["id"].value()));
    EXPECT_FALSE(Text(rule["shortDescription"]["text"].value()).empty());
  }
  const std::set<std::string_view> levels = {"none", "note", "warning", "error"};
  std::size_t suppressed = 0;
  const auto results = run["results"].get_array().value();
  EXPECT_EQ(results.size(), result.findings.size());
  for (const element one : results) {
    EXPECT_TRUE(levels.contains(Text(one["level"].value())));
    EXPECT_FALSE(Text(one["message"]["text"].value()).empty());
    const auto index = static_cast<std::size_t>(one["ruleIndex"].get_int64().value());
    ASSERT_LT(index, rules.size());
    EXPECT_EQ(rules[index], Text(one["ruleId"].value()));
    const element place = one["locations"].at(0)["physicalLocation"].value();
    EXPECT_EQ(Text(place["artifactLocation"]["uri"].value()), "model.yaml");
    EXPECT_GE(place["region"]["startLine"].get_int64().value(), 1);
    EXPECT_GE(place["region"]["startColumn"].get_int64().value(), 1);
    suppressed += one["suppressions"].error() == simdjson::SUCCESS ? 1U : 0U;
  }
  EXPECT_EQ(suppressed, 1U);
}

TEST(ExplainText, TeachesWithABadAndAGoodExample) {
  const std::string text = ExplainText(*FindRule("AP08"));
  EXPECT_TRUE(text.starts_with("AP08 (error): filter and limit used as \"first match\"\n"));
  EXPECT_NE(text.find("\nBad:\n  model: 1\n"), std::string::npos);
  EXPECT_NE(text.find("\nGood:\n  model: 1\n"), std::string::npos);
  const std::string list = RuleListText(AllRules());
  EXPECT_NE(list.find("\nKY05  error    "), std::string::npos);
}

}  // namespace check_report_test
}  // namespace stator::model
