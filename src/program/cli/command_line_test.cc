#include "cli/command_line.h"

#include <gtest/gtest.h>

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
}

TEST(CommandLine, VersionIsPrinted) {
  EXPECT_EQ(Print({"version"}).text, Print({"--version"}).text);
  EXPECT_TRUE(Print({"version"}).text.starts_with("stator "));
}

}  // namespace command_line_test
}  // namespace stator::cli
