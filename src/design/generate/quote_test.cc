#include "generate/quote.h"

#include <gtest/gtest.h>

namespace stator::model {
namespace quote_test {

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

}  // namespace quote_test
}  // namespace stator::model
