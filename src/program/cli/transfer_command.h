// The options of `stator backup`, `restore`, `export` and `import`.
#ifndef STATOR_CLI_TRANSFER_COMMAND_H_
#define STATOR_CLI_TRANSFER_COMMAND_H_

#include <optional>
#include <string>

#include "cli/transfer_options.h"

namespace CLI {
class App;
}

namespace stator::cli {

// Each adds the subcommand, which fills the options. They must live until the command line is
// parsed.
CLI::App* AddBackupCommand(CLI::App& app, BackupCommand& command);
CLI::App* AddRestoreCommand(CLI::App& app, RestoreCommand& command);
CLI::App* AddExportCommand(CLI::App& app, ExportCommand& command);
CLI::App* AddImportCommand(CLI::App& app, ImportCommand& command);

// What cannot go together, for people.
std::optional<std::string> FindMistake(const BackupCommand& command);
std::optional<std::string> FindMistake(const RestoreCommand& command);
std::optional<std::string> FindMistake(const ExportCommand& command);
std::optional<std::string> FindMistake(const ImportCommand& command);

}  // namespace stator::cli

#endif  // STATOR_CLI_TRANSFER_COMMAND_H_
