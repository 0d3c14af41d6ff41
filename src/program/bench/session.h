// A run of the load generator from the wish to the figures: the table, its items, the load.
#ifndef STATOR_BENCH_SESSION_H_
#define STATOR_BENCH_SESSION_H_

#include <sys/socket.h>

#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "bench/client_loop.h"
#include "bench/endpoint.h"
#include "bench/options.h"
#include "bench/request.h"
#include "bench/request_bodies.h"
#include "bench/tally.h"
#include "bench/workload.h"

namespace stator::bench {

// Everything that follows from the options, checked.
struct Plan {
  const Workload* workload = nullptr;
  KeyDistribution keys = KeyDistribution::kUniform;
  DataPlan data;
  Endpoint endpoint;
  sockaddr_storage address{};
  int connections = 1;
  int threads = 1;
  std::optional<RequestSigner> signer;
};

// Errors are texts for people, here and below. Reads AWS's environment variables.
std::expected<Plan, std::string> MakePlan(const Options& options);

// Runs while the load does, on the calling thread, a few times a second.
using OnProgress = std::function<void(std::uint64_t done, std::uint64_t errors)>;

// Creates the table and waits until it is active. Refuses a table that exists.
std::expected<void, std::string> CreateTable(const Plan& plan);
std::expected<void, std::string> DeleteTable(const Plan& plan);
// `done` counts items. Returns the seconds it took.
std::expected<double, std::string> LoadItems(const Plan& plan, std::uint64_t seed,
                                             const OnProgress& progress);
// `done` counts answers.
Tally RunWorkload(const Plan& plan, const Options& options, const OnProgress& progress);

}  // namespace stator::bench

#endif  // STATOR_BENCH_SESSION_H_
