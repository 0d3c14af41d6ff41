// Times of calls as text that sorts by time: 2026-02-28T08:00:00.000Z, always UTC, always 24
// characters. With other widths …00.500Z would sort before …00Z.
#ifndef STATOR_SYSTEMS_RECONCILER_CALL_TIME_H_
#define STATOR_SYSTEMS_RECONCILER_CALL_TIME_H_

#include <optional>
#include <string>
#include <string_view>

#include "stator/clock.h"

namespace stator::systems::reconciler {

// RFC 3339: 2026-02-28T08:00:00Z, 2026-02-28T09:00:00.5+01:00. Digits behind the milliseconds are
// cut off. nullopt for anything else, and outside 1970..9999.
std::optional<TimeMs> ParseTime(std::string_view text);

// REQUIRES: within 1970..9999.
std::string TimeText(TimeMs time);

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_CALL_TIME_H_
