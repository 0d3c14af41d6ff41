#include "model/parse/quantity_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>

namespace stator::model {
namespace quantity_text_test {

TEST(DurationText, AddsItsPartsUp) {
  const std::pair<std::string_view, int> cases[] = {
      {"30m", 1800},      {"1d", 86400},       {"92d", 92 * 86400}, {"1500ms", 2},
      {"2w", 14 * 86400}, {"1y", 365 * 86400}, {"1d 12h", 129600},  {"0.5h", 1800},
      {"5min", 300},      {"0s", 0},
  };
  for (const auto& [text, seconds] : cases) {
    const auto read = ReadDuration(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(read->count(), seconds) << text;
  }
}

TEST(DurationText, RefusesWhatIsNone) {
  for (const std::string_view text : {"", "30", "d", "1 month", "-1d", "1e9y", "1001y", "30m!"}) {
    EXPECT_FALSE(ReadDuration(text)) << text;
  }
}

TEST(DurationText, NowHasADistance) {
  EXPECT_EQ(ReadNow("now")->count(), 0);
  EXPECT_EQ(ReadNow("now+30d")->count(), 30 * 86400);
  EXPECT_EQ(ReadNow("now - 30m")->count(), -1800);
  EXPECT_FALSE(ReadNow("now*2"));
  EXPECT_FALSE(ReadNow("later"));
}

TEST(AmountText, HasAUsualAndAGreatestValue) {
  const auto expect = [](std::string_view text, double typical, double max) {
    const auto amount = ReadAmount(text);
    ASSERT_TRUE(amount) << text;
    EXPECT_EQ(amount->typical, typical) << text;
    EXPECT_EQ(amount->max, max) << text;
  };
  expect("500/1500", 500, 1500);
  expect("12", 12, 12);
  expect("1e6", 1e6, 1e6);
  expect("1_000_000", 1e6, 1e6);
  expect("30 KB", 30720, 30720);
  expect("1 KB/2 KB", 1024, 2048);
  expect("0/500", 0, 500);
}

TEST(AmountText, RefusesWhatIsNone) {
  for (const std::string_view text :
       {"", "5/3", "-1", "1/2/3", "x", "1 XB", "nan", "inf", "1__0"}) {
    EXPECT_FALSE(ReadAmount(text)) << text;
  }
}

TEST(ShareText, IsAPercentageOrAFraction) {
  EXPECT_DOUBLE_EQ(*ReadShare("5%"), 0.05);
  EXPECT_DOUBLE_EQ(*ReadShare("0.01"), 0.01);
  EXPECT_FALSE(ReadShare("101%"));
  EXPECT_FALSE(ReadShare("2"));
}

TEST(CountText, IsWhole) {
  EXPECT_EQ(*ReadCount("10", 100), 10);
  EXPECT_FALSE(ReadCount("0", 100));
  EXPECT_FALSE(ReadCount("101", 100));
  EXPECT_FALSE(ReadCount("1.5", 100));
}

TEST(FactorText, MayEndWithAnX) {
  EXPECT_EQ(*ReadFactor("6x"), 6);
  EXPECT_EQ(*ReadFactor("2.5"), 2.5);
  EXPECT_FALSE(ReadFactor("0.5x"));
}

Assumptions WithRates() {
  Assumptions assume;
  assume.rates["msgs"] = {2};
  return assume;
}

TEST(RateText, IsASumOfProducts) {
  const Assumptions assume = WithRates();
  const std::pair<std::string_view, double> cases[] = {
      {"10/day", 10.0 / 86400},
      {"0.5/s", 0.5},
      {"3/week", 3.0 / 604800},
      {"60/min", 1},
      {"3600/h", 1},
      {"$msgs", 2},
      {"2 * $msgs", 4},
      {"$msgs * 5%", 0.1},
      {"1/s + $msgs", 3},
      {"$msgs - 1/s", 1},
      {"$msgs/4", 0.5},
      {"2*3*$msgs + 1/s", 13},
      {"0", 0},
      {"1e3/s", 1000},
      {"30/month", 30.0 / (30 * 86400)},
  };
  for (const auto& [text, per_second] : cases) {
    const auto rate = ReadRate(text, assume);
    ASSERT_TRUE(rate) << text << ": " << rate.error();
    EXPECT_DOUBLE_EQ(rate->per_second, per_second) << text;
  }
}

TEST(RateText, RefusesWhatIsNone) {
  const Assumptions assume = WithRates();
  for (const std::string_view text :
       {"", "10", "10/fortnight", "$msg", "$msgs * $msgs", "5 + $msgs", "1/s - $msgs", "$msgs/0",
        "/day", "10/day/day", "*"}) {
    EXPECT_FALSE(ReadRate(text, assume)) << text;
  }
}

TEST(RateText, NamesTheNearestRate) {
  EXPECT_NE(ReadRate("$msg", WithRates()).error().find("`msgs`"), std::string::npos);
}

RC_GTEST_PROP(SmallGrammars, AnyTextIsReadOrRefused, (const std::string& text)) {
  const Assumptions assume = WithRates();
  const auto duration = ReadDuration(text);
  const auto amount = ReadAmount(text);
  const auto rate = ReadRate(text, assume);
  RC_ASSERT(!duration || duration->count() >= 0);
  RC_ASSERT(!amount || amount->typical <= amount->max);
  RC_ASSERT(!rate || rate->per_second >= 0);
}

}  // namespace quantity_text_test
}  // namespace stator::model
