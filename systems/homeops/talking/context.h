// Which message another one speaks of: the one it answers, what the bot has just asked, or the last
// thing that its writer did.
#ifndef STATOR_SYSTEMS_HOMEOPS_TALKING_CONTEXT_H_
#define STATOR_SYSTEMS_HOMEOPS_TALKING_CONTEXT_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "stator/entity.h"
#include "systems/homeops/memory/message.h"
#include "systems/homeops/memory/recorder.h"
#include "systems/homeops/talking/reply.h"
#include "systems/homeops/understanding/classifier.h"

namespace stator::systems::homeops {

class Context {
 public:
  explicit Context(Entities& entities) : entities_(entities) {}

  // What a message decides as the answer to something that the bot asked: it says what stands on
  // one of the buttons, or names an activity where one was asked for. nullopt: it is no answer.
  EntityResult<std::optional<Decision>> AnswerIn(const Message& message,
                                                 const Vocabulary& vocabulary);

  // The number of the message that a correction, a yes or an undo is about; 0: none is known.
  EntityResult<std::int64_t> AboutOf(const Message& message, const Decision& decision);

  // A message of the same chat, and what was decided about it.
  EntityResult<std::optional<Told>> Find(const Message& near, std::int64_t id);

 private:
  EntityResult<std::optional<Item>> Record(const Message& near, std::int64_t id);
  // The message before which the bot said what `message` answers: the one that it had answered.
  EntityResult<std::optional<Item>> AskedBefore(const Message& message);
  // The last messages of a chat besides this one, the newest first; a page of them, or as many as
  // are looked through for something to correct.
  EntityResult<std::vector<Item>> Recent(const Message& message, int pages = 1);

  Entities& entities_;
};

// True if there is something to take back.
bool IsUndoable(const Item& record);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_TALKING_CONTEXT_H_
