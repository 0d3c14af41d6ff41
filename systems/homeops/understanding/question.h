// Questions about what was done, as people write them in a chat:
//
//   Vem diskade senast? · När handlade Anna sist? · Hur ofta har Martin diskat den här veckan?
//   Hur många gånger har vi dammsugit i mars? · Vem har städat mest förra veckan?
#ifndef STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_QUESTION_H_
#define STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_QUESTION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "systems/homeops/understanding/classifier.h"

namespace stator::systems::homeops {

// Both ends belong to it.
struct Period {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::string name;  // "den här veckan"; of all time "totalt"
};

struct Question {
  enum class Kind : std::uint8_t { kWhoLast, kWhenLast, kHowOften, kWhoMost };
  Kind kind = Kind::kWhoLast;
  std::string activity;      // canonical; empty: none that the chat knows
  std::string name;          // whom it is about, normalised; empty: anybody
  bool is_about_me = false;  // the one who asks
  Period period;             // kHowOften, kWhoMost
};

// `now` is when it is asked. nullopt if it asks nothing of this kind.
std::optional<Question> QuestionIn(std::string_view text, const Vocabulary& vocabulary,
                                   std::int64_t now);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_QUESTION_H_
