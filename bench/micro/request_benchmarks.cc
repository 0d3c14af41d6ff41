// Every scenario on the memory store, from request bytes to answer bytes.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <vector>

#include "micro/loaded_database.h"
#include "micro/scenarios.h"

namespace stator::bench {
namespace {

// Requests are made in advance. Sent again they must still change something: a put finds the
// version of another turn, since every item comes up several times.
constexpr int kItemsTouched = 3 * kItemCount;

void SendRequests(benchmark::State& state, const Scenario& scenario) {
  LoadedDatabase database(scenario, "");
  const std::vector<PaddedJson> requests =
      MakeRequests(scenario, 0, kItemsTouched / scenario.items_touched);
  std::size_t turn = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(database.Send(requests[turn]));
    if (++turn == requests.size()) turn = 0;
  }
  state.SetItemsProcessed(state.iterations() * scenario.items_touched);
}

const bool kRegistered = [] {
  for (const Scenario& scenario : Scenarios()) {
    benchmark::RegisterBenchmark(scenario.name.data(), [&scenario](benchmark::State& state) {
      SendRequests(state, scenario);
    });
  }
  return true;
}();

}  // namespace
}  // namespace stator::bench
