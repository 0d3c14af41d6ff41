#include "api/tables/setting_change.h"

#include <fmt/format.h>

#include "api/invalid_value.h"
#include "base/try.h"
#include "base/utc_text.h"

namespace stator {
namespace {

constexpr std::size_t kClassChanges = 2;
constexpr std::chrono::days kClassWindow{30};
constexpr std::chrono::milliseconds kBetweenProtectionChanges{15'000};

std::int64_t Ms(TimeMs time) { return time.time_since_epoch().count(); }

std::string IsoTime(TimeMs time) { return UtcMilliseconds(time) + "Z"; }

Result<void> ChangeClass(TableClass wanted, TimeMs now, Table& table) {
  if (table.table_class.value_or(TableClass::kStandard) == wanted) return {};
  std::erase_if(table.table_class_changes_ms,
                [now](std::int64_t change_ms) { return change_ms <= Ms(now - kClassWindow); });
  if (table.table_class_changes_ms.size() >= kClassChanges) {
    return std::unexpected(Error::LimitExceeded(fmt::format(
        "Subscriber limit exceeded: Updates to TableClass are limited to {} times in {} day(s).",
        kClassChanges, kClassWindow.count())));
  }
  table.table_class = wanted;
  table.table_class_update_ms = Ms(now);
  table.table_class_changes_ms.push_back(Ms(now));
  return {};
}

Result<void> ChangeProtection(bool wanted, TimeMs now, Table& table) {
  if (table.deletion_protection == wanted) return {};
  const std::int64_t last_ms = table.deletion_protection_change_ms;  // 0: never
  const TimeMs next = TimeMs(std::chrono::milliseconds(last_ms)) + kBetweenProtectionChanges;
  if (last_ms != 0 && now < next) {
    return std::unexpected(Error::Throttling(fmt::format(
        "Deletion protection setting for table {} modified within the previous {} milliseconds. "
        "Please try again after {}",
        table.name, kBetweenProtectionChanges.count(), IsoTime(next))));
  }
  table.deletion_protection = wanted;
  table.deletion_protection_change_ms = Ms(now);
  return {};
}

// Tables have the default encryption, and no other.
Result<void> CheckSseChange(const SseSpecification& sse) {
  const bool wants_key = sse.enabled.value_or(false) || sse.sse_type || sse.kms_master_key_id;
  if (wants_key) return {};
  return InvalidValue("Table is already encrypted by default");
}

}  // namespace

Result<void> ChangeSettings(const UpdateTableRequest& request, TimeMs now, Table& table) {
  if (request.sse_specification) RETURN_IF_ERROR(CheckSseChange(*request.sse_specification));
  if (request.table_class) {
    RETURN_IF_ERROR(ChangeClass(request.table_class->value(), now, table));
  }
  if (request.deletion_protection_enabled) {
    RETURN_IF_ERROR(ChangeProtection(*request.deletion_protection_enabled, now, table));
  }
  return {};
}

}  // namespace stator
