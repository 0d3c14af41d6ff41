#include "base/log.h"

#include <gtest/gtest.h>

namespace stator {
namespace log_test {

TEST(Log, TextLineQuotesOnlyValuesThatNeedIt) {
  EXPECT_EQ(FormatLogLine(LogFormat::kText, "request",
                          {{"operation", "PutItem"}, {"status", 200}, {"note", "two words"}}),
            R"(request operation=PutItem status=200 note="two words")");
}

TEST(Log, JsonLineEscapesQuotesAndControlCharacters) {
  EXPECT_EQ(FormatLogLine(LogFormat::kJson, "request", {{"operation", "a\"b\n"}, {"status", -1}}),
            "\"message\":\"request\",\"operation\":\"a\\\"b\\u000a\",\"status\":-1");
}

TEST(Log, ValueFromOutsideCannotForgeALine) {
  const std::string line = FormatLogLine(LogFormat::kText, "request", {{"target", "x\nforged=1"}});
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(line, R"(request target="x\u000aforged=1")");
}

TEST(Log, LevelNamesAreParsedAndOthersRefused) {
  EXPECT_EQ(ParseLogLevel("debug"), LogLevel::kDebug);
  EXPECT_EQ(ParseLogLevel("off"), LogLevel::kOff);
  EXPECT_FALSE(ParseLogLevel("loud").has_value());
}

TEST(Log, LevelDecidesWhatIsEnabled) {
  ConfigureLog(LogLevel::kWarning, LogFormat::kText);
  EXPECT_FALSE(LogEnabled(LogLevel::kInfo));
  EXPECT_TRUE(LogEnabled(LogLevel::kError));
  ConfigureLog(LogLevel::kOff, LogFormat::kText);
  EXPECT_FALSE(LogEnabled(LogLevel::kError));
  ConfigureLog(LogLevel::kInfo, LogFormat::kText);
}

}  // namespace log_test
}  // namespace stator
