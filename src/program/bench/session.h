// A run of the load generator: the table, its items, the load.
#ifndef STATOR_BENCH_SESSION_H_
#define STATOR_BENCH_SESSION_H_

#include <cstdint>
#include <expected>
#include <functional>
#include <string>

#include "bench/plan.h"
#include "bench/run.h"
#include "bench/tally.h"

namespace stator::bench {

// Runs during the load, on the calling thread, a few times per second.
using OnProgress = std::function<void(std::uint64_t done, std::uint64_t errors)>;

// Creates the table and waits until it is active; refuses a table that exists. Errors are texts for
// people, here and below.
std::expected<void, std::string> CreateTable(const Plan& plan);
std::expected<void, std::string> DeleteTable(const Plan& plan);
// `done` counts items. Returns the seconds it took.
std::expected<double, std::string> LoadItems(const Plan& plan, std::uint64_t seed,
                                             const OnProgress& progress);
// `done` counts answers.
Tally RunWorkload(const Plan& plan, const Options& options, const OnProgress& progress);

}  // namespace stator::bench

#endif  // STATOR_BENCH_SESSION_H_
