// stator serve: opens the database, serves it, and closes it in good order.
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "base/log.h"
#include "cli/commands.h"
#include "cli/stop_signals.h"
#include "cli/syntax.h"
#include "server/listener.h"
#include "server/options.h"
#include "server/request_handler.h"
#include "server/server.h"

namespace stator::cli {
namespace {

constexpr const char* kDefaultDirectory = "stator-data";
// Twice the largest body.
constexpr std::size_t kMemoryBytesMin = 2 * server::kBodyBytesMax;
// What shells report for a process that a signal ended.
constexpr int kExitBySignal = 128;

constexpr const char* kServeExamples = R"(
Examples:
  stator serve ./music               keep tables in ./music
  stator serve --memory --port 0     for tests: nothing on disk, any free port
  stator serve --sync interval       answer writes before they are on disk; a crash of the
                                     machine may lose the last second
  stator serve --store postgres://db1,db2/stator?target_session_attrs=read-write
                                     share tables with any number of servers on PostgreSQL
  stator serve --clock offset:+31d   run a month ahead (units s m h d w; -2h is behind)
  stator serve --clock fixed:2026-01-01T00:00:00Z      stand still until it is turned:
  curl -H 'Content-Type: application/json' -d '{"advance_seconds": 3600}' \
       http://127.0.0.1:8000/_stator/clock
  stator serve --backup-dir /mnt/b   let CreateBackup copy the database to another disk
  stator serve --s3-root ./buckets   let tables be exported to ./buckets/BUCKET/…
  stator serve --credentials keys    answer only requests signed with a key from the file keys:
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

struct ServeOptions {
  ServeCommand command;
  std::string directory;
  bool memory = false;
  std::string wording = "current";
  std::string clock = "system";
  std::string conflicts = "serialize";
  unsigned request_ms = 1000;
  unsigned write_ms = 250;
};

void AddStorageOptions(Subcommand& serve, ServeOptions& options) {
  DatabaseOptions& database = options.command.database;
  const Option directory = serve.Add("DIR", options.directory,
                                     "Where the data lives; created if needed "
                                     "(default: ./stator-data)");
  const Option memory =
      serve.Flag("--memory", options.memory, "Keep everything in memory").Excludes(directory);
  serve
      .Add(
          "--store", database.store,
          "A database that servers on any number of machines share, e.g. "
          "postgres://db1,db2/stator?target_session_attrs=read-write; its tables are made if there "
          "are none. See docs/cluster.md")
      .NotEmpty("no address")
      .Excludes(directory)
      .Excludes(memory)
      .Type("URL");
  serve
      .Add("--store-readers", database.store_readers,
           "Connections to --store for reads (default: four for each core, at least eight)")
      .Between(2U, 500U)
      .Type("N");
  serve
      .Add("--store-writers", database.store_writers,
           "Connections to --store for rounds of writes (default: 4)")
      .Between(1U, 100U)
      .Type("N");
  serve.AddChoice("--sync", database.durability,
                  {std::pair{"always", Durability::kAlways},
                   {"interval", Durability::kInterval},
                   {"off", Durability::kOff}},
                  "When a write is answered: always (it is on disk), interval (at once; on disk "
                  "within a second), off (at once)");
  serve
      .Add("--s3-root", database.s3_root,
           "Where exports go and imports come from: its folders are the buckets. Without it "
           "ExportTableToPointInTime, ImportTable and StartBulkPutItems are refused")
      .Type("DIR");
  serve
      .Add("--backup-dir", database.backup_directory,
           "Where CreateBackup keeps copies of the database, best on another disk; see stator help "
           "backup. Without it backups share the files of the data directory")
      .Type("DIR");
  serve.AddSize("--cache", database.cache_bytes, "Memory for cached data (default: 64MB)");
}

void AddNetworkOptions(Subcommand& serve, ServeOptions& options) {
  server::ServerOptions& server = options.command.server;
  serve.Add("--port", server.port, "Port, 0 for any free one (default: 8000)")
      .Between(0, 65535, /*in_help=*/false)
      .Type("PORT");
  serve.Add("--host", server.host, "Address to listen on (default: 127.0.0.1)").Type("ADDRESS");
  serve.Add("--threads", server.threads, "Event loops (default: one per core)")
      .Between(1U, 256U)
      .Type("N");
}

void AddLimitOptions(Subcommand& serve, ServeOptions& options) {
  server::ServerOptions& server = options.command.server;
  serve.AddSize(
      "--memory-limit", server.memory_limit,
      "Memory for requests and for answers that wait for their readers, beside the cache and, "
      "with --memory, the data (default: half of the machine's)");
  serve.AddSize(
      "--memory-per-peer", server.memory_per_peer,
      "The part of it that one client address may take; what does not fit waits five seconds, "
      "then gets 503, which SDKs try again. Raise it if all clients come through one proxy "
      "(default: a quarter, at most 24MB a core)");
  serve
      .Add("--connections-per-peer", server.connections_per_peer,
           "Open connections of one client address (default: 2500)")
      .Between<std::size_t>(1, server::kConnectionsMax, /*in_help=*/false)
      .Type("N");
}

void AddSecurityOptions(Subcommand& serve, ServeOptions& options) {
  server::ServerOptions& server = options.command.server;
  serve
      .Add("--credentials", server.credentials_file,
           "Verify the signature of every request: this file, in the form of "
           "~/.aws/credentials, has the keys of all clients. Other machines may then reach "
           "the server. It speaks plain HTTP; encryption is for a proxy in front of it, "
           "which must leave the Host header as it is")
      .NotEmpty("no file")  // an unset variable of a script must not open the server
      .Type("FILE");
  serve.Flag("--insecure", options.command.insecure,
             "Listen on an address that other machines can reach, although signatures are not "
             "verified (see --credentials): anyone who reaches the port owns the data");
  serve.Flag("--no-auth", server.accept_unsigned,
             "Answer requests without a signature too, as curl sends them. Otherwise they get "
             "MissingAuthenticationTokenException, as from DynamoDB");
  serve
      .Add("--allow-host", server.allowed_hosts,
           "Answer to this name too, repeatable; *.example stands for all names below example, * "
           "for "
           "any. A server that listens on a loopback address answers to localhost and loopback "
           "addresses only, so that no web page whose name leads here can use it; one with "
           "--insecure "
           "to IP addresses and names without a dot; one with --credentials on another address to "
           "all, unless this is given")
      .NotEmpty("no name")
      .Repeatable()
      .Type("NAME");
  serve
      .Add("--cors", server.cors_origin,
           "Let scripts of this web origin use the server, e.g. http://localhost:3000, or "
           "* for all. Unlike DynamoDB, which allows all, the default is none: any web "
           "page could read and change your local data. Requests of other pages get 403")
      .Type("ORIGIN");
}

void AddOtherOptions(Subcommand& serve, ServeOptions& options) {
  DatabaseOptions& database = options.command.database;
  serve
      .Add("--region", database.region,
           "Region in ARNs and in verified signatures (default: us-east-1)")
      .Type("NAME");
  serve.Add("--account", database.account, "Account in ARNs (default: 000000000000)")
      .Type("DIGITS");
  serve.AddChoice("--wording", options.wording, {"current", "classic"},
                  "Error messages: current, or classic as DynamoDB worded them before mid-2026");
  serve
      .Add("--clock", options.clock,
           "The time that tables go by: system (default), fixed:TIME to stand still, "
           "offset:DURATION to run ahead or behind. See the examples below, and turn it "
           "while the server runs with POST /_stator/clock")
      .Type("CLOCK");
  serve.AddChoice("--conflicts", options.conflicts, {"serialize", "strict"},
                  "Requests that meet an item of a running transaction: serialize (they wait), or "
                  "strict (they get TransactionConflictException, as from DynamoDB)");
  serve
      .Add(
          "--request-time", options.request_ms,
          "Processor time in ms that a request may take (default: 1000): then a Query or Scan ends "
          "its page early, and another request gets RequestLimitExceeded")
      .Between(1U, 60'000U)
      .Type("MS");
  serve
      .Add("--write-time", options.write_ms,
           "Processor time in ms that one write may take from the others (default: 250): then it "
           "gets "
           "RequestLimitExceeded, and nothing is written")
      .Between(1U, 60'000U)
      .Type("MS");
  serve.Flag("--count-units", database.count_units,
             "Count the capacity units of all requests, by table and index, in /metrics; "
             "`stator cost --measured` compares them with a model");
  serve.AddChoice("--log-level", options.command.log_level,
                  {std::pair{"debug", LogLevel::kDebug},
                   {"info", LogLevel::kInfo},
                   {"warning", LogLevel::kWarning},
                   {"error", LogLevel::kError},
                   {"off", LogLevel::kOff}},
                  "debug logs every request (default: info)");
  serve.AddChoice("--log-format", options.command.log_format,
                  {std::pair{"text", LogFormat::kText}, {"json", LogFormat::kJson}},
                  "Lines on stderr (default: text)");
}

bool IsAccount(const std::string& text) {
  return text.size() == 12 &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// What single options cannot check.
std::optional<std::string> FindConflict(const ServeOptions& options) {
  const ServeCommand& command = options.command;
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
  if (options.memory && !command.database.backup_directory.empty()) {
    return "--memory keeps nothing that could be copied to --backup-dir: leave one of them out";
  }
  for (const std::size_t size : {command.server.memory_limit, command.server.memory_per_peer}) {
    if (size > 0 && size < kMemoryBytesMin) {
      return "--memory-limit and --memory-per-peer must be at least 32MB, so that the largest "
             "request "
             "fits";
    }
  }
  for (const std::string& name : command.server.allowed_hosts) {
    if (name.find_first_of("/:@ ") != std::string::npos) {
      return "--allow-host takes a name as in the Host header, without scheme or port: not '" +
             name + "'";
    }
  }
  if (!IsAccount(command.database.account)) return "--account takes twelve digits";
  if (command.database.region.empty()) return "--region must not be empty";
  return std::nullopt;
}

// The command, or what is wrong with its options together.
Command FinishServe(ServeOptions options) {
  const auto clock = ClockSetting::Parse(options.clock);
  if (!clock) return UsageError("--clock: " + clock.error());
  if (std::optional<std::string> conflict = FindConflict(options)) {
    return UsageError(*std::move(conflict));
  }
  ServeCommand& command = options.command;
  if (!options.memory && command.database.store.empty()) {
    command.database.directory = options.directory.empty() ? kDefaultDirectory : options.directory;
  }
  command.database.classic_wording = options.wording == "classic";
  command.server.classic_wording = command.database.classic_wording;
  command.database.clock = *clock;
  command.database.request_time = std::chrono::milliseconds(options.request_ms);
  command.database.write_time = std::chrono::milliseconds(options.write_ms);
  command.database.strict_conflicts = options.conflicts == "strict";
  return std::move(command);
}

// Every connection is a file; the usual soft limit of 1024 is soon reached.
void RaiseFileLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

int Fail(const std::string& message) {
  std::fprintf(stderr, "stator: %s\n", message.c_str());
  return kExitFailure;
}

void WarnIfInsecure(const ServeCommand& command) {
  if (!command.server.credentials_file.empty() && !server::IsLoopbackHost(command.server.host)) {
    Log(LogLevel::kWarning,
        "requests and answers are not encrypted; let other machines come through a TLS proxy",
        {{"host", command.server.host}});
  }
  if (!command.insecure) return;
  Log(LogLevel::kWarning,
      "INSECURE: request signatures are not verified; anyone who reaches this port owns the data",
      {{"host", command.server.host}});
}

void TellIfTurned(const ClockReading& clock) {
  if (clock.mode == ClockMode::kSystem) return;
  Log(LogLevel::kWarning, "tables do not go by the system's time",
      {{"clock", clock.mode == ClockMode::kFixed ? "fixed" : "offset"},
       {"now_ms", clock.now.time_since_epoch().count()}});
}

// Where the data is, for the log: without passwords.
std::string PlaceOf(const DatabaseOptions& database) {
  if (!database.store.empty()) return "(shared)";
  return database.directory.empty() ? "(memory)" : database.directory;
}

// From signal to end.
constexpr std::chrono::milliseconds kStopMax{9'500};

// Ends the process if an orderly end takes too long. That loses nothing: what has been answered is with
// the operating system, or on disk already.
class EndOfPatience {
 public:
  EndOfPatience()
      : thread_([this](const std::stop_token& stop) {
          std::unique_lock lock(mutex_);
          ended_.wait_for(lock, stop, kStopMax, [] { return false; });
          if (stop.stop_requested()) return;
          Log(LogLevel::kWarning, "stopped at once: the orderly end took too long");
          _exit(kExitOk);
        }) {}

 private:
  std::mutex mutex_;
  std::condition_variable_any ended_;
  std::jthread thread_;
};

}  // namespace

StopSignals::StopSignals() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGTERM);
  sigaddset(&signals_, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
}

std::string_view StopSignals::WaitForFirst() {
  int received = 0;
  while (sigwait(&signals_, &received) != 0) {
  }
  struct sigaction action{};
  action.sa_handler = [](int signal) { _exit(kExitBySignal + signal); };
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
  pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
  return received == SIGINT ? "SIGINT" : "SIGTERM";
}

void AddServeCommand(Syntax& syntax) {
  const auto options = std::make_shared<ServeOptions>();
  Subcommand serve =
      syntax.Add("serve", "Serve tables over HTTP until told to stop", kServeExamples);
  AddStorageOptions(serve, *options);
  AddNetworkOptions(serve, *options);
  AddLimitOptions(serve, *options);
  AddSecurityOptions(serve, *options);
  AddOtherOptions(serve, *options);
  serve.Gives([options] { return FinishServe(std::move(*options)); });
}

int Run(const ServeCommand& command) {
  ConfigureLog(command.log_level, command.log_format);
  RaiseFileLimit();
  StopSignals signals;

  auto database = Database::Open(command.database);
  if (!database) return Fail(database.error().message());
  server::DatabaseHandler handler(**database);
  auto server = server::Server::Start(command.server, handler);
  if (!server) return Fail(server.error());

  WarnIfInsecure(command);
  TellIfTurned((*database)->clock().Read());
  Log(LogLevel::kInfo, "started",
      {{"version", server::kVersion},
       {"url", (*server)->url()},
       {"directory", PlaceOf(command.database)},
       {"threads", (*server)->thread_count()}});
  // Scripts wait for this line.
  std::printf("stator is ready at %s\n", (*server)->url().c_str());
  std::fflush(stdout);

  const std::string_view signal = signals.WaitForFirst();
  Log(LogLevel::kInfo, "stopping", {{"signal", signal}});
  const EndOfPatience patience;
  (*server)->RequestStop();
  (*server)->Wait();
  server->reset();
  database->reset();
  Log(LogLevel::kInfo, "stopped");
  return kExitOk;
}

}  // namespace stator::cli
