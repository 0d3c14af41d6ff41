#include "base/utc_text.h"

#include <fmt/chrono.h>

#include <chrono>

namespace stator {

std::tm UtcParts(TimeMs time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time).time_since_epoch();
  return fmt::gmtime(static_cast<std::time_t>(seconds.count()));
}

std::string UtcSeconds(TimeMs time) { return fmt::format("{:%Y-%m-%dT%H:%M:%S}", UtcParts(time)); }

std::string UtcMilliseconds(TimeMs time) {
  const auto rest = time - std::chrono::floor<std::chrono::seconds>(time);
  return fmt::format("{}.{:03}", UtcSeconds(time), rest.count());
}

}  // namespace stator
