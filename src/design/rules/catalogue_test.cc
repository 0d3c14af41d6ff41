#include <gtest/gtest.h>

#include <ostream>
#include <set>
#include <string>

#include "model/parse/parse.h"
#include "rules/rules.h"

namespace stator::model {

void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.id; }

namespace catalogue_test {

// What the rules find in a model, as "RULE target: message" lines.
struct Checked {
  bool parsed = false;
  std::set<std::string> rules;
  std::string text;
};

Checked CheckText(std::string_view yaml) {
  Checked checked;
  const auto model = ParseModel(yaml, "model.yaml");
  if (!model) {
    for (const Problem& problem : model.error()) {
      checked.text += ProblemText("model.yaml", problem) + "\n";
    }
    return checked;
  }
  checked.parsed = true;
  for (const Finding& finding : Check(*model).findings) {
    checked.rules.emplace(finding.rule);
    checked.text +=
        std::string(finding.rule) + " " + finding.target + ": " + finding.message + "\n";
  }
  return checked;
}

class EveryRule : public ::testing::TestWithParam<Rule> {};

TEST_P(EveryRule, FindsWhatItsBadExampleShows) {
  const Checked checked = CheckText(GetParam().bad);
  ASSERT_TRUE(checked.parsed) << checked.text;
  EXPECT_TRUE(checked.rules.contains(std::string(GetParam().id))) << checked.text;
}

TEST_P(EveryRule, FindsNothingInItsGoodExample) {
  const Checked checked = CheckText(GetParam().good);
  ASSERT_TRUE(checked.parsed) << checked.text;
  EXPECT_FALSE(checked.rules.contains(std::string(GetParam().id))) << checked.text;
}

TEST_P(EveryRule, IsToldCompletely) {
  const Rule& rule = GetParam();
  EXPECT_EQ(rule.id.size(), 4U);
  EXPECT_FALSE(rule.title.empty());
  EXPECT_GT(rule.lesson.size(), 60U);
  EXPECT_NE(rule.bad, rule.good);
  EXPECT_EQ(FindRule(rule.id)->title, rule.title);
}

INSTANTIATE_TEST_SUITE_P(Rules, EveryRule, testing::ValuesIn(AllRules().begin(), AllRules().end()),
                         [](const auto& one) { return std::string(one.param.id); });

TEST(Catalogue, NamesEveryRuleOnce) {
  std::set<std::string_view> ids;
  for (const Rule& rule : AllRules()) EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
}

}  // namespace catalogue_test
}  // namespace stator::model
