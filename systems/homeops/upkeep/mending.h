// The right form of what is stored. Other programs, older versions and the seed's own code wrote
// activities as they came ("Diska", "tva\u0308tt"), times as numbers or text, and left attributes
// out; memory questions ask for one spelling and would miss them.
#ifndef STATOR_SYSTEMS_HOMEOPS_UPKEEP_MENDING_H_
#define STATOR_SYSTEMS_HOMEOPS_UPKEEP_MENDING_H_

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "stator/item.h"
#include "systems/homeops/understanding/classifier.h"

namespace stator::systems::homeops {

// The vocabulary of every chat, as far as the table homeops has one. Thread-safe once everything is
// added.
class Vocabularies {
 public:
  // Takes aliases and taught activities; ignores other items.
  void Add(ItemView item);

  // The name under which questions look for an activity in a chat. An empty chat: any.
  std::string CanonicalOf(std::string_view chat, std::string_view activity) const;

 private:
  std::map<std::string, Vocabulary, std::less<>> chats_;
  Vocabulary all_;  // what the chats agree on, for records that belong to no chat
  mutable std::mutex mutex_;
  mutable std::map<std::pair<std::string, std::string>, std::string> known_;
};

struct Mending {
  std::string problem;        // for people
  std::optional<Item> right;  // with the key it should have; nullopt: nobody can tell
};

// Of an item of the table homeops or homeops-activities; nullopt if nothing is wrong with it.
std::optional<Mending> MendingOf(std::string_view table, const Item& item,
                                 const Vocabularies& vocabularies);

// Both items are right, and of one thing: what was counted twice is added up.
Item Merged(const Item& a, const Item& b);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_UPKEEP_MENDING_H_
