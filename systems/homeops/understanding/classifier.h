// What a message says that somebody did: Swedish words, the vocabulary of a household, and a
// classifier that goes by it. A language model would fit behind the same interface.
#ifndef STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_CLASSIFIER_H_
#define STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_CLASSIFIER_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "systems/homeops/understanding/swedish.h"

namespace stator::systems::homeops {

// Something that a household does, with the words in which people write it, in any inflection
// (activities.cc).
struct KnownActivity {
  std::string name;       // canonical: "diskning"
  bool recovery = false;  // rest, not a chore
  int effort = 2;         // 1 … 5
  std::vector<std::string> forms;
};

struct Alias {
  std::string alias;     // normalised
  std::string activity;  // canonical
  std::int64_t confirmations = 0;
  std::string source;  // seed or learned
};

// What every chat starts with; it can teach more.
const std::vector<KnownActivity>& BuiltInActivities();
struct SeedAlias {
  std::string_view alias;
  std::string_view activity;
};
std::span<const SeedAlias> SeedAliases();
// Forms that only look like those of activities: "handla om".
std::span<const std::string_view> OtherMeanings();

// What one chat knows.
struct Vocabulary {
  std::vector<KnownActivity> activities = BuiltInActivities();
  std::vector<Alias> aliases;
  std::vector<std::string> people;  // the names of its members, normalised

  // By its canonical name; null if it is unknown.
  const KnownActivity* Find(std::string_view name) const;
  // The canonical name of an alias, a name or a form: "Diska" gives "diskning"; empty if unknown.
  std::string CanonicalOf(std::string_view text) const;
};

// Words of a text that name an activity.
struct Mention {
  std::string activity;
  std::string phrase;
  int confidence = 0;     // percent
  std::size_t place = 0;  // of its first word
};

// Whether done or not, in the order of the text; each activity once. Aliases outrank the forms of
// activities, and forms of many words those of few.
std::vector<Mention> MentionsIn(const std::vector<std::string>& words,
                                const Vocabulary& vocabulary);

// Something that somebody has done.
struct Deed {
  std::string activity;  // canonical
  bool recovery = false;
  std::string phrase;     // the words that say so
  std::string who;        // one of Vocabulary::people; empty: the writer of the message
  int effort = 2;         // 1 … 5
  int confidence = 0;     // percent
  std::int64_t user = 0;  // the number of `who`, once the bot knows it; classifiers leave it alone
};

// What a message tells.
struct Reading {
  std::vector<Deed> deeds;  // in the order of the text
  std::string unknown;      // without deeds: words for something done that is not known
};

class Classifier {
 public:
  virtual ~Classifier() = default;
  virtual Reading Classify(std::string_view text, const Vocabulary& vocabulary) const = 0;
};

// Finds aliases and the forms of activities, clause by clause, and who the clause says it was.
// Wishes, plans, questions, denials and what others did are not deeds. Thread-safe.
class VocabularyClassifier final : public Classifier {
 public:
  Reading Classify(std::string_view text, const Vocabulary& vocabulary) const override;
};

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_CLASSIFIER_H_
