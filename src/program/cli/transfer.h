// stator backup, restore, export, import: a few calls each, and waiting until the work is done.
#ifndef STATOR_CLI_TRANSFER_H_
#define STATOR_CLI_TRANSFER_H_

#include "cli/transfer_options.h"

namespace stator::cli {

// Each returns the exit code. Results go to stdout, everything else to stderr.
int Run(const BackupCommand& command);
int Run(const RestoreCommand& command);
int Run(const ExportCommand& command);
int Run(const ImportCommand& command);

}  // namespace stator::cli

#endif  // STATOR_CLI_TRANSFER_H_
