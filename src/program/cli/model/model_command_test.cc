#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <variant>

#include "cli/command_line.h"
#include "cli/model/measured_units.h"

namespace stator::cli {
namespace model_command_test {

struct Output {
  int exit_code = -1;
  std::string out;
  std::string error;
};

Output RunStator(std::vector<std::string> arguments) {
  const Command command = ParseCommandLine(std::move(arguments));
  const auto* task = std::get_if<Task>(&command);
  if (task == nullptr) return {};
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Output output;
  output.exit_code = task->run();
  output.out = testing::internal::GetCapturedStdout();
  output.error = testing::internal::GetCapturedStderr();
  return output;
}

class CheckCommandTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& patterns) const {
    std::ofstream(path_)
        << "model: 1\n"
           "tables: {notes: {key: \"owner str, id str\", pitr: 35d, protect: true}}\n"
           "entities:\n"
           "  Note: {table: notes, attrs: {owner: str 20, id: str ulid}, volume: "
           "{total: 900, per: {owner: 20/50}}}\n"
           "patterns:\n"
        << patterns;
    return path_;
  }
  void TearDown() override { std::filesystem::remove(path_); }

 private:
  std::string path_ = testing::TempDir() + "model_command_test.yaml";
};

constexpr const char* kClean =
    "  add: {write: Note.create, guard: not_exists, rate: 10/day}\n"
    "  mine: {query: notes, where: owner = $o, page: 25, rate: 10/day}\n";

TEST_F(CheckCommandTest, ACleanModelExitsWithZero) {
  const Output output = RunStator({"check", Write(kClean), "--no-color"});
  EXPECT_EQ(output.exit_code, kExitOk) << output.out;
  EXPECT_NE(output.out.find("Query notes: owner = $o"), std::string::npos) << output.out;
}

TEST_F(CheckCommandTest, AFindingExitsWithOne) {
  const std::string path = Write(std::string(kClean) + "  all: {scan: notes, rate: 1/day}\n");
  const Output output = RunStator({"check", path});
  EXPECT_EQ(output.exit_code, kExitFailure);
  EXPECT_NE(output.out.find(":8:3 AP02 error"), std::string::npos) << output.out;
  EXPECT_EQ(RunStator({"check", path, "--sarif"}).exit_code, kExitFailure);
  EXPECT_EQ(RunStator({"check", path, "--json"}).out.front(), '{');
}

TEST_F(CheckCommandTest, EveryProblemOfFormIsPrinted) {
  const Output output = RunStator({"check", Write("  a: {scan: nots}\n  b: {scam: notes}\n")});
  EXPECT_EQ(output.exit_code, kExitUsage);
  EXPECT_NE(output.error.find(":6:"), std::string::npos) << output.error;
  EXPECT_NE(output.error.find(":7:"), std::string::npos) << output.error;
}

TEST_F(CheckCommandTest, ProblemsOfFormArePrintedForProgramsToo) {
  const std::string path = Write("  a: {scan: nots}\n");
  const Output json = RunStator({"check", path, "--json"});
  EXPECT_EQ(json.exit_code, kExitUsage);
  EXPECT_NE(json.out.find(R"("problems":[{"line":6,"column":13,"message":"unknown table `nots`)"),
            std::string::npos)
      << json.out;
  const Output sarif = RunStator({"check", path, "--sarif"});
  EXPECT_NE(sarif.out.find(R"("startLine":6,"startColumn":13)"), std::string::npos) << sarif.out;
  EXPECT_EQ(sarif.error, "");
}

TEST(ExplainCommand, TeachesOneRuleOrListsAll) {
  EXPECT_TRUE(RunStator({"explain", "ap08"}).out.starts_with("AP08 (error)"));
  EXPECT_TRUE(RunStator({"explain", "AP08"}).out.starts_with("AP08 (error)"));
  EXPECT_NE(RunStator({"explain"}).out.find("HP01"), std::string::npos);
  EXPECT_EQ(RunStator({"explain", "ZZ99"}).exit_code, kExitUsage);
}

TEST(MeasuredUnits, AreReadFromAPageOfMetrics) {
  const MeasuredByPlace measured = ParseMeasuredUnits(
      "# HELP stator_consumed_units_total Units.\n"
      "stator_tables 3\n"
      "stator_consumed_units_total{table=\"Calls\",index=\"\",kind=\"read\"} 0.5\n"
      "stator_consumed_units_total{table=\"Calls\",index=\"\",kind=\"write\"} 12\n"
      "stator_consumed_units_total{table=\"Calls\",index=\"byCallId\",kind=\"write\"} 4\n"
      "stator_consumed_units_total{broken\n");
  ASSERT_EQ(measured.size(), 2U);
  EXPECT_EQ(measured.at({"Calls", ""}).reads, 0.5);
  EXPECT_EQ(measured.at({"Calls", ""}).writes, 12);
  EXPECT_EQ(measured.at({"Calls", "byCallId"}).writes, 4);
}

}  // namespace model_command_test
}  // namespace stator::cli
