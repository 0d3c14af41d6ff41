#include "cli/bench_command.h"

#include <gtest/gtest.h>

#include "cli/command_line.h"

namespace stator::cli {
namespace bench_command_test {

Command Parse(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "bench");
  return ParseCommandLine(std::move(arguments));
}

TEST(BenchCommand, EveryOptionReachesItsPlace) {
  const Command command = Parse({"--endpoint",    "http://127.0.0.1:8000",
                                 "--workload",    "mix-a",
                                 "--connections", "8",
                                 "--items",       "500",
                                 "--item-bytes",  "200",
                                 "--attributes",  "5",
                                 "--seconds",     "2.5",
                                 "--rate",        "1000",
                                 "--keys",        "zipfian",
                                 "--table",       "t",
                                 "--threads",     "2",
                                 "--json",        "-",
                                 "--seed",        "9",
                                 "--skip-load",   "--keep",
                                 "--sign"});
  const auto* options = std::get_if<bench::Options>(&command);
  ASSERT_NE(options, nullptr);
  EXPECT_EQ(options->endpoint, "http://127.0.0.1:8000");
  EXPECT_EQ(options->workload, "mix-a");
  EXPECT_EQ(options->connections, 8);
  EXPECT_EQ(options->items, 500U);
  EXPECT_EQ(options->item_bytes, 200U);
  EXPECT_EQ(options->attributes, 5U);
  EXPECT_EQ(options->seconds, 2.5);
  EXPECT_EQ(options->rate, 1000);
  EXPECT_EQ(options->keys, bench::KeyDistribution::kZipfian);
  EXPECT_EQ(options->table, "t");
  EXPECT_EQ(options->threads, 2);
  EXPECT_EQ(options->json_file, "-");
  EXPECT_EQ(options->seed, 9U);
  EXPECT_TRUE(options->skip_load && options->keep && options->sign);
}

TEST(BenchCommand, MistakesAreUsageErrors) {
  const std::vector<std::string> endpoint = {"--endpoint", "http://127.0.0.1:8000"};
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--workload", "frobnicate"},
                                               {"--connections", "0"},
                                               {"--seconds", "-1"},
                                               {"--keys", "some"}}) {
    std::vector<std::string> arguments = endpoint;
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Command command = Parse(arguments);
    const auto* print = std::get_if<PrintCommand>(&command);
    ASSERT_NE(print, nullptr) << more[0];
    EXPECT_EQ(print->exit_code, kExitUsage) << more[0];
    EXPECT_NE(print->text.find("stator help bench"), std::string::npos) << print->text;
  }
  EXPECT_TRUE(std::holds_alternative<PrintCommand>(Parse({})));  // no endpoint
}

TEST(BenchCommand, HelpNamesEveryWorkload) {
  const Command command = ParseCommandLine({"help", "bench"});
  const auto& print = std::get<PrintCommand>(command);
  EXPECT_EQ(print.exit_code, kExitOk);
  for (const bench::Workload& workload : bench::AllWorkloads()) {
    EXPECT_NE(print.text.find(workload.description), std::string::npos) << workload.name;
  }
}

}  // namespace bench_command_test
}  // namespace stator::cli
