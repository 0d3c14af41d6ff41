// The program as people use it: its options and its exit codes.
#include "tests/systems/system_fixture.h"

namespace stator::systems::downloads {
namespace program_test {

class DownloadsProgram : public testing::ProgramTest {
 protected:
  std::string Run(const std::string& arguments) { return RunSystem(arguments); }
};

TEST_F(DownloadsProgram, TakesThePlaceOfItsTablesBeforeOrBehindTheCommand) {
  const std::string place = "--data " + folder_ + "/data ";
  const std::string before = Run(place + "dashboard --date 2026-02-28");
  EXPECT_EQ(status_, 0) << before;
  EXPECT_NE(before.find("no batch of 2026-02-28"), std::string::npos) << before;
  EXPECT_EQ(Run("dashboard --date 2026-02-28 " + place), before);
}

TEST_F(DownloadsProgram, TellsWrongUsageFromFailure) {
  Run("dashboard --date 2026-02-28");
  EXPECT_EQ(status_, 2);
  Run("dashboard --endpoint nonsense");
  EXPECT_EQ(status_, 2);
  Run("dashboard --clock nonsense --data " + folder_ + "/data");
  EXPECT_EQ(status_, 2);
  Run("demo --data " + folder_ + "/data");
  EXPECT_EQ(status_, 2);
  Run("--data " + folder_ + "/data run --date 2026-02-28 --source http://127.0.0.1:1");
  EXPECT_EQ(status_, 1);
}

}  // namespace program_test
}  // namespace stator::systems::downloads
