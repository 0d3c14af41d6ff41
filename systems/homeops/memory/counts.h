// What one deed adds to the counts of its person, and takes away again if it was a mistake: effort,
// habit and preference.
#ifndef STATOR_SYSTEMS_HOMEOPS_MEMORY_COUNTS_H_
#define STATOR_SYSTEMS_HOMEOPS_MEMORY_COUNTS_H_

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "stator/entity.h"
#include "systems/homeops/memory/message.h"

namespace stator::systems::homeops {

// The weight of a new figure in the running effort.
inline constexpr double kEffortWeight = 0.3;

// The person who did it.
inline std::int64_t UserOf(const Message& message, const Deed& deed) {
  return deed.user != 0 ? deed.user : message.user;
}

Item HabitKey(const Message& message, const Deed& deed);

// When a habit was last seen, in seconds; 0 if never. It is kept as text, as the seed has it; older
// records have a number.
std::int64_t LastSeen(const Item& habit);

// What is known of the habits that a message adds to, by activity.
struct HabitTimes {
  std::set<std::string> older;      // something later has been seen, and stays the last
  std::set<std::string> unchecked;  // the last time is a number, and is replaced unseen
};
EntityResult<HabitTimes> ReadHabitTimes(Entities& entities, const Message& message,
                                        const std::vector<Deed>& deeds);

// Each adds the writes for these deeds to a transaction, reading what it must.
EntityResult<void> CountEfforts(Entities& entities, EntityTransaction& together,
                                const Message& message, const std::vector<Deed>& deeds);
void CountHabits(EntityTransaction& together, const Message& message,
                 const std::vector<Deed>& deeds, const HabitTimes& times);
// `gone` is taken away in the same step.
void CountPreferences(EntityTransaction& together, const Message& message,
                      const std::vector<Deed>& deeds, const std::vector<Deed>& gone = {});

// The opposite. A running effort gets back the figure it had if nothing came after the deed; else
// only the number of samples changes.
EntityResult<void> UncountEfforts(Entities& entities, EntityTransaction& together,
                                  const Message& message, const std::vector<Deed>& deeds);
EntityResult<void> UncountHabits(Entities& entities, EntityTransaction& together,
                                 const Message& message, const std::vector<Deed>& deeds);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_MEMORY_COUNTS_H_
