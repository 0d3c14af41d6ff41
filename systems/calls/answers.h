// What commands print.
#ifndef STATOR_SYSTEMS_CALLS_ANSWERS_H_
#define STATOR_SYSTEMS_CALLS_ANSWERS_H_

#include <optional>
#include <string_view>

#include "systems/calls/call_book.h"

namespace stator::systems::calls {

// Each returns the exit code.
int Refuse(std::string_view message);
int Refuse(const EntityError& error);
// The command line was wrong.
int Misuse(std::string_view message);
// A change: `done` is the word for it, "rescheduled".
int ShowChange(std::string_view done, const EntityResult<Call>& call);
int ShowCall(const EntityResult<std::optional<Call>>& call, std::string_view none, bool json);
int ShowPage(const EntityResult<CallPage>& page, bool json);

}  // namespace stator::systems::calls

#endif  // STATOR_SYSTEMS_CALLS_ANSWERS_H_
