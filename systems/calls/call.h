// A call between a user and a provider, as the application sees it.
#ifndef STATOR_SYSTEMS_CALLS_CALL_H_
#define STATOR_SYSTEMS_CALLS_CALL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stator/clock.h"
#include "stator/item.h"

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

// Of a stored item; what it lacks is empty.
Call CallOf(const Item& item);

// The sources of a call's primary key.
Item KeyOf(const Call& call);

// For people: a table with a head.
std::string CallTable(const std::vector<Call>& calls);
// For programs: one JSON object on one line.
std::string CallJson(const Call& call);

}  // namespace stator::systems::calls

#endif  // STATOR_SYSTEMS_CALLS_CALL_H_
