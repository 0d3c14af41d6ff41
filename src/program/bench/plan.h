// What a run is about to do: everything that follows from the options, checked.
#ifndef STATOR_BENCH_PLAN_H_
#define STATOR_BENCH_PLAN_H_

#include <sys/socket.h>

#include <expected>
#include <optional>
#include <string>

#include "auth/sigv4.h"
#include "bench/request_bodies.h"
#include "bench/run.h"
#include "bench/workload.h"
#include "http/url.h"

namespace stator::bench {

struct Plan {
  const Workload* workload = nullptr;
  KeyDistribution keys = KeyDistribution::kUniform;
  DataPlan data;
  http::Url endpoint;
  sockaddr_storage address{};
  int connections = 1;
  int threads = 1;
  std::optional<RequestSigner> signer;
};

// The error is a text for people. Reads AWS's environment variables and looks up the endpoint's name.
std::expected<Plan, std::string> MakePlan(const Options& options);

}  // namespace stator::bench

#endif  // STATOR_BENCH_PLAN_H_
