// What the bot learns from the deeds of a message: effort, habit and preference; and whether it
// answers.
//
// Each step counts once per message. It is written together with its stamp on the message, in one
// transaction, so that a worker that dies or a message that comes twice changes nothing. So is the
// answer: whoever finds the stamp finds what is to be said.
#ifndef STATOR_SYSTEMS_HOMEOPS_MEMORY_LEARNER_H_
#define STATOR_SYSTEMS_HOMEOPS_MEMORY_LEARNER_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stator/entity.h"
#include "systems/homeops/memory/counts.h"
#include "systems/homeops/memory/message.h"
#include "systems/homeops/talking/reply.h"

namespace stator::systems::homeops {

enum class Step : std::uint8_t { kEffort, kHabit, kPreference, kResponse };
inline constexpr std::array kSteps = {Step::kEffort, Step::kHabit, Step::kPreference,
                                      Step::kResponse};
std::string_view NameOf(Step step);

struct StepFailure {
  Step step = Step::kEffort;
  EntityError error;
};

struct Lesson {
  std::vector<StepFailure> failures;  // to be logged; a repeated message makes up for them
  bool responded = false;
};

inline constexpr std::int64_t kResponsesPerDay = 10;

class Learner {
 public:
  explicit Learner(Entities& entities) : entities_(entities) {}

  // Learns the steps that the record has no stamp of: all at once, and if that fails one by one.
  // Without deeds there is nothing but to answer. `reply` is what is said if the bot may speak; in
  // a group it may ten times a day, and not while others talk.
  Lesson Learn(const Message& message, const Decision& decision, const Item& record,
               const Reply& reply = {});

 private:
  struct Attempt;
  EntityResult<void> Together(Attempt& attempt);
  EntityResult<void> Add(EntityTransaction& together, Step step, const Attempt& attempt);
  // Finds out what is left to do after somebody else was faster.
  EntityResult<void> LookAgain(Attempt& attempt);
  EntityResult<bool> MayRespond(const Message& message);

  Entities& entities_;
};

// The attributes of a message that hold an answer which is still to be sent.
std::vector<std::pair<std::string, AttributeValue>> AttributesOf(const Reply& reply);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_MEMORY_LEARNER_H_
