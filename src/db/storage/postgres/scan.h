// Scans: ranges of rows, read piece by piece.
#ifndef STATOR_STORAGE_POSTGRES_SCAN_H_
#define STATOR_STORAGE_POSTGRES_SCAN_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "storage/postgres/connection.h"
#include "storage/store.h"

namespace stator::postgres {

// How large rows are, by the beginning of their key, as far as it has been seen: a piece of a scan should
// be about as large as a page. And whether one piece is usually all there is. Thread-safe.
class RowSizes {
 public:
  // How many rows a piece should have.
  std::int64_t RowsPerPiece(std::string_view key) const;
  void Saw(std::string_view key, std::int64_t rows, std::uint64_t bytes);

  bool ExpectsOnePiece(std::string_view key) const;
  void SawFirstPiece(std::string_view key, bool was_all);

 private:
  static std::size_t SlotOf(std::string_view key);
  static constexpr std::size_t kSlots = 256;
  std::array<std::atomic<std::uint32_t>, kSlots> bytes_{};  // of a row; 0: not known
  // How many scans must end with their first piece before it is expected again.
  std::array<std::atomic<std::uint8_t>, kSlots> doubts_{};
};

enum class Isolation : std::uint8_t {
  kOwn,    // a transaction of its own, so that all pieces are of one moment
  kGiven,  // the connection is in a transaction
};

struct ScanPlan {
  const KeyRange& range;
  Direction direction = Direction::kForward;
  std::int64_t rows_wanted = 0;           // as for Store::Scan
  std::chrono::milliseconds time{7'000};  // for each piece
};

// Store::Scan on this connection. A failure after the first visit must not be repeated: `visited` says
// whether there was one.
Outcome<void> ScanRows(Connection& connection, const ScanPlan& plan, const Visitor& visit,
                       Isolation isolation, RowSizes& sizes, bool& visited);

// The same of a checkpoint.
Outcome<void> ScanCheckpoint(Connection& connection, std::string_view id, const KeyRange& range,
                             Direction direction, const Visitor& visit, bool& visited);

}  // namespace stator::postgres

#endif  // STATOR_STORAGE_POSTGRES_SCAN_H_
