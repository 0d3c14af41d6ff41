// The words on the command line → what to do.
#ifndef STATOR_CLI_COMMAND_LINE_H_
#define STATOR_CLI_COMMAND_LINE_H_

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "base/log.h"
#include "bench/run.h"
#include "server/options.h"
#include "stator/database.h"

namespace stator::cli {

// Exit codes of the program.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;  // the request was clear, but it failed
inline constexpr int kExitUsage = 2;    // the request was not clear, or not allowed

struct ServeCommand {
  DatabaseOptions database;
  server::ServerOptions server;
  LogLevel log_level = LogLevel::kInfo;
  LogFormat log_format = LogFormat::kText;
  bool insecure = false;  // open to other machines without checking signatures
};

// Where the tables are: a running server, AWS, or a directory that no server has open.
struct DataSource {
  std::string endpoint;  // "aws": DynamoDB itself
  std::string directory;
  std::string s3_root;      // of the directory's buckets; a server has its own
  std::string backup_dir;   // of the directory's backups; empty: they are kept in it
  std::string region;       // empty: the default of the database or the client
  std::string account;      // in the directory's ARNs; empty: the default
  std::string profile;      // of ~/.aws/credentials
  bool may_create = true;   // the directory
  int max_attempts = 3;     // a person who waits gives up sooner than a program
  bool is_patient = false;  // waits for one answer for hours: the server copies its database
};

struct BackupCommand {
  DataSource source{.may_create = false, .max_attempts = 1, .is_patient = true};
  std::string table;
  std::string name;        // empty: from the table's name and the time
  bool all = false;        // of every table
  bool list = false;       // instead of making one
  bool verify = false;     // instead of making one
  std::string delete_arn;  // instead of making one
};

struct RestoreCommand {
  DataSource source;
  std::string from;  // a backup's ARN, or a table's name
  std::string table;
  bool all = false;  // every table, into a new directory
  std::string at;    // a time; empty: the latest
};

struct ExportCommand {
  DataSource source{.may_create = false};
  std::string table;
  std::string url;  // s3://bucket/prefix
  std::string format = "json";
  std::string at;     // a time; empty: now
  std::string since;  // a time: what changed since then
  std::string until;
  bool new_images_only = false;
  bool enable_recovery = false;
};

struct ImportCommand {
  DataSource source;
  std::string url;
  std::string table;
  std::string key;       // NAME:TYPE
  std::string sort_key;  // NAME:TYPE, or empty
  std::string format = "json";
  std::string compression = "none";
  std::string delimiter;
  std::vector<std::string> headers;
  bool into_existing = false;
};

// A command that knows how to run itself.
struct Task {
  std::function<int()> run;  // returns the exit code
};

// Print and exit: help, the version, or what is wrong with the command line.
struct PrintCommand {
  std::string text;
  int exit_code = kExitOk;  // other than 0: the text goes to stderr
};

using Command = std::variant<ServeCommand, bench::Options, BackupCommand, RestoreCommand,
                             ExportCommand, ImportCommand, Task, PrintCommand>;

// `arguments` without the program's name.
Command ParseCommandLine(std::vector<std::string> arguments);

// Prints "stator: …" and exits with kExitUsage.
PrintCommand UsageError(std::string text);

}  // namespace stator::cli

#endif  // STATOR_CLI_COMMAND_LINE_H_
