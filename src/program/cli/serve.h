// stator serve: opens the database, serves it, and closes it in good order.
#ifndef STATOR_CLI_SERVE_H_
#define STATOR_CLI_SERVE_H_

#include "cli/command_line.h"

namespace stator::cli {

// Returns the exit code when the server has stopped. Call on the main thread, before others exist.
int Serve(const ServeCommand& command);

}  // namespace stator::cli

#endif  // STATOR_CLI_SERVE_H_
