#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "cli/bench_command.h"
#include "cli/model/model_commands.h"
#include "cli/transfer_command.h"
#include "server/listener.h"
#include "server/options.h"

namespace stator::cli {
namespace {

constexpr const char* kDefaultDirectory = "stator-data";

constexpr const char* kProgramExamples = R"(
Examples:
  stator serve                       keep tables in ./stator-data, answer on port 8000
  stator serve --memory --port 0     keep nothing, answer on any free port
  stator backup Music --data DIR     back a table up, in its data directory
  stator restore Music Old --at 2026-01-30T12:00:00Z --endpoint URL
                                     make a table of the past of another
  stator export Music s3://exports --endpoint URL     write its items to files, as DynamoDB does
  stator import s3://inbox/people.csv People --key name:S --format csv --endpoint URL
                                     make a table of the items in files
  stator bench --endpoint URL        put any DynamoDB endpoint under load
  stator check model.yaml            prove that a design serves its access patterns
  stator help serve                  all options of serve, with examples

Then use any DynamoDB client; any credentials will do unless serve was told --credentials:
  aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000
)";

constexpr const char* kServeExamples = R"(
Examples:
  stator serve ./music               keep tables in ./music
  stator serve --memory --port 0     for tests: nothing on disk, any free port
  stator serve --sync interval       answer writes before they are on disk; a crash of the
                                     machine may lose the last second
  stator serve --clock offset:+31d   live a month ahead (units s m h d w; -2h is behind)
  stator serve --clock fixed:2026-01-01T00:00:00Z      stand still until it is turned:
  curl -H 'Content-Type: application/json' -d '{"advance_seconds": 3600}' \
       http://127.0.0.1:8000/_stator/clock
  stator serve --s3-root ./buckets   let tables be exported to ./buckets/BUCKET/…
  stator serve --credentials keys    answer only who signs with a key of the file keys:
                                       [default]
                                       aws_access_key_id = AKIDEXAMPLE
                                       aws_secret_access_key = wJalrXUtnFEMI
  stator serve --no-auth             for curl: answer requests without a signature
  curl -H 'X-Amz-Target: DynamoDB_20120810.ListTables' \
       -H 'Content-Type: application/x-amz-json-1.0' -d '{}' http://127.0.0.1:8000

When ready, one line on stdout names the address: stator is ready at http://127.0.0.1:8000
GET / tells whether the server is healthy, GET /metrics has its figures for Prometheus.
SIGTERM or SIGINT stops it after the requests in flight; a second one stops it at once.
)";

struct RawOptions {
  ServeCommand command;
  std::string directory;
  bool memory = false;
  std::string wording = "current";
  std::string clock = "system";
  std::string conflicts = "serialize";
  std::string log_level = "info";
  std::string log_format = "text";
};

void AddStorageOptions(CLI::App& serve, RawOptions& raw) {
  static const std::map<std::string, Durability> kSync = {{"always", Durability::kAlways},
                                                          {"interval", Durability::kInterval},
                                                          {"off", Durability::kOff}};
  DatabaseOptions& database = raw.command.database;
  auto* directory = serve.add_option("DIR", raw.directory,
                                     "Where the data lives; created if needed "
                                     "(default: ./stator-data)");
  serve.add_flag("--memory", raw.memory, "Keep everything in memory")->excludes(directory);
  serve
      .add_option("--sync", database.durability,
                  "When a write is answered: always (it is on disk), interval (at once; on disk "
                  "within a second), off (at once)")
      ->transform(CLI::CheckedTransformer(kSync).description(""))
      ->type_name("always|interval|off");
  serve
      .add_option("--s3-root", database.s3_root,
                  "Where exports go and imports come from: its folders are the buckets. Without it "
                  "ExportTableToPointInTime, ImportTable and StartBulkPutItems are refused")
      ->type_name("DIR");
  serve.add_option("--cache", database.cache_bytes, "Memory for cached data (default: 64MB)")
      ->transform(CLI::AsSizeValue(false))
      ->type_name("SIZE");
}

void AddNetworkOptions(CLI::App& serve, RawOptions& raw) {
  server::ServerOptions& server = raw.command.server;
  serve.add_option("--port", server.port, "Port, 0 for any free one (default: 8000)")
      ->check(CLI::Range(0, 65535).description(""))
      ->type_name("PORT");
  serve.add_option("--host", server.host, "Address to listen on (default: 127.0.0.1)")
      ->type_name("ADDRESS");
  serve.add_option("--threads", server.threads, "Event loops (default: one for each core)")
      ->check(CLI::Range(1U, 256U))
      ->type_name("N");
}

void AddSecurityOptions(CLI::App& serve, RawOptions& raw) {
  serve
      .add_option("--credentials", raw.command.server.credentials_file,
                  "Verify the signature of every request: this file, in the form of "
                  "~/.aws/credentials, has the keys of all clients. Other machines may then reach "
                  "the server. It speaks plain HTTP; encryption is for a proxy in front of it, "
                  "which must leave the Host header as it is")
      // An unset variable of a script must not open the server.
      ->check([](const std::string& file) { return std::string(file.empty() ? "no file" : ""); })
      ->type_name("FILE");
  serve.add_flag("--insecure", raw.command.insecure,
                 "Listen on an address that other machines can reach, although signatures are not "
                 "verified (see --credentials): whoever reaches the port owns the data");
  serve.add_flag("--no-auth", raw.command.server.accept_unsigned,
                 "Answer requests without a signature too, as curl sends them. Otherwise they get "
                 "MissingAuthenticationTokenException, as from DynamoDB");
  serve
      .add_option("--cors", raw.command.server.cors_origin,
                  "Let scripts of this web origin use the server, e.g. http://localhost:3000, or "
                  "* for all. Unlike DynamoDB, which allows all, the default is none: any web "
                  "page could read and change your local data")
      ->type_name("ORIGIN");
}

void AddOtherOptions(CLI::App& serve, RawOptions& raw) {
  DatabaseOptions& database = raw.command.database;
  serve
      .add_option("--region", database.region,
                  "Region in ARNs and in verified signatures (default: us-east-1)")
      ->type_name("NAME");
  serve.add_option("--account", database.account, "Account in ARNs (default: 000000000000)")
      ->type_name("DIGITS");
  serve
      .add_option("--wording", raw.wording,
                  "Error messages: current, or classic as DynamoDB worded them before mid-2026")
      ->check(CLI::IsMember({"current", "classic"}).description(""))
      ->type_name("current|classic");
  serve
      .add_option("--clock", raw.clock,
                  "The time that tables go by: system (default), fixed:TIME to stand still, "
                  "offset:DURATION to run ahead or behind. See the examples below, and turn it "
                  "while the server runs with POST /_stator/clock")
      ->type_name("CLOCK");
  serve
      .add_option("--conflicts", raw.conflicts,
                  "Requests that meet an item of a running transaction: serialize (they wait), or "
                  "strict (they get TransactionConflictException, as from DynamoDB)")
      ->check(CLI::IsMember({"serialize", "strict"}).description(""))
      ->type_name("serialize|strict");
  serve.add_flag("--count-units", database.count_units,
                 "Count the capacity units of all requests, by table and index, in /metrics; "
                 "`stator cost --measured` compares them with a model");
  serve.add_option("--log-level", raw.log_level, "debug logs every request (default: info)")
      ->check(CLI::IsMember({"debug", "info", "warning", "error", "off"}).description(""))
      ->type_name("debug|info|warning|error|off");
  serve.add_option("--log-format", raw.log_format, "Lines on stderr (default: text)")
      ->check(CLI::IsMember({"text", "json"}).description(""))
      ->type_name("text|json");
}

Command UsageError(std::string text) {
  return PrintCommand{"stator: " + std::move(text) + "\n", kExitUsage};
}

bool IsAccount(const std::string& text) {
  return text.size() == 12 &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// What single options cannot check.
std::optional<std::string> FindConflict(const RawOptions& raw) {
  const ServeCommand& command = raw.command;
  const bool verifies = !command.server.credentials_file.empty();
  if (verifies && command.server.accept_unsigned) {
    return "--credentials verifies the signature of every request, and --no-auth answers requests "
           "without one: leave one of them out";
  }
  if (verifies && command.insecure) {
    return "--insecure is for servers that do not verify signatures; with --credentials, leave it "
           "out";
  }
  if (!server::IsLoopbackHost(command.server.host) && !command.insecure && !verifies) {
    return "refusing to listen on " + command.server.host +
           ": other machines could reach it, and request signatures are not verified. Give "
           "--credentials FILE, use a loopback address such as 127.0.0.1 (the default), or "
           "--insecure on a network you trust";
  }
  if (!IsAccount(command.database.account)) return "--account takes twelve digits";
  if (command.database.region.empty()) return "--region must not be empty";
  return std::nullopt;
}

Command FinishServe(RawOptions raw) {
  const auto clock = ClockSetting::Parse(raw.clock);
  if (!clock) return UsageError("--clock: " + clock.error());
  if (std::optional<std::string> conflict = FindConflict(raw)) {
    return UsageError(*std::move(conflict));
  }
  ServeCommand& command = raw.command;
  if (!raw.memory) {
    command.database.directory = raw.directory.empty() ? kDefaultDirectory : raw.directory;
  }
  command.database.classic_wording = raw.wording == "classic";
  command.server.classic_wording = command.database.classic_wording;
  command.database.clock = *clock;
  command.database.strict_conflicts = raw.conflicts == "strict";
  command.log_level = ParseLogLevel(raw.log_level).value_or(LogLevel::kInfo);
  command.log_format = raw.log_format == "json" ? LogFormat::kJson : LogFormat::kText;
  return std::move(command);
}

// Commands of one kind: where their options go, and what they are called.
struct TransferCommands {
  BackupCommand backup;
  RestoreCommand restore;
  ExportCommand exported;
  ImportCommand imported;
  CLI::App* backup_app = nullptr;
  CLI::App* restore_app = nullptr;
  CLI::App* export_app = nullptr;
  CLI::App* import_app = nullptr;

  void AddTo(CLI::App& app) {
    backup_app = AddBackupCommand(app, backup);
    restore_app = AddRestoreCommand(app, restore);
    export_app = AddExportCommand(app, exported);
    import_app = AddImportCommand(app, imported);
  }
  // The one that was asked for; nothing when none was.
  std::optional<Command> Take() {
    if (backup_app->parsed()) return Checked(std::move(backup));
    if (restore_app->parsed()) return Checked(std::move(restore));
    if (export_app->parsed()) return Checked(std::move(exported));
    if (import_app->parsed()) return Checked(std::move(imported));
    return std::nullopt;
  }

 private:
  template <class Wish>
  static Command Checked(Wish wish) {
    if (std::optional<std::string> mistake = FindMistake(wish)) {
      return UsageError(*std::move(mistake));
    }
    return wish;
  }
};

// The command that was asked for, or the program itself.
CLI::App& Asked(CLI::App& app) {
  const std::vector<CLI::App*> asked = app.get_subcommands();
  return asked.empty() ? app : *asked.front();
}

std::string VersionText() { return "stator " + std::string(server::kVersion) + "\n"; }

}  // namespace

Command ParseCommandLine(std::vector<std::string> arguments) {
  RawOptions raw;
  CLI::App app("Stator: a database that speaks DynamoDB's protocol.", "stator");
  app.footer(kProgramExamples);
  app.set_version_flag("--version", VersionText());
  CLI::App* serve = app.add_subcommand("serve", "Serve tables over HTTP until told to stop");
  serve->footer(kServeExamples);
  AddStorageOptions(*serve, raw);
  AddNetworkOptions(*serve, raw);
  AddSecurityOptions(*serve, raw);
  AddOtherOptions(*serve, raw);
  bench::Options bench_options;
  CLI::App* bench = AddBenchCommand(app, bench_options);
  TransferCommands transfers;
  transfers.AddTo(app);
  Task task;
  AddModelCommands(app, task);
  CLI::App* version = app.add_subcommand("version", "Print the version");
  app.add_subcommand("help", "Explain the program, or one command");

  if (arguments.size() > 1 && arguments[0] == "help") {  // `help serve` is `serve --help`
    arguments = {arguments[1], "--help"};
  }
  std::ranges::reverse(arguments);  // as CLI11 wants them
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    CLI::App& asked = Asked(app);
    return PrintCommand{&asked == &app ? app.help() : asked.help(app.get_name())};
  } catch (const CLI::CallForVersion&) {
    return PrintCommand{VersionText()};
  } catch (const CLI::ParseError& error) {
    const CLI::App& asked = Asked(app);
    return UsageError(std::string(error.what()) + "\nTry: stator help " +
                      (&asked == &app ? "serve" : asked.get_name()));
  }
  if (serve->parsed()) return FinishServe(std::move(raw));
  if (bench->parsed()) return bench_options;
  if (std::optional<Command> transfer = transfers.Take()) return *std::move(transfer);
  if (task.run) return task;
  if (version->parsed()) return PrintCommand{VersionText()};
  return PrintCommand{app.help()};
}

}  // namespace stator::cli
