// ExpirySweep: deletes expired items. A duty of the background thread (engine/background.h).
#ifndef STATOR_ENGINE_EXPIRY_EXPIRY_SWEEP_H_
#define STATOR_ENGINE_EXPIRY_EXPIRY_SWEEP_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "engine/background.h"
#include "engine/catalog/table.h"
#include "engine/write/write_path.h"
#include "stator/result.h"
#include "storage/store.h"

namespace stator {

class ExpirySweep {
 public:
  ExpirySweep(Store& store, const WriteContext& context, const Activity& clients)
      : store_(store), context_(context), pace_(clients) {}

  // Deletes a few expired items of each table, the oldest first. Says how long it can rest.
  Background::Rest Step();

  // Thread-safe.
  std::uint64_t deleted_items() const { return deleted_items_; }
  // How long ago the oldest item expired that still exists; 0 if there is none.
  std::uint64_t lag_seconds() const { return lag_seconds_; }

 private:
  struct Due {
    std::int64_t oldest_second = 0;
    std::vector<std::string> row_keys;
    std::vector<std::string> expiry_keys;
  };
  // How far the sweep of a table has come.
  struct Position {
    std::string cursor;                               // the last row that was found
    std::chrono::steady_clock::time_point next_pass;  // the next pass begins then at the earliest
  };
  Result<Due> FindDue(const Table& table, std::int64_t now);
  Result<Due> FindDueFrom(const std::string& begin, const Table& table, std::int64_t now) const;
  Result<void> Delete(const TablePtr& table, Due due, std::int64_t now);

  Store& store_;
  const WriteContext context_;
  Pace pace_;
  std::unordered_map<TableNumber, Position> positions_;
  std::atomic<std::uint64_t> deleted_items_ = 0;
  std::atomic<std::uint64_t> lag_seconds_ = 0;
};

}  // namespace stator

#endif  // STATOR_ENGINE_EXPIRY_EXPIRY_SWEEP_H_
