// Whatever a chat calls its people and numbers its messages, they are taken.
#include "systems/homeops/memory/message.h"

#include <fmt/format.h>

#include <set>

#include "tests/systems/homeops_fixture.h"

namespace stator::systems::homeops {
namespace message_test {

std::string Line(std::string_view chat, std::string_view id, std::string_view user,
                 std::string_view name) {
  return fmt::format(
      R"({{"chatId":{},"messageId":{},"userId":{},"userName":{},"timestamp":1772265600,"text":"Har diskat"}})",
      chat, id, user, name);
}

class MessageLines : public HomeOps {};

TEST_F(MessageLines, AreTakenWhateverTheirNamesAndIds) {
  const std::string long_name(600, 'x');
  const std::vector<std::string> lines = {
      Line("-1001234567890", "1", "987654321", R"("Anna")"),
      Line(R"("hemma")", "2", "-5", R"("")"),
      Line(R"("hemma")", "3", "0", "null"),
      Line(R"("hemma")", "4", R"("U02ABC")", R"("Åke # Öberg 👨‍👩‍👧")"),
      Line(R"("hemma")", "5", "123456789012345678901234567890", fmt::format("\"{}\"", long_name)),
      Line(R"("a#b")", "6", "1.5", "17"),
      Line(fmt::format("\"{}\"", std::string(300, 'c')), "7", "-9223372036854775808",
           R"("\u0000")"),
      Line(R"("hemma")", R"("wamid.HBgL#1")", R"("")", R"("Elsa")"),
      Line(R"("hemma")", "-9", "7", R"("DROP TABLE")"),
      Line(R"("hemma")", "99999999999999999999", "7", R"("   ")"),
  };
  std::set<std::int64_t> users;
  for (const std::string& line : lines) {
    const auto message = MessageOfLine(line);
    ASSERT_TRUE(message) << line << ": " << message.error();
    const auto taken = bot.Handle(*message);
    ASSERT_TRUE(taken) << line << ": " << taken.error().message;
    EXPECT_TRUE(taken->failures.empty()) << line << ": " << taken->failures.front();
    users.insert(message->user);
  }
  EXPECT_EQ(users.size(), 8U);  // three lines are from nobody or from user 7
}

TEST_F(MessageLines, KeepTheSameNumbersForTheSameIds) {
  const auto one = MessageOfLine(Line(R"("hemma")", R"("m-1")", R"("u-1")", R"("Anna")"));
  const auto same = MessageOfLine(Line(R"("hemma")", R"("m-1")", R"("u-1")", R"("Anna B")"));
  const auto other = MessageOfLine(Line(R"("hemma")", R"("m-2")", R"("u-2")", R"("Anna")"));
  ASSERT_TRUE(one && same && other);
  EXPECT_EQ(one->user, same->user);
  EXPECT_EQ(one->id, same->id);
  EXPECT_NE(one->user, other->user);
  EXPECT_NE(one->id, other->id);
}

TEST_F(MessageLines, HaveTheirTimeInSecondsMillisecondsOrText) {
  for (const char* time : {"1772265600", "1772265600123", "\"2026-02-28T08:00:00Z\"",
                           "\"2026-02-28T09:00:00.5+01:00\""}) {
    const auto message = MessageOfLine(
        fmt::format(R"({{"chatId":"hemma","messageId":1,"userId":1,"timestamp":{}}})", time));
    ASSERT_TRUE(message) << time << message.error();
    EXPECT_EQ(message->at, kNow) << time;
  }
}

}  // namespace message_test
}  // namespace stator::systems::homeops
