// What a message says that somebody did: Swedish words, the vocabulary of a household, and a
// classifier that goes by it. A language model would fit behind the same interface.
#ifndef STATOR_SYSTEMS_HOMEOPS_CLASSIFIER_H_
#define STATOR_SYSTEMS_HOMEOPS_CLASSIFIER_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stator::systems::homeops {

// The words of a text in small letters, without punctuation: "Har DISKAT nu!" gives har, diskat,
// nu.
std::vector<std::string> WordsOf(std::string_view text);

// The same, joined by spaces: the form in which aliases are stored and looked up.
std::string Normalised(std::string_view text);

// True if the words of `phrase` stand next to each other among `words`.
bool ContainsPhrase(const std::vector<std::string>& words, const std::vector<std::string>& phrase);

// What a household does, with the forms in which people write it.
struct KnownActivity {
  std::string_view name;  // canonical: "diskning"
  bool recovery = false;  // rest, not a chore
  int effort = 2;         // 1 … 5
  std::vector<std::string_view> forms;
};

std::span<const KnownActivity> KnownActivities();

// By its canonical name; null if it is unknown.
const KnownActivity* FindActivity(std::string_view name);

// The canonical name of a word or form: "Diska" gives "diskning"; empty if it is unknown.
std::string_view CanonicalOf(std::string_view text);

// What every chat starts with.
struct SeedAlias {
  std::string_view alias;
  std::string_view activity;
};
std::span<const SeedAlias> SeedAliases();

struct Alias {
  std::string alias;     // normalised
  std::string activity;  // canonical
  std::int64_t confirmations = 0;
  std::string source;  // seed or learned
};

struct Decision {
  std::string kind = "none";  // none, chore, recovery, clarification, start
  std::string activity;       // canonical; of clarifications what was meant, empty for a yes
  std::string phrase;         // the words that decided it; of none, those that were not understood
  int effort = 0;             // 1 … 5
  int confidence = 0;         // percent
};

class Classifier {
 public:
  virtual ~Classifier() = default;
  // `is_reply`: the message answers another one.
  virtual Decision Classify(std::string_view text, bool is_reply,
                            const std::vector<Alias>& aliases) const = 0;
};

// Finds aliases and the built-in forms, the longest first. Wishes, plans, questions and denials are
// not activities.
class VocabularyClassifier final : public Classifier {
 public:
  Decision Classify(std::string_view text, bool is_reply,
                    const std::vector<Alias>& aliases) const override;
};

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_CLASSIFIER_H_
