// The words on the command line → what to do.
#ifndef STATOR_CLI_COMMAND_LINE_H_
#define STATOR_CLI_COMMAND_LINE_H_

#include <string>
#include <variant>
#include <vector>

#include "base/log.h"
#include "bench/run.h"
#include "cli/model/task.h"
#include "cli/transfer_options.h"
#include "server/options.h"
#include "stator/database.h"

namespace stator::cli {

// Exit codes of the program.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;  // the wish was clear, but it failed
inline constexpr int kExitUsage = 2;    // the wish was not clear, or not allowed

struct ServeCommand {
  DatabaseOptions database;
  server::ServerOptions server;
  LogLevel log_level = LogLevel::kInfo;
  LogFormat log_format = LogFormat::kText;
  bool insecure = false;  // open to other machines without checking signatures
};

// Print and leave: help, the version, or what is wrong with the command line.
struct PrintCommand {
  std::string text;
  int exit_code = kExitOk;  // other than 0: the text goes to stderr
};

using Command = std::variant<ServeCommand, bench::Options, BackupCommand, RestoreCommand,
                             ExportCommand, ImportCommand, Task, PrintCommand>;

// `arguments` without the program's name.
Command ParseCommandLine(std::vector<std::string> arguments);

}  // namespace stator::cli

#endif  // STATOR_CLI_COMMAND_LINE_H_
