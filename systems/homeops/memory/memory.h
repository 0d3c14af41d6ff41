// Questions about what was done, and what was learned from it.
#ifndef STATOR_SYSTEMS_HOMEOPS_MEMORY_MEMORY_H_
#define STATOR_SYSTEMS_HOMEOPS_MEMORY_MEMORY_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/entity.h"
#include "systems/homeops/memory/alias_book.h"
#include "systems/homeops/memory/people.h"

namespace stator::systems::homeops {

// An activity that somebody has done.
struct DoneActivity {
  std::string activity;
  std::int64_t user = 0;
  std::string name;
  std::int64_t at = 0;
};

struct Habit {
  std::string activity;
  std::int64_t total = 0;
  std::int64_t last_seen = 0;
  std::map<std::string, std::int64_t> days;   // mon … sun
  std::map<std::string, std::int64_t> hours;  // 0 … 23
  double effort = 0;                          // the running mean
};

struct Preference {
  std::string metric;  // light, medium, heavy
  std::int64_t count = 0;
};

// Activities may be named by any alias or form.
class Memory {
 public:
  Memory(Entities& entities, AliasBook& aliases) : entities_(entities), aliases_(aliases) {}

  EntityResult<std::optional<DoneActivity>> WhoLast(std::string_view chat,
                                                    std::string_view activity);
  EntityResult<std::optional<DoneActivity>> WhenLast(std::string_view chat, std::int64_t user,
                                                     std::string_view activity);
  // From `from` up to and including `to`.
  EntityResult<std::int64_t> HowOften(std::string_view chat, std::int64_t user,
                                      std::string_view activity, std::int64_t from,
                                      std::int64_t to);
  // The most frequent first.
  EntityResult<std::vector<Habit>> HabitsOf(std::string_view chat, std::int64_t user);
  EntityResult<std::vector<Preference>> PreferencesOf(std::int64_t user);

  // What everybody did of it, from `from` up to and including `to`.
  EntityResult<std::vector<DoneActivity>> DoneIn(std::string_view chat, std::string_view activity,
                                                 std::int64_t from, std::int64_t to);

  // The members of this name; a number is taken as it is.
  EntityResult<std::vector<Member>> FindPeople(std::string_view chat, std::string_view who);

 private:
  Entities& entities_;
  AliasBook& aliases_;
};

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_MEMORY_MEMORY_H_
