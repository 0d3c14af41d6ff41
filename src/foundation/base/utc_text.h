// Times as text. The formatters of fmt go through nanoseconds, which end in the year 2262; the
// clock can be turned further.
#ifndef STATOR_BASE_UTC_TEXT_H_
#define STATOR_BASE_UTC_TEXT_H_

#include <ctime>
#include <string>

#include "stator/clock.h"

namespace stator {

// For fmt's %Y, %A and the like.
std::tm UtcParts(TimeMs time);

// "2026-01-31T12:00:00"
std::string UtcSeconds(TimeMs time);
// "2026-01-31T12:00:00.000"
std::string UtcMilliseconds(TimeMs time);

}  // namespace stator

#endif  // STATOR_BASE_UTC_TEXT_H_
