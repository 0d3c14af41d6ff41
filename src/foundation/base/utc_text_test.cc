#include "base/utc_text.h"

#include <gtest/gtest.h>

#include <chrono>

namespace stator {
namespace utc_text_test {

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

}  // namespace utc_text_test
}  // namespace stator
