// A call between a user and a provider: as the application sees it, as it is stored, and as text.
#ifndef STATOR_SYSTEMS_CALLS_CALL_H_
#define STATOR_SYSTEMS_CALLS_CALL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/clock.h"
#include "stator/item.h"
#include "systems/program/fallible.h"

namespace stator::systems::calls {

struct Call {
  std::string call_id;
  std::string user_id;
  std::string provider_id;
  TimeMs scheduled_for{};
  std::string status;  // SCHEDULED or COMPLETED
  std::int64_t version = 0;
  std::optional<TimeMs> completed_at;
  std::string notes;  // empty: none
};

// The call that an item stores; attributes that the item lacks are empty.
Call CallOf(const Item& item);

// What the primary key of a call is made of.
Item KeyOf(const Call& call);

// For people: a table.
std::string CallTable(const std::vector<Call>& calls);
// For programs: one JSON object on one line.
std::string CallJson(const Call& call);

// A time on the command line: 2026-03-02T09:00:00Z, +2h, -30m, +1d from `now`, or now. A bare
// number is refused, because nobody can see whether it counts seconds or milliseconds.
Fallible<TimeMs> ParseWhen(std::string_view text, TimeMs now);

// The two composite keys of a call, as the design's Java builds them:
//
//   sk         := String.format("%013d#%s", scheduledForMs, callId)
//   userStatus := userId + "#" + status
//
// Writers do not need them: the entity layer makes both from the model. They are for code that
// looks at the table from outside and wants to know what it must contain, such as the audit.

// Thirteen digits last from 1970 until 2286-11-20T17:46:39.999Z.
inline constexpr TimeMs kLatestTime{std::chrono::milliseconds(9'999'999'999'999)};

// nullopt outside these times: Java would still make a text, but it would sort among the wrong
// calls.
std::optional<std::string> SortKey(TimeMs scheduled_for, std::string_view call_id);

std::string UserStatus(std::string_view user_id, std::string_view status);

}  // namespace stator::systems::calls

#endif  // STATOR_SYSTEMS_CALLS_CALL_H_
