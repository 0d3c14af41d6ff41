#include "cli/transfer_command.h"

#include <gtest/gtest.h>

#include "cli/command_line.h"
#include "cli/progress_line.h"

namespace stator::cli {
namespace transfer_command_test {

template <class Wish>
Wish Parse(std::vector<std::string> arguments) {
  const Command command = ParseCommandLine(std::move(arguments));
  if (const auto* print = std::get_if<PrintCommand>(&command)) ADD_FAILURE() << print->text;
  const Wish* wish = std::get_if<Wish>(&command);
  return wish ? *wish : Wish();
}

std::string Refusal(std::vector<std::string> arguments) {
  const Command command = ParseCommandLine(std::move(arguments));
  const auto* print = std::get_if<PrintCommand>(&command);
  if (!print || print->exit_code != kExitUsage) return "accepted";
  return print->text;
}

TEST(TransferCommands, OptionsReachTheirPlaces) {
  const auto backup = Parse<BackupCommand>({"backup", "Music", "--data", "d", "--name", "n"});
  EXPECT_EQ(backup.table, "Music");
  EXPECT_EQ(backup.source.directory, "d");
  EXPECT_EQ(backup.name, "n");
  const auto restore = Parse<RestoreCommand>(
      {"restore", "Music", "Old", "--endpoint", "http://x", "--at", "2026-01-30T12:00:00Z"});
  EXPECT_EQ(restore.from, "Music");
  EXPECT_EQ(restore.table, "Old");
  const auto exported =
      Parse<ExportCommand>({"export", "Music", "s3://b/p", "--data", "d", "--s3-root", "r",
                            "--format", "ion", "--enable-recovery"});
  EXPECT_EQ(exported.url, "s3://b/p");
  EXPECT_EQ(exported.source.s3_root, "r");
  EXPECT_TRUE(exported.enable_recovery);
  const auto imported =
      Parse<ImportCommand>({"import", "s3://b/p", "New", "--endpoint", "http://x", "--key", "pk:S",
                            "--format", "csv", "--headers", "a,b"});
  EXPECT_EQ(imported.headers, (std::vector<std::string>{"a", "b"}));
}

TEST(TransferCommands, WhatCannotGoTogetherIsRefused) {
  EXPECT_NE(Refusal({"backup", "Music"}).find("--endpoint URL"), std::string::npos);
  EXPECT_NE(Refusal({"backup", "Music", "--data", "d", "--endpoint", "u"}), "accepted");
  EXPECT_NE(Refusal({"backup", "--data", "d"}).find("which table"), std::string::npos);
  EXPECT_NE(Refusal({"restore", "a", "b", "--data", "d", "--at", "later"}).find("--at"),
            std::string::npos);
  EXPECT_NE(Refusal({"export", "a", "s3://b", "--data", "d"}).find("--s3-root"), std::string::npos);
  EXPECT_NE(Refusal({"export", "a", "/tmp", "--endpoint", "u"}).find("s3://"), std::string::npos);
  EXPECT_NE(Refusal({"export", "a", "s3://b", "--endpoint", "u", "--until", "5"}).find("--since"),
            std::string::npos);
  EXPECT_NE(Refusal({"import", "s3://b", "a", "--endpoint", "u"}).find("--key"), std::string::npos);
  EXPECT_NE(Refusal({"import", "s3://b", "a", "--endpoint", "u", "--key", "pk"}).find("--key"),
            std::string::npos);
}

TEST(TransferCommands, HelpTeachesWithExamples) {
  for (const std::string name : {"backup", "restore", "export", "import"}) {
    const Command command = ParseCommandLine({"help", name});
    const auto* print = std::get_if<PrintCommand>(&command);
    ASSERT_NE(print, nullptr);
    EXPECT_EQ(print->exit_code, kExitOk);
    EXPECT_NE(print->text.find("Usage: stator " + name + " "), std::string::npos) << print->text;
    EXPECT_NE(print->text.find("Examples:\n  stator " + name + " "), std::string::npos);
  }
}

TEST(ProgressLine, ABarGrowsWithTheWork) {
  EXPECT_EQ(ProgressText({.done = 0, .total = 10, .text = "x"}),
            "[----------------------------]   0%  x");
  EXPECT_EQ(ProgressText({.done = 5, .total = 10, .text = "x"}),
            "[##############--------------]  50%  x");
  EXPECT_EQ(ProgressText({.done = 20, .total = 10, .text = "x"}),
            "[############################] 100%  x");
  EXPECT_EQ(ProgressText({.done = 5, .total = {}, .text = "5 items"}), "5 items");
}

}  // namespace transfer_command_test
}  // namespace stator::cli
