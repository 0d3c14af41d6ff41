// Simulations: a workload on a simulated disk, power cuts and faults, and what must be true afterwards.
#ifndef STATOR_TESTS_SIMULATION_SIMULATION_H_
#define STATOR_TESTS_SIMULATION_SIMULATION_H_

#include <cstdint>
#include <optional>
#include <random>
#include <string>

namespace stator::simulation {

// What went wrong, for people.
using Problem = std::optional<std::string>;

#define RETURN_IF_PROBLEM(...)                           \
  do {                                                   \
    if (Problem problem = (__VA_ARGS__)) return problem; \
  } while (false)

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t Below(std::uint64_t bound) { return engine_() % bound; }
  // From low to high, both included.
  std::uint64_t Between(std::uint64_t low, std::uint64_t high) {
    return low + Below(high - low + 1);
  }
  bool Chance(unsigned percent) { return Below(100) < percent; }
  std::uint64_t Seed() { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

// What happened.
struct Tally {
  std::uint64_t cuts = 0;  // power cuts, those during recovery among them
  std::uint64_t recovery_cuts = 0;
  std::uint64_t faults = 0;  // runs in which a call failed
  std::uint64_t openings = 0;
  std::uint64_t refused_openings = 0;  // failed with a fault, and succeeded without
  std::uint64_t acknowledged = 0;      // writes
  std::uint64_t in_flight = 0;         // writes that were not, and are there

  Tally& operator+=(const Tally& other) {
    cuts += other.cuts;
    recovery_cuts += other.recovery_cuts;
    faults += other.faults;
    openings += other.openings;
    refused_openings += other.refused_openings;
    acknowledged += other.acknowledged;
    in_flight += other.in_flight;
    return *this;
  }
};

// Lives on one disk of the given seed: cuts the power, or with `with_faults` lets calls fail, until that
// has happened `count` times, and checks what is left each time. A seed does the same every time, as far as threads allow.
Problem SimulateStore(std::uint64_t seed, std::uint64_t count, bool with_faults, Tally& tally);
Problem SimulateDatabase(std::uint64_t seed, std::uint64_t count, bool with_faults, Tally& tally);

}  // namespace stator::simulation

#endif  // STATOR_TESTS_SIMULATION_SIMULATION_H_
