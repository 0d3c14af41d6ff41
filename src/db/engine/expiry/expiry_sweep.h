// Deletes items that have expired: a duty of the background (engine/background.h).
#ifndef STATOR_ENGINE_EXPIRY_EXPIRY_SWEEP_H_
#define STATOR_ENGINE_EXPIRY_EXPIRY_SWEEP_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "engine/activity.h"
#include "engine/background.h"
#include "engine/catalog/catalog.h"
#include "engine/write/write_gate.h"
#include "stator/result.h"
#include "storage/store.h"
#include "value/key_codec.h"

namespace stator {

class ExpirySweep {
 public:
  ExpirySweep(Store& store, const Catalog& catalog, const KeyHasher& hasher, WriteGate& gate,
              const Clock& clock, const Activity& clients)
      : store_(store),
        catalog_(catalog),
        hasher_(hasher),
        gate_(gate),
        clock_(clock),
        pace_(clients) {}

  // Deletes a few items of each table that has some, the oldest first. Says how long it can rest.
  Background::Rest Step();

  // Thread-safe.
  std::uint64_t deleted_items() const { return deleted_items_; }
  // How long ago the oldest item expired that is still there; 0 when there is none.
  std::uint64_t lag_seconds() const { return lag_seconds_; }

 private:
  struct Due {
    std::int64_t oldest_second = 0;
    std::vector<std::string> row_keys;
    std::vector<std::string> expiry_keys;
  };
  // Where the sweep of a table is.
  struct Place {
    std::string cursor;                               // the row that was found last
    std::chrono::steady_clock::time_point next_pass;  // not before then from the beginning
  };
  Result<Due> FindDue(const Table& table, std::int64_t now);
  Result<Due> FindDueFrom(const std::string& begin, const Table& table, std::int64_t now) const;
  Result<void> Delete(const TablePtr& table, Due due, std::int64_t now);

  Store& store_;
  const Catalog& catalog_;
  const KeyHasher& hasher_;
  WriteGate& gate_;
  const Clock& clock_;
  Pace pace_;
  std::unordered_map<TableNumber, Place> places_;
  std::atomic<std::uint64_t> deleted_items_ = 0;
  std::atomic<std::uint64_t> lag_seconds_ = 0;
};

}  // namespace stator

#endif  // STATOR_ENGINE_EXPIRY_EXPIRY_SWEEP_H_
