// Times as people write them.
#ifndef STATOR_SYSTEMS_CALLS_TIME_TEXT_H_
#define STATOR_SYSTEMS_CALLS_TIME_TEXT_H_

#include <expected>
#include <string>
#include <string_view>

#include "stator/clock.h"

namespace stator::systems::calls {

// 2026-03-02T09:00:00Z, also with milliseconds; or +2h, -30m, +1d from `now`. A bare number is
// refused: nobody can see whether it counts seconds or milliseconds.
std::expected<TimeMs, std::string> ParseTime(std::string_view text, TimeMs now);

// In UTC; milliseconds only if there are any.
std::string TimeText(TimeMs time);

}  // namespace stator::systems::calls

#endif  // STATOR_SYSTEMS_CALLS_TIME_TEXT_H_
