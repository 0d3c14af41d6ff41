// What the bot learns from one activity: effort, habit and preference; and whether it answers.
//
// Each step counts once per message. It is written together with its stamp on the message, in one
// transaction, so that a worker that dies or a message that comes twice changes nothing.
#ifndef STATOR_SYSTEMS_HOMEOPS_LEARNER_H_
#define STATOR_SYSTEMS_HOMEOPS_LEARNER_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stator/entity.h"
#include "systems/homeops/message.h"

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

// The weight of a new figure in the running effort.
inline constexpr double kEffortWeight = 0.3;
inline constexpr std::int64_t kResponsesPerDay = 10;

class Learner {
 public:
  explicit Learner(Entities& entities) : entities_(entities) {}

  // Learns the steps that the record has no stamp of: all at once, and if that fails one by one.
  Lesson Learn(const Message& message, const Decision& decision, const Item& record);

 private:
  struct Attempt;
  EntityResult<void> Together(Attempt& attempt);
  EntityResult<void> Add(EntityTransaction& together, Step step, Attempt& attempt);
  EntityResult<void> AddEffort(EntityTransaction& together, const Attempt& attempt);
  void AddHabit(EntityTransaction& together, const Attempt& attempt);
  EntityResult<void> AddResponse(EntityTransaction& together, Attempt& attempt);
  // Finds out what is left to do after somebody else was faster.
  EntityResult<void> LookAgain(Attempt& attempt);
  EntityResult<bool> MayRespond(const Message& message);

  Entities& entities_;
};

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_LEARNER_H_
