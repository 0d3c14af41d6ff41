#include "engine/sharing/shared_clock.h"

#include "base/big_endian.h"
#include "base/log.h"
#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/store_access.h"

namespace stator {
namespace {

const std::string kClockKey = std::string(1, kCatalogSpace) + "clock";
constexpr char kStands = '=';
constexpr char kRuns = '+';
constexpr std::size_t kClockBytes = 1 + 8;

StorageError ClockDamage() {
  return {StorageError::Kind::kCorrupt,
          "the catalog is damaged (what the clock shows); restore the database from a backup"};
}

}  // namespace

std::string EncodeClock(const ClockSetting& shown) {
  const bool stands = shown.mode == ClockMode::kFixed;
  const std::int64_t ms = stands                             ? EpochMs(shown.fixed)
                          : shown.mode == ClockMode::kSystem ? 0
                                                             : shown.offset.count();
  return (stands ? kStands : kRuns) + BigEndian(static_cast<std::uint64_t>(ms), 8);
}

std::optional<ClockSetting> DecodeClock(std::string_view row) {
  if (row.size() != kClockBytes) return std::nullopt;
  const auto ms = static_cast<std::int64_t>(ReadBigEndian(row.substr(1)));
  if (row.front() == kStands) return ClockSetting::FixedAt(TimeFromMs(ms));
  if (row.front() != kRuns) return std::nullopt;
  return ClockSetting::OffsetBy(std::chrono::milliseconds(ms));
}

StorageResult<void> SharedClock::Load() {
  std::string row;
  ASSIGN_OR_RETURN(const bool found, store_.Get(kClockKey, row));
  if (!found) return {};
  RETURN_IF_ERROR(Learn(kClockKey, row));
  return {};
}

Result<void> SharedClock::Start() {
  RETURN_IF_ERROR(WriteIfThereIsNone());
  clock_.ShareTurns([this](const TurnableClock::Turn& turn) { return Turn(turn); });
  return {};
}

Result<void> SharedClock::WriteIfThereIsNone() {
  if (clock_.Shown().mode == ClockMode::kSystem) return {};
  return WriteCatalogRows(store_, [this]() -> Result<RawRows> {
    std::string row;
    ASSIGN_OR_RETURN(const bool found, FromStorage(store_.Get(kClockKey, row)));
    if (found) return RawRows();
    return RawRows{{kClockKey, EncodeClock(clock_.Shown())}};
  });
}

StorageResult<bool> SharedClock::Learn(std::string_view key,
                                       std::optional<std::string_view> value) {
  if (key != kClockKey) return false;
  const std::optional<ClockSetting> shown = value ? DecodeClock(*value) : ClockSetting();
  if (!shown) return std::unexpected(ClockDamage());
  clock_.Show(*shown);
  return true;
}

bool SharedClock::Turn(const TurnableClock::Turn& turn) {
  const std::scoped_lock lock(turning_);
  bool is_possible = true;
  const Result<void> turned = WriteCatalogRows(store_, [&]() -> Result<RawRows> {
    const std::optional<ClockSetting> shown = turn(clock_.Shown());
    is_possible = shown.has_value();
    if (!is_possible) return RawRows();
    return RawRows{{kClockKey, EncodeClock(*shown)}};
  });
  if (turned) return is_possible;
  Log(LogLevel::kError, "the clock could not be turned", {{"error", turned.error().message()}});
  return false;
}

}  // namespace stator
