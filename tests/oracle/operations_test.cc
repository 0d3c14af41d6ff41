// Random operations against the reference.
//
//   oracle [--store memory|rocksdb] [--seed N] [--operations N]
//
// A failure prints the seed, the operation and how its item came to be; the same seed repeats the
// run.
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tests/oracle/checker.h"
#include "tests/oracle/generator.h"
#include "tests/oracle/invariants.h"
#include "tests/oracle/operation.h"
#include "tests/oracle/test_store.h"

namespace stator::oracle {
namespace {

constexpr std::uint64_t kInvariantsEvery = 500;
constexpr std::uint64_t kOperationsToReachAll = 10'000;

struct Options {
  std::string store = "memory";
  std::uint64_t seed = static_cast<std::uint64_t>(
      std::chrono::system_clock::now().time_since_epoch().count() % 1'000'000'007);
  std::uint64_t operations = 10'000;
};

std::optional<Options> ParseOptions(int count, char** arguments) {
  Options options;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view name = arguments[i];
    const std::string_view value = arguments[i + 1];
    if (name == "--store") {
      options.store = value;
      continue;
    }
    std::uint64_t* number = name == "--seed"         ? &options.seed
                            : name == "--operations" ? &options.operations
                                                     : nullptr;
    if (!number) return std::nullopt;
    const auto [end, error] = std::from_chars(value.begin(), value.end(), *number);
    if (error != std::errc() || end != value.end()) return std::nullopt;
  }
  if (count % 2 == 0) return std::nullopt;
  return options;
}

class Run {
 public:
  Run(const Options& options, TestStore& store) : options_(options), store_(store) {}

  // The exit status.
  int Go() {
    Generator generator(options_.seed, reference_);
    LateIndex late_index(*store_.database());
    Checker checker(*store_.database(), reference_, late_index);
    for (std::uint64_t number = 1; number <= options_.operations; ++number) {
      const RandomOperation operation = generator.Next();
      log_.Add(number, operation);
      if (const Verdict verdict = checker.Check(operation)) return Fail(number, *verdict);
      if (number % kInvariantsEvery != 0 && number != options_.operations) continue;
      late_index.Settle();
      if (late_index.state() == LateIndex::State::kFailed) {
        return Fail(number, {late_index.problem(), std::nullopt});
      }
      reference_.schema().SetLateIndex(late_index.state() == LateIndex::State::kActive);
      if (const Verdict verdict = CheckInvariants(*store_.database(), reference_)) {
        return Fail(number, *verdict);
      }
    }
    if (const Verdict verdict = CheckStream(*store_.database(), reference_)) {
      return Fail(options_.operations, *verdict);
    }
    fmt::print("{}\n", checker.reached().Show());
    if (options_.operations < kOperationsToReachAll || checker.reached().All()) return 0;
    return Fail(options_.operations, {"a case was never reached", std::nullopt});
  }

  // What was written is there after closing and opening.
  int CheckReopened() {
    if (!store_.Reopen()) return Fail(options_.operations, {store_.problem(), std::nullopt});
    if (const Verdict verdict = CheckInvariants(*store_.database(), reference_)) {
      return Fail(options_.operations, {"after reopening: " + verdict->what, verdict->key});
    }
    if (const Verdict verdict = CheckStream(*store_.database(), reference_)) {
      return Fail(options_.operations, {"after reopening: " + verdict->what, verdict->key});
    }
    return 0;
  }

 private:
  int Fail(std::uint64_t number, const Mismatch& mismatch) const {
    fmt::print("FAILED at operation {} (--store {} --seed {}): {}\n{}", number, options_.store,
               options_.seed, mismatch.what, log_.Tell(mismatch.key));
    return 1;
  }

  const Options& options_;
  TestStore& store_;
  ReferenceTable reference_;
  OperationLog log_;
};

int Main(int count, char** arguments) {
  const std::optional<Options> options = ParseOptions(count, arguments);
  if (!options) {
    fmt::print("usage: oracle [--store memory|rocksdb] [--seed N] [--operations N]\n");
    return 2;
  }
  fmt::print("oracle test: --store {} --seed {} --operations {}\n", options->store, options->seed,
             options->operations);
  std::fflush(stdout);
  TestStore store(options->store);
  if (!store.database()) {
    fmt::print("{}\n", store.problem());
    return 1;
  }
  if (const std::string problem = CreateTestTable(*store.database()); !problem.empty()) {
    fmt::print("{}\n", problem);
    return 1;
  }
  Run run(*options, store);
  const int status = run.Go();
  if (status != 0 || !store.is_on_disk()) return status;
  return run.CheckReopened();
}

}  // namespace
}  // namespace stator::oracle

int main(int count, char** arguments) { return stator::oracle::Main(count, arguments); }
