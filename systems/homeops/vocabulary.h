// What a household does, in Swedish: canonical names, the forms in which people write them, and the
// aliases that every chat starts with.
#ifndef STATOR_SYSTEMS_HOMEOPS_VOCABULARY_H_
#define STATOR_SYSTEMS_HOMEOPS_VOCABULARY_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stator::systems::homeops {

struct KnownActivity {
  std::string_view name;  // canonical: "diskning"
  bool recovery = false;  // rest, not a chore
  int effort = 2;         // 1 … 5
  std::vector<std::string_view> forms;
};

std::span<const KnownActivity> KnownActivities();

// By its canonical name; null: there is none.
const KnownActivity* FindActivity(std::string_view name);

// The canonical name of a word or form: "Diska" gives "diskning"; empty: unknown.
std::string_view CanonicalOf(std::string_view text);

struct SeedAlias {
  std::string_view alias;
  std::string_view activity;
};
std::span<const SeedAlias> SeedAliases();

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_VOCABULARY_H_
