// The answers to questions about what was done.
#ifndef STATOR_SYSTEMS_HOMEOPS_TALKING_ANSWERS_H_
#define STATOR_SYSTEMS_HOMEOPS_TALKING_ANSWERS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "systems/homeops/memory/household.h"
#include "systems/homeops/memory/memory.h"
#include "systems/homeops/talking/reply.h"
#include "systems/homeops/understanding/question.h"

namespace stator::systems::homeops {

class Answers {
 public:
  Answers(Entities& entities, AliasBook& aliases) : memory_(entities, aliases) {}

  // Of the question that `asked` holds. `chosen` is who was meant, after a name that several have;
  // without it such a name is answered by a question back.
  EntityResult<Reply> Answer(const Message& asked, const Question& question, const Knowledge& known,
                             std::optional<std::int64_t> chosen = std::nullopt);

 private:
  struct Asked;
  EntityResult<Reply> WhoLast(const Asked& asked);
  EntityResult<Reply> WhenLast(const Asked& asked, const Member& person);
  EntityResult<Reply> HowOften(const Asked& asked, const Member& person);
  EntityResult<Reply> HowOftenAll(const Asked& asked);
  EntityResult<Reply> WhoMost(const Asked& asked);

  Memory memory_;
};

// "Vilken Anna menar du?", with a button for each of them.
Reply AskWhichPerson(std::int64_t message, std::string_view name,
                     const std::vector<Member>& candidates, const std::vector<Member>& people);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_TALKING_ANSWERS_H_
