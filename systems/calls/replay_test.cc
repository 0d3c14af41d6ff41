#include "systems/calls/replay.h"

#include <gtest/gtest.h>

#include <sstream>

#include "systems/program/text.h"
#include "tests/systems/calls_fixture.h"

namespace stator::systems::calls {
namespace replay_test {

using testing::At;
using testing::CallsWorld;
using testing::kNow;

using CallReplay = CallsWorld;

constexpr const char* kJournal = R"(
{"do":"schedule","call":"c1","user":"ann","provider":"p1","at":"2026-03-02T09:00:00Z"}
{"do":"reschedule","call":"c1","version":1,"to":"2026-03-03T09:00:00Z"}
{"do":"reassign","call":"c1","version":2,"user":"ben"}
{"do":"schedule","call":"c2","user":"ann","provider":"p1","at":"2026-03-02T10:00:00Z"}
{"do":"provider","call":"c1","version":3,"provider":"p2"}
{"do":"complete","call":"c1","version":4}
)";

TEST_F(CallReplay, S1_11_AJournalPlayedAgainChangesNothing) {
  std::istringstream first(kJournal);
  const auto played = Replay(book_, first);
  ASSERT_TRUE(played) << played.error();
  EXPECT_EQ(played->done, 6);
  const Call call = **book_.Find("c1");
  EXPECT_EQ(call.user_id, "ben");
  EXPECT_EQ(call.status, "COMPLETED");
  EXPECT_EQ(call.version, 5);

  std::istringstream again(kJournal);
  const auto replayed = Replay(book_, again);
  ASSERT_TRUE(replayed) << replayed.error();
  EXPECT_EQ(replayed->done, 0);
  EXPECT_EQ(replayed->skipped, 6);
  EXPECT_EQ((*book_.Find("c1"))->version, 5);
  EXPECT_TRUE(Audit().empty());
}

TEST_F(CallReplay, NamesTheLineThatCannotBePlayed) {
  const auto error = [&](const char* journal) {
    std::istringstream in(journal);
    const auto played = Replay(book_, in);
    return played ? std::string("played") : played.error();
  };
  EXPECT_EQ(error(R"({"do":"dance","call":"c1","version":1})"),
            "line 1: `dance` is none of schedule, complete, reschedule, reassign, provider");
  EXPECT_EQ(error("\n{}"), "line 2: it needs `do` and `call`");
  EXPECT_EQ(error(R"({"do":"complete","call":"c1"})"),
            "line 1: it needs `version`, the one that the change starts from");
  EXPECT_EQ(error(R"({"do":"complete","call":"c1","version":1})"), "line 1: there is no call c1");
  EXPECT_EQ(error(R"({"do":"schedule","call":"c1","user":"a","provider":"p","at":"+2h"})"),
            "line 1: it needs `at` as 2026-03-02T09:00:00Z");
  EXPECT_EQ(error("{").substr(0, 24), "line 1: it is not JSON: ");
}

TEST(TimeText, ReadsWhatItWrites) {
  EXPECT_EQ(ShortTime(At(kNow)), "2026-02-28T08:00:00Z");
  EXPECT_EQ(ShortTime(At(kNow + 5)), "2026-02-28T08:00:00.005Z");
  for (const std::int64_t time :
       {std::int64_t{0}, kNow, kNow + 5, std::int64_t{9'999'999'999'999}}) {
    EXPECT_EQ(ParseWhen(ShortTime(At(time)), {}), At(time));
  }
  EXPECT_EQ(ParseWhen("+2h", At(kNow)), At(kNow + 7'200'000));
  EXPECT_EQ(ParseWhen("now", At(kNow)), At(kNow));
}

TEST(TimeText, RefusesBareNumbersWhoseUnitNobodyCanSee) {
  for (const char* text : {"1772265600", "1772265600000", "", "tomorrow", "2026-02-30T00:00:00Z"}) {
    EXPECT_FALSE(ParseWhen(text, At(kNow))) << text;
  }
}

}  // namespace replay_test
}  // namespace stator::systems::calls
