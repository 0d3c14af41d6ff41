#include "tests/cases/runner/case_file.h"

#include <gtest/gtest.h>

#include <fstream>

namespace stator::cases {
namespace case_file_test {

ParsedCase Parse(std::string_view text) { return ParseCase(text, "t.case", testing::TempDir()); }

TEST(CaseFile, ACallHasAnOperationARequestAStatusAndABody) {
  const auto parsed = Parse(
      "# a comment\n"
      "> GetItem\n"
      "{\"TableName\": \"T\",\n"
      "  \"Key\": {}}\n"
      "< 200\n"
      "{}\n");
  ASSERT_TRUE(parsed) << parsed.error();
  ASSERT_EQ(parsed->steps.size(), 1U);
  const Step& step = parsed->steps[0];
  EXPECT_EQ(step.place, "t.case:2");
  EXPECT_EQ(step.call.operation, "GetItem");
  EXPECT_EQ(step.call.request, "{\"TableName\": \"T\",\n\"Key\": {}}");
  EXPECT_EQ(step.call.status, 200);
  EXPECT_EQ(step.call.error_type, "");
  EXPECT_EQ(step.call.expected, "{}");
}

TEST(CaseFile, AnErrorNamesItsType) {
  const auto parsed = Parse("> GetItem\n{}\n< 400 ValidationException\nThe message\n");
  ASSERT_TRUE(parsed) << parsed.error();
  EXPECT_EQ(parsed->steps[0].call.error_type, "ValidationException");
  EXPECT_EQ(parsed->steps[0].call.expected, "The message");
}

TEST(CaseFile, HeaderLinesChooseTheWordingAndWait) {
  const auto parsed = Parse("wording: classic\nwait: background\n");
  ASSERT_TRUE(parsed) << parsed.error();
  EXPECT_TRUE(parsed->classic_wording);
  ASSERT_EQ(parsed->steps.size(), 1U);
  EXPECT_EQ(parsed->steps[0].kind, Step::Kind::kWaitForBackground);
}

TEST(CaseFile, ACaseSetsAndAdvancesItsClock) {
  const auto parsed = Parse("clock: fixed:1767225600\nadvance: 31d\nadvance: -1.5s\n");
  ASSERT_TRUE(parsed) << parsed.error();
  EXPECT_EQ(parsed->clock.mode, ClockMode::kFixed);
  ASSERT_EQ(parsed->steps.size(), 2U);
  EXPECT_EQ(parsed->steps[0].kind, Step::Kind::kAdvanceClock);
  EXPECT_EQ(parsed->steps[0].advance, std::chrono::days(31));
  EXPECT_EQ(parsed->steps[1].advance, std::chrono::milliseconds(-1500));
}

TEST(CaseFile, IncludedStepsRunWhereTheyAreIncluded) {
  std::ofstream(testing::TempDir() + "/included.case") << "> ListTables\n{}\n< 200\n";
  const auto parsed = Parse("include: included.case\n> DescribeLimits\n{}\n< 200\n");
  ASSERT_TRUE(parsed) << parsed.error();
  ASSERT_EQ(parsed->steps.size(), 2U);
  EXPECT_EQ(parsed->steps[0].place, "included.case:1");
  EXPECT_EQ(parsed->steps[1].call.operation, "DescribeLimits");
}

TEST(CaseFile, MistakesAreReportedWithTheirLine) {
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"> GetItem\n{}\n", "t.case:2: the request before this line has no answer"},
      {"{}\n", "t.case:1: this line belongs to no request or answer"},
      {"< 200\n", "t.case:1: '<' must follow a request"},
      {">\n", "t.case:1: an operation must follow '>'"},
      {"> A\n{}\n< ok\n", "t.case:3: an HTTP status must follow '<'"},
      {"> A\n{}\n< 400\n", "t.case:3: an error has a type, a success has none"},
      {"> A\n{}\n< 200 Fine\n", "t.case:3: an error has a type, a success has none"},
      {"wording: baroque\n", "t.case:1: the only wording to choose is 'classic'"},
      {"wait: tea\n", "t.case:1: the only thing to wait for is 'background'"},
      {"advance: soon\n", "t.case:1: a duration such as 31d, -2h or 1.5s must follow 'advance:'"},
  };
  for (const auto& [text, message] : mistakes) {
    const auto parsed = Parse(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error(), message);
  }
}

TEST(CaseFile, AFileThatIncludesItselfIsRefused) {
  std::ofstream(testing::TempDir() + "/circle.case") << "include: circle.case\n";
  const auto parsed = Parse("include: circle.case\n");
  ASSERT_FALSE(parsed);
  EXPECT_TRUE(parsed.error().ends_with("includes are nested too deep")) << parsed.error();
}

TEST(Expansion, RepeatsATextWithASeparatorAndACount) {
  EXPECT_EQ(Expand("[{{repeat 3 `{\"N\": \"$i\"}` `, `}}]", {}),
            R"([{"N": "1"}, {"N": "2"}, {"N": "3"}])");
  EXPECT_EQ(Expand("{{repeat 4 `ab`}}!", {}), "abababab!");
  EXPECT_EQ(Expand("{{repeat 0 `ab` `,`}}", {}), "");
}

TEST(Expansion, ClosingBracesBetweenBackquotesBelongToTheText) {
  EXPECT_EQ(Expand("{{repeat 2 `}}`}}", {}), "}}}}");
}

TEST(Expansion, InsertsSavedValues) {
  EXPECT_EQ(Expand(R"({"Key": {{key}}})", {{"key", R"({"S": "a"})"}}), R"({"Key": {"S": "a"}})");
}

TEST(Expansion, InsertsASavedTextWithoutItsQuotes) {
  EXPECT_EQ(Expand(R"("a/{{text label}}")", {{"label", R"("b")"}}), R"("a/b")");
  EXPECT_FALSE(Expand("{{text number}}", {{"number", "5"}}));
}

TEST(Expansion, LeavesOtherBracesAlone) { EXPECT_EQ(Expand(R"({"a": {}})", {}), R"({"a": {}})"); }

TEST(Expansion, SaysWhatIsWrong) {
  EXPECT_FALSE(Expand("{{unknown}}", {}));
  EXPECT_FALSE(Expand("{{repeat 3 `a`", {}));
  EXPECT_FALSE(Expand("{{repeat many `a`}}", {}));
  EXPECT_FALSE(Expand("{{repeat 3 a}}", {}));
}

}  // namespace case_file_test
}  // namespace stator::cases
