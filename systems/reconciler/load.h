// Makes up calls, for measuring.
#ifndef STATOR_SYSTEMS_RECONCILER_LOAD_H_
#define STATOR_SYSTEMS_RECONCILER_LOAD_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "stator/entity.h"
#include "systems/reconciler/call_table.h"

namespace stator::systems::reconciler {

struct LoadSummary {
  std::int64_t created = 0;
  std::int64_t there_already = 0;
  std::int64_t bad = 0;  // of all of them
};

struct LoadOptions {
  std::int64_t calls = 10'000;
  std::int64_t bad_per_million = 10'000;
  int tenants = 50;
  std::chrono::milliseconds spread = std::chrono::days(6);  // back from now
  std::uint64_t seed = 1;  // the same seed makes the same calls, so that a load can be resumed
  // Every call begins as PENDING and gets its final state in a second write.
  bool start_pending = false;
  int threads = 8;
  std::function<void(const LoadSummary& summary)> progress = {};  // every thousand calls or so
};

// Exactly calls × bad_per_million / 1,000,000 of them are bad, rounded down. Needs little memory,
// however many there are.
EntityResult<LoadSummary> LoadCalls(CallTable& table, const LoadOptions& options);

// "1%", "0.5%" or "0.01" as parts of a million, rounded.
std::optional<std::int64_t> ParseShare(std::string_view text);

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_LOAD_H_
