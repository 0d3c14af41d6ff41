#include "generate/text.h"

#include <gtest/gtest.h>

#include "generate/identifiers.h"

namespace stator::model {
namespace text_test {

TEST(Quote, NothingEscapesFromItsLiteral) {
  EXPECT_EQ(HclText("a\"${b}%{c}"), R"("a\"$${b}%%{c}")");
  EXPECT_EQ(ShellWord("a b'$(rm)"), R"('a b'\''$(rm)')");
  EXPECT_EQ(ShellWord("data-download-jobs"), "data-download-jobs");
  EXPECT_EQ(ShellWord(""), "''");
  EXPECT_EQ(CppText("a\"\\\n1"), R"("a\"\\\0121")");
  EXPECT_EQ(XmlText("<a b=\"c\">&\x01"), "&lt;a b=&quot;c&quot;&gt;&amp; ");
  EXPECT_EQ(CommentText("a\nb*/\\"), "a b* / ");
}

TEST(Quote, YamlQuotesWhatItWouldReadAsSomethingElse) {
  for (const std::string word : {"no", "N", "on", "TRUE", "null", "1.5", "", "a: b", "- a", "#x"}) {
    EXPECT_EQ(YamlText(word).front(), '"') << word;
  }
  EXPECT_EQ(YamlText("FileID"), "FileID");
  EXPECT_EQ(YamlText("tournament.matches"), "tournament.matches");
}

TEST(JsonLayout, ShortValuesStayOnTheirLine) {
  EXPECT_EQ(LayOutJson(R"([{"a":1,"b":[]},{"c":"x, y: {z}"}])"),
            "[\n  {\"a\": 1, \"b\": []},\n  {\"c\": \"x, y: {z}\"}\n]");
}

TEST(JsonLayout, LongValuesAreBrokenAtEveryLevelThatIsTooLong) {
  EXPECT_EQ(LayOutJson(R"({"a":{"b":["123456","123456"]}})", {.columns = 25}),
            "{\n  \"a\": {\n    \"b\": [\"123456\", \"123456\"]\n  }\n}");
}

TEST(JsonLayout, EmptyAndEscaped) {
  EXPECT_EQ(LayOutJson("{}"), "{}");
  EXPECT_EQ(LayOutJson(R"("a\"]")"), R"("a\"]")");
}

TEST(Identifiers, WordsEndAtCaseDigitsAndSigns) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"FileID", "file_id"},
      {"data-download_jobs", "data_download_jobs"},
      {"GSI1PK", "gsi1_pk"},
      {"statusUpdatedAt", "status_updated_at"},
      {"XMLFile", "xml_file"},
      {"2fast", "n2fast"},
      {"tournament.matches", "tournament_matches"},
      {"é#", "unnamed"},
      {"", "unnamed"},
  };
  for (const auto& [name, snake] : cases) EXPECT_EQ(SnakeName(name), snake) << name;
  EXPECT_EQ(PascalName("data-download_jobs"), "DataDownloadJobs");
  EXPECT_EQ(PascalName("2fast"), "N2fast");
  EXPECT_EQ(CamelName("data-download_jobs"), "dataDownloadJobs");
}

TEST(Identifiers, ANameThatIsTakenGetsANumber) {
  NameSet names({"node"});
  EXPECT_EQ(names.Add("jobs"), "jobs");
  EXPECT_EQ(names.Add("jobs"), "jobs2");
  EXPECT_EQ(names.Add("jobs"), "jobs3");
  EXPECT_EQ(names.Add("node"), "node2");
}

}  // namespace text_test
}  // namespace stator::model
