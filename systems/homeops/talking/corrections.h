// Corrections: what a message meant, what words mean, and taking things back.
//
// A correction moves one deed at once. Words learn their meaning from it only as far as they are the
// chat's own: an alias, or a phrase of several words. A common verb means what it means for
// everybody; the bot asks before that changes.
#ifndef STATOR_SYSTEMS_HOMEOPS_TALKING_CORRECTIONS_H_
#define STATOR_SYSTEMS_HOMEOPS_TALKING_CORRECTIONS_H_

#include <string>
#include <string_view>
#include <vector>

#include "stator/entity.h"
#include "systems/homeops/memory/household.h"
#include "systems/homeops/memory/recorder.h"
#include "systems/homeops/talking/context.h"
#include "systems/homeops/talking/reply.h"

namespace stator::systems::homeops {

// One message with all that is known about it.
struct Heard {
  const Message& message;
  const Decision& decision;
  const Item& record;
  const Knowledge& known;
};

class Corrections {
 public:
  Corrections(Entities& entities, Household& household, Recorder& recorder)
      : household_(household), recorder_(recorder), context_(entities) {}

  // Of a clarification, a yes or no, an alias or an undo.
  EntityResult<Reply> Answer(const Heard& heard);

 private:
  EntityResult<Reply> Clarify(const Heard& heard);
  EntityResult<Reply> Agree(const Heard& heard);
  EntityResult<Reply> Disagree(const Heard& heard);
  EntityResult<Reply> TeachAlias(const Heard& heard);
  EntityResult<Reply> Undo(const Heard& heard);
  // The deed becomes what was meant.
  EntityResult<void> Apply(const Heard& heard, Told& told, std::size_t deed,
                           const KnownActivity& meant);
  EntityResult<void> UndoTaught(const Heard& heard, const Told& undone);

  Household& household_;
  Recorder& recorder_;
  Context context_;
};

// The words of a text without names and those that say nothing: "nu har jag diskat kläderna" gives
// "diskat kläderna". Empty if fewer than two or more than four are left.
std::string TellingPhrase(std::string_view text, const std::vector<std::string>& people);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_TALKING_CORRECTIONS_H_
