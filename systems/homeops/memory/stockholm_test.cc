#include "systems/homeops/memory/stockholm.h"

#include <gtest/gtest.h>

namespace stator::systems::homeops {
namespace stockholm_test {

constexpr std::int64_t kSpring = 1'774'746'000;  // 2026-03-29T01:00:00Z: 02:00 becomes 03:00
constexpr std::int64_t kAutumn = 1'792'890'000;  // 2026-10-25T01:00:00Z: 03:00 becomes 02:00

TEST(Stockholm, S4_13_AnHourIsLeftOutInSpring) {
  EXPECT_EQ(StockholmText(kSpring - 1), "2026-03-29 01:59");
  EXPECT_EQ(StockholmText(kSpring), "2026-03-29 03:00");
  EXPECT_EQ(InStockholm(kSpring).day, "sun");
}

TEST(Stockholm, S4_13_AnHourComesTwiceInAutumn) {
  EXPECT_EQ(StockholmText(kAutumn - 3600), "2026-10-25 02:00");
  EXPECT_EQ(StockholmText(kAutumn - 1), "2026-10-25 02:59");
  EXPECT_EQ(StockholmText(kAutumn), "2026-10-25 02:00");
  EXPECT_EQ(StockholmText(kAutumn + 3600), "2026-10-25 03:00");
}

TEST(Stockholm, WeeksOfTheChangesHave167And169Hours) {
  const std::int64_t spring = WeekStart(kSpring);
  EXPECT_EQ(StockholmText(spring), "2026-03-23 00:00");
  EXPECT_EQ(WeekStart(kSpring + 86'400) - spring, 167 * 3600);
  const std::int64_t autumn = WeekStart(kAutumn);
  EXPECT_EQ(StockholmText(autumn), "2026-10-19 00:00");
  EXPECT_EQ(WeekStart(kAutumn + 86'400) - autumn, 169 * 3600);
}

TEST(Stockholm, AWeekBeginsWithItsOwnFirstSecond) {
  const std::int64_t monday = *FromStockholm("2026-02-23", 0, 0);
  EXPECT_EQ(WeekStart(monday), monday);
  EXPECT_EQ(StockholmText(WeekStart(monday - 1)), "2026-02-16 00:00");
}

TEST(Stockholm, ShownTimesLeadBackToTheirMoments) {
  for (std::int64_t at = kSpring - 50 * 3600; at < kAutumn + 50 * 3600; at += 1800) {
    const StockholmTime shown = InStockholm(at);
    const auto back = FromStockholm(shown.date, shown.hour, shown.minute);
    ASSERT_TRUE(back);
    const bool twice = at >= kAutumn && at < kAutumn + 3600;
    ASSERT_EQ(*back, twice ? at - 3600 : at) << StockholmText(at);
  }
  EXPECT_EQ(FromStockholm("2026-03-29", 2, 30), kSpring);  // does not occur
}

TEST(Stockholm, RefusesWhatIsNoDate) {
  for (const char* date :
       {"", "2026-02-30", "2026-13-01", "26-01-01", "2026/01/01", "0000-01-01"}) {
    EXPECT_FALSE(FromStockholm(date, 0, 0)) << date;
  }
  EXPECT_FALSE(FromStockholm("2026-01-01", 24, 0));
}

TEST(Stockholm, BearsAnyNumber) {
  EXPECT_EQ(InStockholm(INT64_MIN).date, "1970-01-01");
  EXPECT_EQ(InStockholm(INT64_MAX).date.size(), 10U);
}

}  // namespace stockholm_test
}  // namespace stator::systems::homeops
