#include "systems/homeops/memory/household.h"

#include <algorithm>

namespace stator::systems::homeops {

Knowledge Household::Of(std::string_view chat) {
  Knowledge known;
  if (auto aliases = aliases_.Of(chat)) {
    known.vocabulary.aliases = *std::move(aliases);
  } else {
    known.failures.emplace_back("aliases", aliases.error());
  }
  // The same query, which is remembered.
  if (const auto taught = activities_.TaughtIn(chat)) {
    auto& activities = known.vocabulary.activities;
    activities.insert(activities.end(), taught->begin(), taught->end());
  }
  return known;
}

void Household::AddPeople(std::string_view chat, Knowledge& known) {
  if (auto people = people_.Of(chat)) {
    known.people = *std::move(people);
    known.vocabulary.people = NamesOf(known.people);
  } else {
    known.failures.emplace_back("members", people.error());
  }
}

}  // namespace stator::systems::homeops
