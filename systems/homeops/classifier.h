// What a message says that somebody did. Behind this interface stands a vocabulary; a language model
// would fit as well.
#ifndef STATOR_SYSTEMS_HOMEOPS_CLASSIFIER_H_
#define STATOR_SYSTEMS_HOMEOPS_CLASSIFIER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stator::systems::homeops {

struct Alias {
  std::string alias;     // normalised
  std::string activity;  // canonical
  std::int64_t confirmations = 0;
  std::string source;  // seed or learned
};

struct Decision {
  std::string kind = "none";  // none, chore, recovery, clarification, start
  std::string activity;       // canonical; of clarifications what was meant, empty: a yes
  std::string phrase;         // what it was decided by; of none, what could not be understood
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
// no activities.
class VocabularyClassifier final : public Classifier {
 public:
  Decision Classify(std::string_view text, bool is_reply,
                    const std::vector<Alias>& aliases) const override;
};

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_CLASSIFIER_H_
