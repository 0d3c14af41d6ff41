// /_stator/clock: reads and turns the clock.
//
//   GET                                     → {"now": 1767225600.000, "mode": "fixed",
//   POST {"advance_seconds": 2678400}       →  "offset_seconds": -1234.567}
//   POST {"now": 1767225600}                →
//   POST {"reset": true}                    →
//
// now is in seconds since the epoch; offset_seconds is how far that is from the system's time.
#ifndef STATOR_SERVER_ADMIN_CLOCK_H_
#define STATOR_SERVER_ADMIN_CLOCK_H_

#include <expected>
#include <string>
#include <string_view>

#include "stator/clock.h"

namespace stator::server {

std::string ClockDocument(const ClockReading& reading);

// Does what the document says. The error is for people, and nothing has happened then.
std::expected<void, std::string> TurnClock(std::string_view json, TurnableClock& clock);

}  // namespace stator::server

#endif  // STATOR_SERVER_ADMIN_CLOCK_H_
