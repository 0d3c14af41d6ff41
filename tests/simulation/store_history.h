// What was asked of a store, and whether what the store holds can be the outcome.
//
// Every mutation also appends its number to a log, so the store itself tells which mutations took
// effect, and in which order. Their writes, carried out on a map in that order, must give the store.
#ifndef STATOR_TESTS_SIMULATION_STORE_HISTORY_H_
#define STATOR_TESTS_SIMULATION_STORE_HISTORY_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "storage/store.h"
#include "storage/testing/test_mutation.h"
#include "tests/simulation/simulation.h"

namespace stator::simulation {

struct StoreWrite {
  enum class Kind : std::uint8_t { kPut, kDelete, kDeleteRange, kIncrement };
  Kind kind = Kind::kPut;
  std::string key;
  std::string value;  // of a range: its end
};

// Thread-safe, except for Judge and Settle.
class StoreHistory {
 public:
  // Calls `done` with the outcome.
  std::unique_ptr<Mutation> MakeMutation(std::vector<StoreWrite> writes,
                                         std::function<void(bool succeeded)> done);

  // Mutations that were acknowledged since the last Settle.
  std::set<std::uint64_t> Acknowledged() const;

  struct Rules {
    std::set<std::uint64_t> required = {};  // must be there
    // No mutation may be missing that was decided before one that is there. Otherwise that holds for
    // acknowledged ones only.
    bool is_prefix = true;
  };
  Problem Judge(const Pairs& pairs, const Rules& rules) const;
  // The store holds this now, rightly: mutations that are not in it will never be. Returns how many
  // are there that were not acknowledged.
  std::uint64_t Settle(const Pairs& pairs);

  // The last record of the log when it was settled.
  std::uint64_t settled_records() const { return records_; }

 private:
  friend class RecordedMutation;
  struct Entry {
    std::vector<StoreWrite> writes;
    bool is_acknowledged = false;
  };
  using Model = std::map<std::string, std::string>;

  std::vector<std::uint64_t> Present(const Pairs& pairs) const;
  Problem JudgeOrder(const std::vector<std::uint64_t>& present, const Rules& rules) const;

  mutable std::mutex mutex_;
  std::uint64_t last_number_ = 0;
  std::map<std::uint64_t, Entry> entries_;
  std::vector<std::uint64_t> decided_;  // in this order
  Model base_;
  std::uint64_t records_ = 0;
};

// The name of the log.
inline constexpr const char* kLogName = "log/";

}  // namespace stator::simulation

#endif  // STATOR_TESTS_SIMULATION_STORE_HISTORY_H_
