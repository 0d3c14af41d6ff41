// Power cuts and faults on a simulated disk.
//
//   simulation_test [--level store|database] [--cuts N] [--faults N] [--seed N] [--lives N]
//
// A life is one disk, made from its own seed, which a failure prints: run that seed alone with
// --lives 1.
#include <fmt/format.h>
#include <rocksdb/env.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/log.h"
#include "tests/simulation/simulation.h"

namespace stator::simulation {
namespace {

constexpr std::uint64_t kRoundsOfALife = 10;
constexpr std::size_t kWorkers = 8;
constexpr int kBackgroundThreads = 32;

struct Options {
  std::string level;  // empty: both
  std::uint64_t cuts = 200;
  std::uint64_t faults = 200;
  std::uint64_t seed = 1;
  std::uint64_t lives = 0;  // 0: as many as it takes
};

bool ParseNumber(const char* text, std::uint64_t& number) {
  const char* const end = text + std::strlen(text);
  return std::from_chars(text, end, number).ptr == end && end != text;
}

std::optional<Options> ParseOptions(int count, char** arguments) {
  Options options;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view name = arguments[i];
    if (name == "--level") {
      options.level = arguments[i + 1];
      continue;
    }
    std::uint64_t* const number = name == "--cuts"     ? &options.cuts
                                  : name == "--faults" ? &options.faults
                                  : name == "--seed"   ? &options.seed
                                  : name == "--lives"  ? &options.lives
                                                       : nullptr;
    if (number == nullptr || !ParseNumber(arguments[i + 1], *number)) return std::nullopt;
  }
  return count % 2 == 1 ? std::optional(options) : std::nullopt;
}

using Simulate = Problem (*)(std::uint64_t, std::uint64_t, bool, Tally&);

// The lives of many disks. Several at once, because each waits most of the time for its own threads.
class Lives {
 public:
  Lives(const Options& options, Simulate simulate, bool with_faults)
      : options_(options), simulate_(simulate), with_faults_(with_faults) {}

  bool Run() {
    const auto start = std::chrono::steady_clock::now();
    {
      std::vector<std::jthread> workers;
      for (std::size_t i = 0; i < kWorkers; ++i) workers.emplace_back([this] { Work(); });
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (has_failed_ || lives_ == 0) return !has_failed_;
    fmt::print(
        "{}: {} cuts ({} while opening), {} runs with faults ({} refused to open), {} disks, "
        "{} openings, {} acknowledged writes, {} in flight survived, {:.1f} s\n",
        options_.level, tally_.cuts, tally_.recovery_cuts, tally_.faults, tally_.refused_openings,
        lives_, tally_.openings, tally_.acknowledged, tally_.in_flight, seconds.count());
    std::fflush(stdout);
    return true;
  }

 private:
  void Work() {
    while (const std::optional<std::uint64_t> seed = NextSeed()) {
      Tally tally;
      const Problem problem = simulate_(*seed, kRoundsOfALife, with_faults_, tally);
      const std::scoped_lock lock(mutex_);
      tally_ += tally;
      if (!problem) continue;
      has_failed_ = true;
      fmt::print("FAILED (--level {} {} --seed {} --lives 1): {}\n", options_.level,
                 with_faults_ ? "--cuts 0" : "--faults 0", *seed, *problem);
    }
  }

  std::optional<std::uint64_t> NextSeed() {
    const std::scoped_lock lock(mutex_);
    const std::uint64_t wanted = with_faults_ ? options_.faults : options_.cuts;
    const std::uint64_t needed = (wanted + kRoundsOfALife - 1) / kRoundsOfALife;
    if (has_failed_ || lives_ >= needed) return std::nullopt;
    if (options_.lives != 0 && lives_ >= options_.lives) return std::nullopt;
    return options_.seed + lives_++;
  }

  const Options& options_;
  const Simulate simulate_;
  const bool with_faults_;
  std::mutex mutex_;
  Tally tally_;
  std::uint64_t lives_ = 0;
  bool has_failed_ = false;
};

// A round of the database takes several times as long as one of the store.
Options ShareOf(Options options, const std::string& level) {
  const auto share = [&](std::uint64_t count) {
    if (!options.level.empty()) return options.level == level ? count : 0;
    return level == "database" ? count / 4 : count - count / 4;
  };
  options.cuts = share(options.cuts);
  options.faults = share(options.faults);
  options.level = level;
  return options;
}

int Main(int count, char** arguments) {
  const std::optional<Options> options = ParseOptions(count, arguments);
  if (!options) {
    fmt::print(
        "usage: simulation_test [--level store|database] [--cuts N] [--faults N] [--seed N] "
        "[--lives N]\n");
    return 2;
  }
  ConfigureLog(LogLevel::kOff, LogFormat::kText);
  // All databases share them, and a thread rests for a second after a failure.
  for (const rocksdb::Env::Priority pool : {rocksdb::Env::LOW, rocksdb::Env::HIGH}) {
    rocksdb::Env::Default()->SetBackgroundThreads(kBackgroundThreads, pool);
  }
  const Options store = ShareOf(*options, "store");
  const Options database = ShareOf(*options, "database");
  std::atomic<bool> succeeds = true;
  {
    std::vector<std::jthread> all;
    for (const bool with_faults : {false, true}) {
      all.emplace_back([&, with_faults] {
        if (!Lives(store, SimulateStore, with_faults).Run()) succeeds = false;
      });
      all.emplace_back([&, with_faults] {
        if (!Lives(database, SimulateDatabase, with_faults).Run()) succeeds = false;
      });
    }
  }
  return succeeds ? 0 : 1;
}

}  // namespace
}  // namespace stator::simulation

int main(int count, char** arguments) { return stator::simulation::Main(count, arguments); }
