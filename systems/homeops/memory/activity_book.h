// The activities that a chat has taught, besides those that all chats start with.
//
// They are aliases too, so that one query tells all words of a chat: an alias that means itself is
// an activity, and says whether it is a chore and how hard it is.
#ifndef STATOR_SYSTEMS_HOMEOPS_MEMORY_ACTIVITY_BOOK_H_
#define STATOR_SYSTEMS_HOMEOPS_MEMORY_ACTIVITY_BOOK_H_

#include <string_view>
#include <vector>

#include "stator/entity.h"
#include "systems/homeops/memory/message.h"
#include "systems/homeops/understanding/classifier.h"

namespace stator::systems::homeops {

// Thread-safe.
class ActivityBook {
 public:
  explicit ActivityBook(Entities& entities) : entities_(entities) {}

  // Without forms: those are aliases of their own.
  EntityResult<std::vector<KnownActivity>> TaughtIn(std::string_view chat);

  // From here on the chat knows the activity, unless it did before, and its forms. `because` is the
  // message that says so; it teaches once, however often it comes. REQUIRES: no form means anything
  // yet.
  EntityResult<void> Teach(const KnownActivity& activity, const Vocabulary& known,
                           const Message& because);
  // Takes back what message `taught` has taught, with all words that have come to mean it since.
  // `because` asks for it.
  EntityResult<void> Forget(std::string_view name, const Message& taught, const Message& because);

 private:
  Entities& entities_;
};

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_MEMORY_ACTIVITY_BOOK_H_
