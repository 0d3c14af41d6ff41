#include "base/clock.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <chrono>
#include <thread>
#include <vector>

#include "base/utc_text.h"

namespace stator {
namespace clock_test {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr TimeMs kNewYear2026{milliseconds(1'767'225'600'000)};

// True if the clock is `offset` away from the system's.
bool RunsAt(const TurnableClock& clock, milliseconds offset) {
  const TimeMs before = SystemClock().Now();
  const TimeMs now = clock.Now();
  return before + offset <= now && now <= SystemClock().Now() + offset;
}

TEST(TurnableClock, IsTheSystemsUnlessTold) {
  const TurnableClock clock;
  EXPECT_TRUE(RunsAt(clock, milliseconds(0)));
  EXPECT_EQ(clock.Read().mode, ClockMode::kSystem);
  EXPECT_EQ(clock.Read().offset, milliseconds(0));
}

TEST(TurnableClock, AFixedOneStandsUntilItIsTurned) {
  TurnableClock clock(ClockSetting::FixedAt(kNewYear2026));
  EXPECT_EQ(clock.Now(), kNewYear2026);
  EXPECT_TRUE(clock.Advance(days(31)));
  EXPECT_EQ(clock.Now(), kNewYear2026 + days(31));
  EXPECT_TRUE(clock.Advance(milliseconds(-1)));
  EXPECT_EQ(clock.Now(), kNewYear2026 + days(31) - milliseconds(1));
  EXPECT_TRUE(clock.Set(kNewYear2026 - days(1)));
  EXPECT_EQ(clock.Now(), kNewYear2026 - days(1));
  EXPECT_EQ(clock.Read().mode, ClockMode::kFixed);
  clock.Reset();
  EXPECT_EQ(clock.Now(), kNewYear2026);
}

TEST(TurnableClock, OneWithAnOffsetRunsOn) {
  TurnableClock clock(ClockSetting::OffsetBy(hours(-2)));
  EXPECT_TRUE(RunsAt(clock, hours(-2)));
  EXPECT_EQ(clock.Read().mode, ClockMode::kOffset);
  EXPECT_TRUE(clock.Advance(hours(3)));
  EXPECT_TRUE(RunsAt(clock, hours(1)));
  clock.Reset();
  EXPECT_EQ(clock.Read().offset, hours(-2));
}

TEST(TurnableClock, ARunningOneThatIsSetRunsOnFromThere) {
  TurnableClock clock;
  const TimeMs before = SystemClock().Now();
  EXPECT_TRUE(clock.Set(kNewYear2026));
  const TimeMs now = clock.Now();
  EXPECT_LE(kNewYear2026, now);
  EXPECT_LE(now, kNewYear2026 + (SystemClock().Now() - before));
  EXPECT_EQ(clock.Read().mode, ClockMode::kOffset);
}

TEST(TurnableClock, TurnsThatAddUpToNothingLeaveTheSystemsTime) {
  TurnableClock clock;
  EXPECT_TRUE(clock.Advance(days(31)));
  EXPECT_TRUE(clock.Advance(days(-31)));
  EXPECT_EQ(clock.Read().mode, ClockMode::kSystem);
}

TEST(TurnableClock, RefusesToLeaveItsBounds) {
  for (const ClockSetting& setting : {ClockSetting(), ClockSetting::FixedAt(kNewYear2026)}) {
    TurnableClock clock(setting);
    EXPECT_FALSE(clock.Set(kClockMin - milliseconds(1)));
    EXPECT_FALSE(clock.Set(kClockMax + milliseconds(1)));
    for (const milliseconds by : {milliseconds::min(), milliseconds::max(),
                                  milliseconds(days(-90'000)), milliseconds(days(3'000'000))}) {
      EXPECT_FALSE(clock.Advance(by)) << by.count();
    }
    EXPECT_EQ(clock.Read().mode, setting.mode);
    EXPECT_TRUE(clock.Set(kClockMax));
    EXPECT_EQ(clock.Now(), kClockMax);
    EXPECT_TRUE(clock.Set(kClockMin));
  }
}

TEST(TurnableClock, ImpossibleSettingsShowTheNearestPossibleTime) {
  EXPECT_EQ(TurnableClock(ClockSetting::OffsetBy(milliseconds::min())).Now(), kClockMin);
  EXPECT_EQ(TurnableClock(ClockSetting::OffsetBy(milliseconds::max())).Now(), kClockMax);
  EXPECT_EQ(TurnableClock(ClockSetting::FixedAt(TimeMs::max())).Now(), kClockMax);
  EXPECT_FALSE(ClockSetting::OffsetBy(milliseconds::min()).IsPossible());
  EXPECT_FALSE(ClockSetting::FixedAt(TimeMs::max()).IsPossible());
}

TEST(TurnableClock, TellsItsObserversOfEveryTurnUntilTheyLeave) {
  TurnableClock clock(ClockSetting::FixedAt(kNewYear2026));
  std::vector<TimeMs> seen;
  TurnSubscription first = clock.OnTurn([&] { seen.push_back(clock.Now()); });
  int second_count = 0;
  const TurnSubscription second = clock.OnTurn([&] { ++second_count; });
  clock.Advance(seconds(1));
  clock.Set(kNewYear2026 - seconds(1));
  clock.Advance(milliseconds::max());  // refused: no turn
  clock.Reset();
  EXPECT_EQ(seen, (std::vector<TimeMs>{kNewYear2026 + seconds(1), kNewYear2026 - seconds(1),
                                       kNewYear2026}));
  first.reset();
  clock.Advance(seconds(1));
  EXPECT_EQ(seen.size(), 3U);
  EXPECT_EQ(second_count, 4);
}

TEST(TurnableClock, ManyThreadsTurnItAndNoTurnIsLost) {
  TurnableClock clock(ClockSetting::FixedAt(kNewYear2026));
  std::atomic<int> told = 0;
  const TurnSubscription subscription = clock.OnTurn([&] { ++told; });
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 1000; ++i) {
          const TimeMs before = clock.Now();
          clock.Advance(milliseconds(1));
          EXPECT_LT(before, clock.Now());
          const TurnSubscription mine = clock.OnTurn([] {});
        }
      });
    }
  }
  EXPECT_EQ(clock.Now(), kNewYear2026 + seconds(4));
  EXPECT_EQ(told, 4000);
}

TEST(ParseDuration, TakesASignANumberAndAUnit) {
  EXPECT_EQ(ParseDuration("90"), seconds(90));
  EXPECT_EQ(ParseDuration("+31d"), days(31));
  EXPECT_EQ(ParseDuration("-2h"), hours(-2));
  EXPECT_EQ(ParseDuration("1.5m"), seconds(90));
  EXPECT_EQ(ParseDuration("2w"), days(14));
  EXPECT_EQ(ParseDuration("0.0015s"), milliseconds(2));
  for (const std::string_view text :
       {"",        "+",     "-",   "s",    "d31", "31 d", " 1",
        "1 ",      "1y",    "1D",  "--1",  "+-1", "1.",   ".5",
        "1..5",    "1.5.5", "1e3", "0x10", "inf", "nan",  "99999999999999999999w",
        "3660001d"}) {
    EXPECT_EQ(ParseDuration(text), std::nullopt) << text;
  }
}

TEST(ClockSetting, ParsesWhatTheCommandLineTakes) {
  EXPECT_EQ(ClockSetting::Parse("system")->mode, ClockMode::kSystem);
  for (const std::string_view text : {"fixed:2026-01-01T00:00:00Z", "fixed:1767225600",
                                      "fixed:2026-01-01T00:00:00.000Z", "fixed:1767225600.0"}) {
    const auto parsed = ClockSetting::Parse(text);
    ASSERT_TRUE(parsed) << parsed.error();
    EXPECT_EQ(parsed->mode, ClockMode::kFixed);
    EXPECT_EQ(parsed->fixed, kNewYear2026) << text;
  }
  EXPECT_EQ(ClockSetting::Parse("fixed:2024-02-29T23:59:59.999Z")->fixed,
            TimeMs(milliseconds(1'709'251'199'999)));
  EXPECT_EQ(ClockSetting::Parse("fixed:9999-12-31T23:59:59.999Z")->fixed, kClockMax);
  const auto offset = ClockSetting::Parse("offset:-90m");
  EXPECT_EQ(offset->mode, ClockMode::kOffset);
  EXPECT_EQ(offset->offset, minutes(-90));
}

TEST(ClockSetting, MistakesAreAnsweredWithWhatWouldBeRight) {
  for (const std::string_view text : {"",
                                      "now",
                                      "fixed",
                                      "fixed:",
                                      "offset:",
                                      "fixed:2026-01-01",
                                      "fixed:2026-01-01T00:00:00",
                                      "fixed:2026-01-01T00:00:00+01:00",
                                      "fixed:2026-02-29T00:00:00Z",
                                      "fixed:2026-13-01T00:00:00Z",
                                      "fixed:2026-01-01T24:00:00Z",
                                      "fixed:2026-01-01T00:60:00Z",
                                      "fixed:2026-01-01T00:00:60Z",
                                      "fixed:2026-01-01T00:00:00.Z",
                                      "fixed:2026-01-01T00:00:005Z",
                                      "fixed:2026-01-01 00:00:00Z",
                                      "fixed:-5",
                                      "fixed:+5",
                                      "fixed:tomorrow",
                                      "offset:1y",
                                      "offset:+31d ",
                                      "Fixed:1"}) {
    const auto parsed = ClockSetting::Parse(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_NE(parsed.error().find("fixed:TIME"), std::string::npos) << text;
  }
  for (const std::string_view text :
       {"fixed:0000-01-01T00:00:00Z", "fixed:1969-12-31T23:59:59Z", "fixed:253402300800",
        "offset:-100000d", "offset:300000000000"}) {
    const auto parsed = ClockSetting::Parse(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_NE(parsed.error().find("from 1970 to 9999"), std::string::npos) << parsed.error();
  }
}

TEST(ClockSetting, NoTextBreaksTheParser) {
  EXPECT_TRUE(rc::check([](const std::string& noise) {
    const auto parsed = ClockSetting::Parse("fixed:" + noise);
    RC_ASSERT((!parsed || parsed->IsPossible()));
    ParseDuration(noise);
  }));
  EXPECT_TRUE(rc::check([] {
    std::string text = "fixed:2026-01-01T00:00:00.000Z";
    const auto place = *rc::gen::inRange<std::size_t>(0, text.size());
    text[place] = *rc::gen::elementOf(std::string("0123456789-:TZ. +\0x", 19));
    const auto parsed = ClockSetting::Parse(text);
    RC_ASSERT((!parsed || parsed->IsPossible()));
  }));
}

TEST(TurnableClock, RunsByTheSystemTimeThatItIsGiven) {
  TimeMs system(std::chrono::milliseconds(1'000'000));
  TurnableClock clock({}, [&] { return system; });
  EXPECT_EQ(clock.Now(), system);
  EXPECT_TRUE(clock.Advance(hours(3)));
  system += hours(1);
  EXPECT_EQ(clock.Now(), system + hours(3));
  EXPECT_EQ(clock.Read().offset, hours(3));
}

TEST(TurnableClock, ThatIsSharedShowsWhatAllShow) {
  ClockSetting all;
  TurnableClock clock;
  int turns = 0;
  const TurnSubscription subscription = clock.OnTurn([&] { ++turns; });
  clock.ShareTurns([&](const TurnableClock::Turn& turn) {
    const std::optional<ClockSetting> turned = turn(all);
    if (turned) all = *turned;
    return turned.has_value();
  });
  EXPECT_TRUE(clock.Advance(hours(3)));
  EXPECT_EQ(all.offset, hours(3));
  EXPECT_EQ(clock.Read().offset, hours(0));  // it was not told yet
  EXPECT_EQ(turns, 0);
  clock.Show(all);
  EXPECT_EQ(clock.Read().offset, hours(3));
  EXPECT_EQ(turns, 1);
  EXPECT_FALSE(clock.Set(kClockMax + hours(1)));

  clock.ShareTurns({});
  EXPECT_TRUE(clock.Advance(hours(1)));
  EXPECT_EQ(clock.Shown().offset, hours(4));
  EXPECT_EQ(all.offset, hours(3));
}

TimeMs At(std::int64_t ms) { return TimeMs(std::chrono::milliseconds(ms)); }

TEST(UtcText, IsIsoWithoutAZone) {
  EXPECT_EQ(UtcSeconds(At(1'769'860'800'123)), "2026-01-31T12:00:00");
  EXPECT_EQ(UtcMilliseconds(At(1'769'860'800'123)), "2026-01-31T12:00:00.123");
}

TEST(UtcText, GoesBeyondWhatNanosecondsCanSay) {
  EXPECT_EQ(UtcMilliseconds(At(253'402'300'799'999)), "9999-12-31T23:59:59.999");
}

TEST(UtcText, BeforeTheEpochMillisecondsStillCountForward) {
  EXPECT_EQ(UtcMilliseconds(At(-1)), "1969-12-31T23:59:59.999");
}

}  // namespace clock_test
}  // namespace stator
