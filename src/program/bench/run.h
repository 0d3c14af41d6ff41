// stator bench: says what it does, does it, and prints what it found.
#ifndef STATOR_BENCH_RUN_H_
#define STATOR_BENCH_RUN_H_

#include <cstdint>
#include <optional>
#include <string>

#include "bench/workload.h"

namespace stator::bench {

// What a user asks of the load generator.
struct Options {
  std::string endpoint;
  std::string workload = "get";
  std::string table;  // empty: a name for the workload's kind of table
  int connections = 64;
  int threads = 0;  // 0: half of the cores
  std::uint64_t items = 10'000;
  std::size_t item_bytes = 0;  // 0: 1024, for query 300
  std::size_t attributes = 12;
  std::uint64_t query_items = 100;
  std::uint64_t partition_items = 0;  // 0: as many as a query returns
  double seconds = 10;
  double warmup_seconds = 1;
  double rate = 0;                      // requests per second in all; 0: closed loop
  std::optional<KeyDistribution> keys;  // absent: the workload's own
  std::uint64_t seed = 1;
  bool skip_load = false;  // the table exists and is full
  bool load_only = false;
  bool delete_only = false;  // of the table that an earlier run has left
  bool keep = false;         // leave the table
  bool sign = false;         // even to a loopback address
  std::string json_file;     // empty: none; "-": stdout, and nothing else there
};

// Figures go to stdout, all else to stderr. Returns the exit code of the program: 0 if a request was
// answered with success.
int Run(const Options& options);

}  // namespace stator::bench

#endif  // STATOR_BENCH_RUN_H_
