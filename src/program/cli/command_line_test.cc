#include "cli/command_line.h"

#include <gtest/gtest.h>

#include "bench/workload.h"
#include "cli/progress_line.h"

namespace stator::cli {
namespace command_line_test {

ServeCommand Serve(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "serve");
  const Command command = ParseCommandLine(std::move(arguments));
  if (const auto* print = std::get_if<PrintCommand>(&command)) {
    ADD_FAILURE() << print->text;
    return {};
  }
  return std::get<ServeCommand>(command);
}

PrintCommand Print(std::vector<std::string> arguments) {
  const Command command = ParseCommandLine(std::move(arguments));
  if (!std::holds_alternative<PrintCommand>(command)) {
    ADD_FAILURE() << "parsed as a command";
    return {};
  }
  return std::get<PrintCommand>(command);
}

TEST(CommandLine, ServeAloneIsDurableAndLocal) {
  const ServeCommand command = Serve({});
  EXPECT_EQ(command.database.directory, "stator-data");
  EXPECT_EQ(command.database.durability, Durability::kAlways);
  EXPECT_EQ(command.server.host, "127.0.0.1");
  EXPECT_EQ(command.server.port, 8000);
  EXPECT_FALSE(command.server.accept_unsigned);
  EXPECT_FALSE(command.database.strict_conflicts);
  EXPECT_TRUE(command.server.cors_origin.empty());
}

TEST(CommandLine, EveryOptionReachesItsPlace) {
  const ServeCommand command = Serve({"./music",   "--port",          "0",         "--host",
                                      "127.0.0.2", "--sync=interval", "--cache",   "8MB",
                                      "--wording", "classic",         "--region",  "eu-west-1",
                                      "--account", "123456789012",    "--threads", "3",
                                      "--no-auth", "--cors",          "*",         "--log-level",
                                      "debug",     "--log-format",    "json",      "--conflicts",
                                      "strict"});
  EXPECT_EQ(command.database.directory, "./music");
  EXPECT_EQ(command.server.port, 0);
  EXPECT_EQ(command.server.host, "127.0.0.2");
  EXPECT_EQ(command.database.durability, Durability::kInterval);
  EXPECT_EQ(command.database.cache_bytes, std::size_t{8} << 20);
  EXPECT_TRUE(command.database.classic_wording);
  EXPECT_TRUE(command.database.strict_conflicts);
  EXPECT_EQ(command.database.region, "eu-west-1");
  EXPECT_EQ(command.database.account, "123456789012");
  EXPECT_EQ(command.server.threads, 3U);
  EXPECT_TRUE(command.server.accept_unsigned);
  EXPECT_EQ(command.server.cors_origin, "*");
  EXPECT_EQ(command.log_level, LogLevel::kDebug);
  EXPECT_EQ(command.log_format, LogFormat::kJson);
}

TEST(CommandLine, MemoryHasNoDirectory) {
  EXPECT_TRUE(Serve({"--memory"}).database.directory.empty());
  EXPECT_EQ(Print({"serve", "--memory", "./music"}).exit_code, kExitUsage);
}

TEST(CommandLine, TheClockCanBeSet) {
  EXPECT_EQ(Serve({}).database.clock.mode, ClockMode::kSystem);
  EXPECT_EQ(Serve({"--clock", "offset:-2h"}).database.clock.offset, std::chrono::hours(-2));
  const ClockSetting fixed = Serve({"--clock=fixed:2026-01-01T00:00:00Z"}).database.clock;
  EXPECT_EQ(fixed.mode, ClockMode::kFixed);
  EXPECT_EQ(fixed.fixed, TimeMs(std::chrono::milliseconds(1'767'225'600'000)));
  const PrintCommand refusal = Print({"serve", "--clock", "tomorrow"});
  EXPECT_EQ(refusal.exit_code, kExitUsage);
  EXPECT_NE(refusal.text.find("--clock: 'tomorrow' is not a clock: give "), std::string::npos);
}

TEST(CommandLine, OtherMachinesAreKeptOutUnlessAskedLoudly) {
  const PrintCommand refusal = Print({"serve", "--host", "0.0.0.0"});
  EXPECT_EQ(refusal.exit_code, kExitUsage);
  EXPECT_NE(refusal.text.find("--insecure"), std::string::npos);
  EXPECT_TRUE(Serve({"--host", "0.0.0.0", "--insecure"}).insecure);
  EXPECT_EQ(Serve({"--host", "::1"}).server.host, "::1");
}

TEST(CommandLine, CredentialsLetOtherMachinesIn) {
  const ServeCommand command = Serve({"--credentials", "keys", "--host", "0.0.0.0"});
  EXPECT_EQ(command.server.credentials_file, "keys");
  EXPECT_EQ(command.server.host, "0.0.0.0");
  EXPECT_FALSE(command.insecure);
}

TEST(CommandLine, CredentialsAreNotUndermined) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"serve", "--credentials", "keys", "--no-auth"},
        {"serve", "--credentials", "keys", "--insecure"}}) {
    const PrintCommand refusal = Print(arguments);
    EXPECT_EQ(refusal.exit_code, kExitUsage);
    EXPECT_NE(refusal.text.find(arguments.back()), std::string::npos) << refusal.text;
  }
  EXPECT_EQ(Print({"serve", "--credentials", ""}).exit_code, kExitUsage);
  EXPECT_EQ(Print({"serve", "--credentials="}).exit_code, kExitUsage);
  EXPECT_EQ(Print({"serve", "--credentials"}).exit_code, kExitUsage);
}

TEST(CommandLine, MemoryAndConnectionsAreBounded) {
  const ServeCommand command =
      Serve({"--memory-limit", "1GB", "--memory-per-peer", "256MB", "--connections-per-peer", "7"});
  EXPECT_EQ(command.server.memory_limit, std::size_t{1} << 30);
  EXPECT_EQ(command.server.memory_per_peer, std::size_t{256} << 20);
  EXPECT_EQ(command.server.connections_per_peer, 7U);
  EXPECT_EQ(Print({"serve", "--memory-limit", "1MB"}).exit_code, kExitUsage);
  EXPECT_EQ(Print({"serve", "--connections-per-peer", "0"}).exit_code, kExitUsage);
}

TEST(CommandLine, NamesOfTheServerAreRepeatable) {
  const ServeCommand command =
      Serve({"--allow-host=*.test", "--allow-host", "db.example", "./music"});
  EXPECT_EQ(command.server.allowed_hosts, (std::vector<std::string>{"*.test", "db.example"}));
  EXPECT_EQ(command.database.directory, "./music");
  for (const std::string name : {"", "http://db.example", "db.example:8000"}) {
    EXPECT_EQ(Print({"serve", "--allow-host", name}).exit_code, kExitUsage) << name;
  }
}

TEST(CommandLine, MistakesAreUsageErrors) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"serve", "--port", "70000"},
        {"serve", "--port", "x"},
        {"serve", "--sync", "sometimes"},
        {"serve", "--cache", "much"},
        {"serve", "--account", "12"},
        {"serve", "--threads", "0"},
        {"serve", "--log-level", "loud"},
        {"serve", "--frobnicate"},
        {"frobnicate"}}) {
    EXPECT_EQ(Print(arguments).exit_code, kExitUsage) << arguments.back();
  }
}

TEST(CommandLine, HelpTeachesWithExamples) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"help", "serve"}, {"serve", "--help"}}) {
    const PrintCommand help = Print(arguments);
    EXPECT_EQ(help.exit_code, kExitOk);
    EXPECT_NE(help.text.find("Examples:"), std::string::npos);
    EXPECT_NE(help.text.find("--cors"), std::string::npos);
  }
  EXPECT_NE(Print({"help"}).text.find("Examples:"), std::string::npos);
  EXPECT_NE(Print({}).text.find("Examples:"), std::string::npos);
  EXPECT_EQ(Print({"help"}).text, Print({}).text);
}

TEST(CommandLine, VersionIsPrinted) {
  EXPECT_EQ(Print({"version"}).text, Print({"--version"}).text);
  EXPECT_TRUE(Print({"version"}).text.starts_with("stator "));
}

Command ParseBench(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "bench");
  return ParseCommandLine(std::move(arguments));
}

TEST(BenchCommand, EveryOptionReachesItsPlace) {
  const Command command = ParseBench({"--endpoint",    "http://127.0.0.1:8000",
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
    const Command command = ParseBench(arguments);
    const auto* print = std::get_if<PrintCommand>(&command);
    ASSERT_NE(print, nullptr) << more[0];
    EXPECT_EQ(print->exit_code, kExitUsage) << more[0];
    EXPECT_NE(print->text.find("stator help bench"), std::string::npos) << print->text;
  }
  EXPECT_TRUE(std::holds_alternative<PrintCommand>(ParseBench({})));  // no endpoint
}

TEST(BenchCommand, HelpNamesEveryWorkload) {
  const Command command = ParseCommandLine({"help", "bench"});
  const auto& print = std::get<PrintCommand>(command);
  EXPECT_EQ(print.exit_code, kExitOk);
  for (const bench::Workload& workload : bench::AllWorkloads()) {
    EXPECT_NE(print.text.find(workload.description), std::string::npos) << workload.name;
  }
}

template <class Expected>
Expected Parse(std::vector<std::string> arguments) {
  const Command command = ParseCommandLine(std::move(arguments));
  if (const auto* print = std::get_if<PrintCommand>(&command)) ADD_FAILURE() << print->text;
  const Expected* parsed = std::get_if<Expected>(&command);
  return parsed ? *parsed : Expected();
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

TEST(ProgressLine, WorkOnATableHasARateAndTheTimeThatIsLeft) {
  const Progress progress =
      ProgressOf({.what = "filling GSI1", .read = 400, .changed = 3, .total = 1000}, 2);
  EXPECT_EQ(progress.text, "filling GSI1: 400 read, 3 changed, 200/s, 3 s left");
  EXPECT_EQ(progress.done, 400);
  EXPECT_EQ(ProgressOf({.what = "creating GSI1"}, 2).text, "creating GSI1");
  EXPECT_EQ(ProgressOf({.what = "x", .read = 20, .total = 10}, 2).total, 20);
}

}  // namespace command_line_test
}  // namespace stator::cli
