#include "systems/downloads/progress.h"

#include <gtest/gtest.h>

namespace stator::systems::downloads {
namespace progress_test {

TEST(Progress, ShowsEachFileUnderWayAndTheDay) {
  const DayProgress day{
      .files = 10,
      .files_ended = 3,
      .bytes = 80'000'000,
      .bytes_there = 20'000'000,
      .bytes_received = 10'000'000,
      .under_way = {{"accounts-2026-02-28", 8'000'000, 2'000'000}, {"EU-2026-02-28", 500, 0}}};
  EXPECT_EQ(
      ProgressLines(day, std::chrono::seconds(5), 200),
      (std::vector<std::string>{"accounts-2026-02-28  [#####...............]  2.0 MB of 8.0 MB",
                                "EU-2026-02-28        [....................]  0 bytes of 500 bytes",
                                "3 of 10 files, 20.0 MB of 80.0 MB, 2.0 MB/s, 0:30 left"}));
}

TEST(Progress, KnowsNoTimeBeforeTheFirstByte) {
  EXPECT_EQ(ProgressLines({.files = 1, .bytes = 10}, std::chrono::seconds(1), 80),
            std::vector<std::string>{"0 of 1 files, 0 bytes of 10 bytes"});
}

TEST(Progress, FitsIntoTheTerminal) {
  DayProgress day{.files = 60, .bytes = 1};
  for (int i = 0; i < 60; ++i) day.under_way.push_back({"file" + std::to_string(i), 1, 0});
  const auto lines = ProgressLines(day, std::chrono::seconds(1), 30);
  ASSERT_EQ(lines.size(), 10U);
  EXPECT_EQ(lines[8], "and 52 more");
  for (const std::string& line : lines) EXPECT_LE(line.size(), 30U);
}

TEST(Progress, TellsLongTimesInHours) {
  const DayProgress day{
      .files = 2, .bytes = 2'000'000, .bytes_there = 1'000, .bytes_received = 1'000};
  EXPECT_NE(
      ProgressLines(day, std::chrono::seconds(2), 100).back().find("500 bytes/s, 1:06:38 left"),
      std::string::npos)
      << ProgressLines(day, std::chrono::seconds(2), 100).back();
}

TEST(Progress, TellsSizesAsPeopleDo) {
  EXPECT_EQ(BytesText(999), "999 bytes");
  EXPECT_EQ(BytesText(1'000), "1.0 KB");
  EXPECT_EQ(BytesText(999'949), "999.9 KB");
  EXPECT_EQ(BytesText(999'950), "1.0 MB");
  EXPECT_EQ(BytesText(5'000'000'000'000), "5.0 TB");
}

}  // namespace progress_test
}  // namespace stator::systems::downloads
