#include "systems/calls/keys.h"

#include <fmt/format.h>

namespace stator::systems::calls {

std::optional<std::string> SortKey(TimeMs scheduled_for, std::string_view call_id) {
  if (scheduled_for < TimeMs{} || scheduled_for > kLatestTime) return std::nullopt;
  return fmt::format("{:013d}#{}", scheduled_for.time_since_epoch().count(), call_id);
}

std::string UserStatus(std::string_view user_id, std::string_view status) {
  return fmt::format("{}#{}", user_id, status);
}

}  // namespace stator::systems::calls
