// What a run found, for people and for programs.
#ifndef STATOR_BENCH_REPORT_H_
#define STATOR_BENCH_REPORT_H_

#include <string>

#include "bench/options.h"
#include "bench/session.h"
#include "bench/tally.h"

namespace stator::bench {

std::string HumanReport(const Plan& plan, const Options& options, const Tally& tally);
// One JSON object and a line feed. Latencies are in microseconds.
std::string JsonReport(const Plan& plan, const Options& options, const Tally& tally);

double OperationsPerSecond(const Tally& tally, const Histogram& latency);

}  // namespace stator::bench

#endif  // STATOR_BENCH_REPORT_H_
