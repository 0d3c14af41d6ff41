// What the bot does with messages that ask something of it, and what it says to them.
#ifndef STATOR_SYSTEMS_HOMEOPS_TALKING_DIALOGUE_H_
#define STATOR_SYSTEMS_HOMEOPS_TALKING_DIALOGUE_H_

#include <optional>
#include <vector>

#include "stator/entity.h"
#include "systems/homeops/memory/household.h"
#include "systems/homeops/memory/recorder.h"
#include "systems/homeops/talking/answers.h"
#include "systems/homeops/talking/context.h"
#include "systems/homeops/talking/corrections.h"
#include "systems/homeops/talking/reply.h"

namespace stator::systems::homeops {

// Everything happens once, however often a message comes.
class Dialogue {
 public:
  // All must outlive this.
  Dialogue(Entities& entities, Household& household, Recorder& recorder)
      : household_(household),
        recorder_(recorder),
        answers_(entities, household.aliases()),
        context_(entities),
        corrections_(entities, household, recorder) {}

  // Does what was asked. REQUIRES: the message is neither none nor about deeds.
  EntityResult<Reply> Answer(const Heard& heard);

 private:
  EntityResult<Reply> AnswerQuestion(const Heard& heard, const Message& asked,
                                     std::optional<std::int64_t> chosen);
  EntityResult<Reply> Choose(const Heard& heard);
  EntityResult<Reply> TeachActivity(const Heard& heard);

  Household& household_;
  Recorder& recorder_;
  Answers answers_;
  Context context_;
  Corrections corrections_;
};

// To a message that tells of deeds; to one with words that nobody knows; and to one about somebody
// whose name several people have.
Reply Noted(const Message& message, const Decision& decision, const std::vector<Member>& people);
Reply AskWhat(const Message& message, const Decision& decision);
Reply AskWho(const Message& message, const Decision& decision, const std::vector<Member>& people);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_TALKING_DIALOGUE_H_
