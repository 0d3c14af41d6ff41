// The program's commands. Each adds itself to the syntax, with its options and its examples.
#ifndef STATOR_CLI_COMMANDS_H_
#define STATOR_CLI_COMMANDS_H_

#include "cli/command_line.h"
#include "cli/syntax.h"

namespace stator::cli {

void AddServeCommand(Syntax& syntax);
void AddBenchCommand(Syntax& syntax);
void AddTransferCommands(Syntax& syntax);     // backup, restore, export, import
void AddMaintenanceCommands(Syntax& syntax);  // verify, repair
void AddCopyCommand(Syntax& syntax);

// Those that work on a model file.
void AddMigrationCommands(Syntax& syntax);  // apply, diff
void AddAuditCommand(Syntax& syntax);
void AddChartCommand(Syntax& syntax);
void AddCheckCommands(Syntax& syntax);  // check, explain
void AddCostCommand(Syntax& syntax);
void AddGenerateCommands(Syntax& syntax);  // generate, import-workbench

// What a command line asks for, done. Each returns the exit code. Results go to stdout, everything else to stderr.

// Returns when the server has stopped. REQUIRES: the main thread, before others exist.
int Run(const ServeCommand& command);
int Run(const BackupCommand& command);
int Run(const RestoreCommand& command);
int RunOnBackupDirectory(const BackupCommand& command);  // without a database
int RestoreAll(const RestoreCommand& command);
int Run(const ExportCommand& command);
int Run(const ImportCommand& command);

}  // namespace stator::cli

#endif  // STATOR_CLI_COMMANDS_H_
