#include "storage/postgres/scan.h"

#include <algorithm>
#include <string>
#include <utility>

#include "storage/postgres/schema.h"
#include "storage/postgres/timing.h"

namespace stator::postgres {
namespace {

constexpr std::int64_t kFirstRows = 64;
constexpr std::int64_t kMaxRows = 2'000;
// A page of DynamoDB's, and a little more, because units are rounded and items are smaller than rows.
constexpr std::int64_t kPieceBytes = std::int64_t{1} << 20;
constexpr std::size_t kPrefixBytes = 7;  // of a table or index
constexpr std::int64_t kFewRows = 8;     // too few to tell how large rows are
constexpr std::uint8_t kDoubts = 8;

// Visits rows [0, count) of a piece; the last key goes to `last`. True if the scan goes on.
bool VisitAll(const Rows& rows, const Visitor& visit, std::string& last, std::uint64_t& bytes,
              bool& visited) {
  for (int i = 0; i < rows.size(); ++i) {
    const std::string_view key = rows.Bytes(i, 0);
    const std::string_view value = rows.Bytes(i, 1);
    bytes += key.size() + value.size();
    visited = true;
    if (!visit(key, value)) return false;
  }
  if (rows.size() > 0) last = rows.Bytes(rows.size() - 1, 0);
  return true;
}

// What is left of a range after its part up to `last`.
void Shorten(KeyRange& range, Direction direction, std::string last) {
  if (direction == Direction::kReverse) {
    range.end = std::move(last);
  } else {
    last.push_back('\0');
    range.begin = std::move(last);
  }
}

// REQUIRES: the range lives until the pipeline has run.
void QueuePiece(Connection& connection, const KeyRange& range, Direction direction,
                std::int64_t rows) {
  const bool back = direction == Direction::kReverse;
  if (range.end.empty()) {
    connection.Queue(back ? sql::kScanBackFromEnd : sql::kScanToEnd,
                     {Parameter::Borrowed(range.begin), Parameter::Integer(rows)});
  } else {
    connection.Queue(back ? sql::kScanBack : sql::kScan,
                     {Parameter::Borrowed(range.begin), Parameter::Borrowed(range.end),
                      Parameter::Integer(rows)});
  }
}

}  // namespace

std::size_t RowSizes::SlotOf(std::string_view key) {
  std::uint32_t hash = 2'166'136'261U;
  for (const char byte : key.substr(0, kPrefixBytes)) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 16'777'619U;
  }
  return hash % kSlots;
}

std::int64_t RowSizes::RowsPerPiece(std::string_view key) const {
  const std::int64_t bytes = bytes_[SlotOf(key)].load(std::memory_order_relaxed);
  return bytes == 0 ? kFirstRows : std::clamp<std::int64_t>(kPieceBytes / bytes + 1, 4, kMaxRows);
}

void RowSizes::Saw(std::string_view key, std::int64_t rows, std::uint64_t bytes) {
  if (rows == 0) return;
  std::atomic<std::uint32_t>& slot = bytes_[SlotOf(key)];
  const auto seen = static_cast<std::uint32_t>(bytes / static_cast<std::uint64_t>(rows) + 1);
  const std::uint32_t before = slot.load(std::memory_order_relaxed);
  slot.store(before == 0 ? seen : (before * 3 + seen) / 4, std::memory_order_relaxed);
}

bool RowSizes::ExpectsOnePiece(std::string_view key) const {
  return doubts_[SlotOf(key)].load(std::memory_order_relaxed) == 0;
}

void RowSizes::SawFirstPiece(std::string_view key, bool was_all) {
  std::atomic<std::uint8_t>& slot = doubts_[SlotOf(key)];
  const std::uint8_t before = slot.load(std::memory_order_relaxed);
  if (!was_all) {
    slot.store(kDoubts, std::memory_order_relaxed);
  } else if (before > 0) {
    slot.store(before - 1, std::memory_order_relaxed);
  }
}

namespace {

// A statement sees one moment, without a transaction around it. So it is enough for a range that one piece
// holds, and for rows whose number is known. False if there is more: then nothing has been visited.
Outcome<bool> ScanOnePiece(Connection& connection, const ScanPlan& plan, const Visitor& visit,
                           RowSizes& sizes, bool& visited) {
  const bool is_known = plan.rows_wanted > 0;
  const std::int64_t limit = is_known ? plan.rows_wanted : sizes.RowsPerPiece(plan.range.begin);
  QueuePiece(connection, plan.range, plan.direction, limit);
  const auto results = connection.Run(After(plan.time));
  if (!results) return std::unexpected(results.error());
  const Rows& rows = results->back();
  if (rows.size() == limit && !is_known) return false;
  std::string last;
  std::uint64_t bytes = 0;
  const bool saw_all = VisitAll(rows, visit, last, bytes, visited);
  if (saw_all && rows.size() > kFewRows) sizes.Saw(plan.range.begin, rows.size(), bytes);
  return true;
}

}  // namespace

Outcome<void> ScanRows(Connection& connection, const ScanPlan& plan, const Visitor& visit,
                       Isolation isolation, RowSizes& sizes, bool& visited) {
  const std::string_view begin = plan.range.begin;
  const bool fits = plan.rows_wanted > 0 && plan.rows_wanted <= sizes.RowsPerPiece(begin);
  if (fits || (isolation == Isolation::kOwn && sizes.ExpectsOnePiece(begin))) {
    ScanPlan one = plan;
    if (!fits) one.rows_wanted = 0;
    const auto done = ScanOnePiece(connection, one, visit, sizes, visited);
    if (!done) return std::unexpected(done.error());
    if (*done) return {};
    sizes.SawFirstPiece(begin, false);
  }
  KeyRange left = plan.range;
  bool is_first = isolation == Isolation::kOwn;
  Outcome<void> outcome;
  for (;;) {
    const std::int64_t limit = sizes.RowsPerPiece(left.begin);
    if (is_first) connection.Queue(sql::kBeginView);
    QueuePiece(connection, left, plan.direction, limit);
    auto results = connection.Run(After(plan.time));
    if (!results) {
      outcome = std::unexpected(results.error());
      break;
    }
    const Rows& rows = results->back();
    if (std::exchange(is_first, false)) sizes.SawFirstPiece(begin, rows.size() < limit);
    std::string last;
    std::uint64_t bytes = 0;
    const bool goes_on = VisitAll(rows, visit, last, bytes, visited);
    if (goes_on && rows.size() > kFewRows) sizes.Saw(begin, rows.size(), bytes);
    if (!goes_on || rows.size() < limit) break;
    Shorten(left, plan.direction, std::move(last));
  }
  if (isolation == Isolation::kOwn && !connection.IsLost()) {
    connection.Queue(sql::kCommit);
    connection.RunAndForget();
  }
  return outcome;
}

Outcome<void> ScanCheckpoint(Connection& connection, std::string_view id, const KeyRange& range,
                             Direction direction, const Visitor& visit, bool& visited) {
  constexpr std::int64_t kRows = 500;
  KeyRange left = range;
  const Statement& statement =
      direction == Direction::kReverse ? sql::kScanCheckpointBack : sql::kScanCheckpoint;
  for (;;) {
    auto rows = connection.Run(statement,
                               {Parameter::Borrowed(id), Parameter::Borrowed(left.begin),
                                Parameter::Borrowed(left.end), Parameter::Integer(kRows)},
                               After(kTimeToRead));
    if (!rows) return std::unexpected(rows.error());
    std::string last;
    std::uint64_t bytes = 0;
    if (!VisitAll(*rows, visit, last, bytes, visited) || rows->size() < kRows) return {};
    // An empty end would mean "to the last key".
    if (direction == Direction::kReverse && last.empty()) return {};
    Shorten(left, direction, std::move(last));
  }
}

}  // namespace stator::postgres
