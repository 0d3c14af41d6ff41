// stator bench: says what it does, does it, and prints what it found.
#ifndef STATOR_BENCH_RUN_H_
#define STATOR_BENCH_RUN_H_

#include "bench/options.h"

namespace stator::bench {

// Figures go to stdout, all else to stderr. Returns the exit code of the program: 0 if there were
// answers.
int Run(const Options& options);

}  // namespace stator::bench

#endif  // STATOR_BENCH_RUN_H_
