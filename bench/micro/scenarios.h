// What is measured from request bytes to answer bytes: a table with its items, and one kind of
// request.
#ifndef STATOR_BENCH_MICRO_SCENARIOS_H_
#define STATOR_BENCH_MICRO_SCENARIOS_H_

#include <span>
#include <string>
#include <string_view>

namespace stator::bench {

inline constexpr int kItemCount = 1000;

struct Scenario {
  std::string_view name;
  std::string_view operation;
  int items_touched;  // by each request
  std::string_view create_table;
  std::string (*item)(int number);   // of the items that are there before, 0 … kItemCount-1
  std::string (*request)(int turn);  // each turn is answered with success and does the same work
};

std::span<const Scenario> Scenarios();

// Null when there is none of this name.
const Scenario* FindScenario(std::string_view name);

}  // namespace stator::bench

#endif  // STATOR_BENCH_MICRO_SCENARIOS_H_
