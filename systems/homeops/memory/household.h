// What a chat knows, put together: its words, its activities and its members.
#ifndef STATOR_SYSTEMS_HOMEOPS_MEMORY_HOUSEHOLD_H_
#define STATOR_SYSTEMS_HOMEOPS_MEMORY_HOUSEHOLD_H_

#include <string_view>
#include <vector>

#include "stator/entity.h"
#include "systems/homeops/memory/activity_book.h"
#include "systems/homeops/memory/alias_book.h"
#include "systems/homeops/memory/people.h"

namespace stator::systems::homeops {

// What one chat knew at one moment.
struct Knowledge {
  Vocabulary vocabulary;
  std::vector<Member> people;
  // Parts that could not be read, by name; they are empty then, and the built-in words do.
  std::vector<std::pair<std::string_view, EntityError>> failures;
};

// Thread-safe.
class Household {
 public:
  explicit Household(Entities& entities, AliasBookOptions options = {})
      : aliases_(entities, options), activities_(entities), people_(entities) {}

  // Without its members, who are not needed for most messages.
  Knowledge Of(std::string_view chat);
  void AddPeople(std::string_view chat, Knowledge& known);

  AliasBook& aliases() { return aliases_; }
  ActivityBook& activities() { return activities_; }
  People& people() { return people_; }

 private:
  AliasBook aliases_;
  ActivityBook activities_;
  People people_;
};

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_MEMORY_HOUSEHOLD_H_
