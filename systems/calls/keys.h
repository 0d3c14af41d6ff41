// The two composite keys of a call, as the design's Java builds them:
//
//   sk         := String.format("%013d#%s", scheduledForMs, callId)
//   userStatus := userId + "#" + status
//
// Writers do not need them: the entity layer makes both from the model. They are for those who look at
// the table from outside and want to know what must stand there, such as the audit.
#ifndef STATOR_SYSTEMS_CALLS_KEYS_H_
#define STATOR_SYSTEMS_CALLS_KEYS_H_

#include <optional>
#include <string>
#include <string_view>

#include "stator/clock.h"

namespace stator::systems::calls {

// Thirteen digits hold from 1970 until 2286-11-20T17:46:39.999Z.
inline constexpr TimeMs kLatestTime{std::chrono::milliseconds(9'999'999'999'999)};

// nullopt outside of these times: Java's text would be one, but would sort among the wrong calls.
std::optional<std::string> SortKey(TimeMs scheduled_for, std::string_view call_id);

std::string UserStatus(std::string_view user_id, std::string_view status);

}  // namespace stator::systems::calls

#endif  // STATOR_SYSTEMS_CALLS_KEYS_H_
