// The program as people use it: its options and its exit codes.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace stator::systems::downloads {
namespace {

class DownloadsProgram : public ::testing::Test {
 protected:
  DownloadsProgram() {
    std::string path = (std::filesystem::temp_directory_path() / "downloads-XXXXXX").string();
    folder_ = ::mkdtemp(path.data());
  }
  ~DownloadsProgram() override { std::filesystem::remove_all(folder_); }

  // All that it prints; `status_` is its exit code.
  std::string Run(const std::string& arguments) {
    const std::string command = std::string(STATOR_SYSTEM_PROGRAM) + " " + arguments + " 2>&1";
    std::string output;
    FILE* pipe = ::popen(command.c_str(), "r");
    std::array<char, 4096> buffer{};
    while (const std::size_t read = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
      output.append(buffer.data(), read);
    }
    status_ = WEXITSTATUS(::pclose(pipe));
    return output;
  }

  std::string folder_;
  int status_ = -1;
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

}  // namespace
}  // namespace stator::systems::downloads
