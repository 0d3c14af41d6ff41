// The options of `stator bench`.
#ifndef STATOR_CLI_BENCH_COMMAND_H_
#define STATOR_CLI_BENCH_COMMAND_H_

#include "bench/run.h"

namespace CLI {
class App;
}

namespace stator::cli {

// Adds the subcommand, which fills `options`. They must live until the command line is parsed.
CLI::App* AddBenchCommand(CLI::App& app, bench::Options& options);

}  // namespace stator::cli

#endif  // STATOR_CLI_BENCH_COMMAND_H_
