// Plays a journal of changes into the book. However often it is killed and started again, and
// however many play it at once, the result is the same.
//
//   {"do":"schedule","call":"c1","user":"ann","provider":"p1","at":"2026-03-02T09:00:00Z"}
//   {"do":"reschedule","call":"c1","version":1,"to":"2026-03-03T09:00:00Z"}
//   {"do":"reassign","call":"c1","version":2,"user":"ben"}
//   {"do":"provider","call":"c1","version":3,"provider":"p2"}
//   {"do":"complete","call":"c1","version":4}
//
// A change names the version that it starts from. A call with a later version has had the change
// already, so the line is skipped: each change happens exactly once.
#ifndef STATOR_SYSTEMS_CALLS_REPLAY_H_
#define STATOR_SYSTEMS_CALLS_REPLAY_H_

#include <cstdint>
#include <istream>
#include <string>

#include "systems/calls/call_book.h"
#include "systems/program/fallible.h"

namespace stator::systems::calls {

struct ReplayReport {
  std::int64_t done = 0;
  std::int64_t skipped = 0;  // had happened before
};

// Stops at the first line that cannot be carried out; the error names it.
Fallible<ReplayReport> Replay(CallBook& book, std::istream& journal);

}  // namespace stator::systems::calls

#endif  // STATOR_SYSTEMS_CALLS_REPLAY_H_
