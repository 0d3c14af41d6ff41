#include "rules/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <string>

#include "model/parse/parse.h"

namespace stator::model {

void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.code; }

namespace catalogue_test {

// What the rules find in a model, as "RULE target: message" lines.
struct Checked {
  bool parsed = false;
  std::set<std::string, std::less<>> rules;
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
    checked.text += finding.rule + " " + finding.target + ": " + finding.message + "\n";
  }
  return checked;
}

class EveryRule : public ::testing::TestWithParam<Rule> {};

TEST_P(EveryRule, FindsWhatItsBadExampleShows) {
  const Checked checked = CheckText(GetParam().bad);
  ASSERT_TRUE(checked.parsed) << checked.text;
  EXPECT_TRUE(checked.rules.contains(GetParam().code)) << checked.text;
}

TEST_P(EveryRule, FindsNothingInItsGoodExample) {
  const Checked checked = CheckText(GetParam().good);
  ASSERT_TRUE(checked.parsed) << checked.text;
  EXPECT_FALSE(checked.rules.contains(GetParam().code)) << checked.text;
}

TEST_P(EveryRule, IsToldCompletely) {
  const Rule& rule = GetParam();
  EXPECT_EQ(rule.code.size(), 4U);
  EXPECT_FALSE(rule.title.empty());
  EXPECT_GT(rule.lesson.size(), 60U);
  EXPECT_NE(rule.bad, rule.good);
  EXPECT_EQ(FindRule(rule.code)->title, rule.title);
}

INSTANTIATE_TEST_SUITE_P(Rules, EveryRule, testing::ValuesIn(AllRules().begin(), AllRules().end()),
                         [](const auto& one) { return std::string(one.param.code); });

using Texts = std::vector<std::string>;

TEST(Catalogue, EveryRuleHasATextACheckAndALineInTheTable) {
  EXPECT_EQ(MakeCatalogue(RuleFiles(), RuleChecks()).problems, Texts{});
  EXPECT_EQ(AllRules().size(), RuleFiles().size());
  EXPECT_EQ(AllRules().size(), RuleChecks().size());
}

TEST(Catalogue, NamesEveryRuleOnce) {
  std::set<std::string_view> codes;
  for (const Rule& rule : AllRules()) EXPECT_TRUE(codes.insert(rule.code).second) << rule.code;
}

TEST(Catalogue, ListsAFamilyInTheOrderOfItsNumbersAndTheAcceptancesLast) {
  const auto rules = AllRules();
  for (std::size_t i = 1; i < rules.size(); ++i) {
    if (rules[i].code.substr(0, 2) != rules[i - 1].code.substr(0, 2)) continue;
    EXPECT_GT(rules[i].code, rules[i - 1].code);
  }
  EXPECT_EQ(rules.back().code, "AC01");
}

// ---- Rule files that are not what they should be

void CheckNothing([[maybe_unused]] const Subject& subject, [[maybe_unused]] Findings& findings) {}

constexpr std::string_view kText = R"(code: AB01
title: two words
severity: note

=== lesson
A lesson
of two lines.

=== bad
model: 1

tables: {}

=== good
model: 1
)";

Texts ProblemsOf(std::string_view text, std::string_view name = "AB01.rule") {
  const RuleFile file{.name = name, .text = text};
  const RuleCheck check{.code = "AB01", .check = CheckNothing};
  return MakeCatalogue({&file, 1}, {&check, 1}).problems;
}

// What is wrong with kText when one piece of it is replaced.
std::string ProblemWith(std::string_view piece, std::string_view other) {
  std::string text(kText);
  text.replace(text.find(piece), piece.size(), other);
  return ProblemsOf(text).front();
}

TEST(RuleFile, IsReadPartByPart) {
  const RuleFile file{.name = "AB01.rule", .text = kText};
  const RuleCheck check{.code = "AB01", .check = CheckNothing};
  const Catalogue catalogue = MakeCatalogue({&file, 1}, {&check, 1});
  ASSERT_EQ(catalogue.problems, Texts{});
  ASSERT_EQ(catalogue.rules.size(), 1U);
  const Rule& rule = catalogue.rules[0];
  EXPECT_EQ(rule.code, "AB01");
  EXPECT_EQ(rule.title, "two words");
  EXPECT_EQ(rule.severity, Severity::kNote);
  EXPECT_EQ(rule.lesson, "A lesson of two lines.");
  EXPECT_EQ(rule.bad, "model: 1\n\ntables: {}\n");
  EXPECT_EQ(rule.good, "model: 1\n");
  EXPECT_EQ(rule.check, CheckNothing);
}

TEST(RuleFile, AProblemNamesFileAndLine) {
  EXPECT_EQ(ProblemWith("title: ", "titel: "), "AB01.rule:2: expected `title: …`");
  EXPECT_EQ(ProblemWith("two words", ""), "AB01.rule:2: the title is empty");
  EXPECT_EQ(ProblemWith("note", "fatal"),
            "AB01.rule:3: the severity is error, warning or note, not `fatal`");
  EXPECT_EQ(ProblemWith("=== lesson", "=== bad"), "AB01.rule:5: expected `=== lesson`");
  EXPECT_EQ(ProblemWith("lesson\nof", "lesson\n\nof"),
            "AB01.rule:7: a lesson is one paragraph, and `=== bad` follows it");
  EXPECT_EQ(ProblemWith("=== bad", "bad"),
            "AB01.rule:8: a lesson is one paragraph, and `=== bad` follows it");
  EXPECT_EQ(ProblemWith("=== bad", "=== worse"), "AB01.rule:9: expected `=== bad`");
  EXPECT_EQ(ProblemWith("=== good\nmodel: 1\n", "=== good\n"),
            "AB01.rule:14: the section `good` is empty");
  EXPECT_EQ(ProblemWith("=== good\nmodel: 1\n", "=== good\nmodel: 1"),
            "AB01.rule:15: the last line does not end with a line break");
  EXPECT_EQ(ProblemWith("=== good\nmodel: 1\n", "=== good\nmodel: 1\n\n=== better\n"),
            "AB01.rule:17: nothing follows the section `good`");
}

TEST(RuleFile, IsNamedAfterItsCode) {
  EXPECT_EQ(ProblemsOf(kText, "AB02.rule").front(),
            "AB02.rule:1: the code AB01 is not the name of the file");
}

TEST(RuleFile, NeedsACheckAndACheckNeedsAFile) {
  const RuleFile file{.name = "AB01.rule", .text = kText};
  const RuleCheck other{.code = "AB02", .check = CheckNothing};
  EXPECT_EQ(MakeCatalogue({&file, 1}, {&other, 1}).problems,
            (Texts{"AB01.rule:1: checks.inc has no line for AB01",
                   "checks.inc: AB02 has no text/AB02.rule"}));
  EXPECT_TRUE(MakeCatalogue({&file, 1}, {&other, 1}).rules.empty());
}

TEST(RuleFile, HasOneCheckOnly) {
  const RuleFile file{.name = "AB01.rule", .text = kText};
  const std::vector<RuleCheck> twice(2, {.code = "AB01", .check = CheckNothing});
  const Catalogue catalogue = MakeCatalogue({&file, 1}, twice);
  EXPECT_EQ(catalogue.problems, Texts{"checks.inc: AB01 has two lines"});
  EXPECT_EQ(catalogue.rules.size(), 1U);
}

}  // namespace catalogue_test
}  // namespace stator::model
