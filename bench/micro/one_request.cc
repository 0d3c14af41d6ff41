// Sends requests of one kind, so that a profiler can count what one of them costs.
//
//   one_request SCENARIO [--requests N] [--directory DIR]
//
// The data is loaded and the operation warmed up first; then N requests (200) are sent under
// callgrind's eyes: `valgrind --tool=callgrind --instr-atstart=no` counts these alone. Prints the
// compiler and the bytes of all answers. Everything is the same in every run: keys, values, clock,
// and the secret that orders the keys in the store.
#include <fmt/format.h>
#include <sys/random.h>
#include <valgrind/callgrind.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "arguments.h"
#include "micro/loaded_database.h"
#include "micro/scenarios.h"

// Stands in for the operating system's: the database draws its secret from here.
extern "C" ssize_t getrandom(void* buffer, std::size_t size, unsigned int /*flags*/) {
  static std::uint64_t state = 42;
  for (char& byte : std::span(static_cast<char*>(buffer), size)) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    byte = static_cast<char>(state >> 56);
  }
  return static_cast<ssize_t>(size);
}

int main(int argc, char** argv) {
  using stator::bench::FindScenario;
  using stator::bench::PaddedJson;
  constexpr int kWarmUpRequests = 300;

  int request_count = 200;
  std::string directory;  // empty: in memory
  stator::bench::Arguments arguments(argc, argv);
  arguments.Take("--requests", request_count);
  arguments.Take("--directory", directory);
  const std::string name = arguments.Word();
  arguments.Finish();
  const stator::bench::Scenario* scenario = FindScenario(name);
  if (scenario == nullptr) {
    fmt::print(stderr, "there is no scenario \"{}\"; there are:\n", name);
    for (const auto& known : stator::bench::Scenarios()) fmt::print(stderr, "  {}\n", known.name);
    return 2;
  }

  stator::bench::LoadedDatabase database(*scenario, directory);
  for (const PaddedJson& request : MakeRequests(*scenario, 0, kWarmUpRequests)) {
    database.Send(request);
  }
  const std::vector<PaddedJson> requests = MakeRequests(*scenario, kWarmUpRequests, request_count);
  std::size_t answer_bytes = 0;
  CALLGRIND_START_INSTRUMENTATION;
  for (const PaddedJson& request : requests) answer_bytes += database.Send(request);
  CALLGRIND_STOP_INSTRUMENTATION;
  fmt::print("compiler: {}\nanswer bytes: {}\n", __VERSION__, answer_bytes);
}
