// A journal of changes, played into the book; again after it was killed, or by several at once, with
// the same end.
//
//   {"do":"schedule","call":"c1","user":"ann","provider":"p1","at":"2026-03-02T09:00:00Z"}
//   {"do":"reschedule","call":"c1","version":1,"to":"2026-03-03T09:00:00Z"}
//   {"do":"reassign","call":"c1","version":2,"user":"ben"}
//   {"do":"provider","call":"c1","version":3,"provider":"p2"}
//   {"do":"complete","call":"c1","version":4}
//
// A change names the version that it starts from. A call with a later one has had the change already,
// so the line is skipped: each happens exactly once.
#ifndef STATOR_SYSTEMS_CALLS_REPLAY_H_
#define STATOR_SYSTEMS_CALLS_REPLAY_H_

#include <cstdint>
#include <expected>
#include <istream>
#include <string>

#include "systems/calls/call_book.h"

namespace stator::systems::calls {

struct ReplayReport {
  std::int64_t done = 0;
  std::int64_t skipped = 0;  // had happened before
};

// Stops at the first line that cannot be carried out; the error names it.
std::expected<ReplayReport, std::string> Replay(CallBook& book, std::istream& journal);

}  // namespace stator::systems::calls

#endif  // STATOR_SYSTEMS_CALLS_REPLAY_H_
