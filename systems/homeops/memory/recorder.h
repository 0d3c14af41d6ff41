// The record of deeds: activities are saved and learned from, moved when they were misunderstood,
// and taken back.
#ifndef STATOR_SYSTEMS_HOMEOPS_MEMORY_RECORDER_H_
#define STATOR_SYSTEMS_HOMEOPS_MEMORY_RECORDER_H_

#include <cstddef>
#include <string>
#include <vector>

#include "stator/entity.h"
#include "systems/homeops/memory/learner.h"
#include "systems/homeops/memory/message.h"
#include "systems/homeops/memory/people.h"

namespace stator::systems::homeops {

// A message that has deeds, and what was decided about it.
struct Told {
  Message message;
  Decision decision;
  Item record;
};

// The key of a deed's activity, which follows from the message, and the whole of it.
Item ActivityKey(const Message& message, std::size_t deed);
Item ActivityOf(const Message& message, const Decision& decision, std::size_t deed,
                const std::vector<Member>& people);

// Thread-safe.
class Recorder {
 public:
  explicit Recorder(Entities& entities) : entities_(entities), learner_(entities) {}

  // Saves each deed as an activity; what exists stays. Returns the failures.
  std::vector<EntityError> Save(const Message& message, const Decision& decision,
                                const std::vector<Member>& people);
  Lesson Learn(const Message& message, const Decision& decision, const Item& record,
               const Reply& reply = {}) {
    return learner_.Learn(message, decision, record, reply);
  }

  // Makes up for what was missed, before something is changed.
  void Complete(const Told& told, const std::vector<Member>& people);

  // A message that was taken for `from` tells of deeds; it has the decision afterwards. Like all
  // changes below, `because` makes it happen, once, however often that message comes.
  EntityResult<void> Redecide(Told& told, Decision decision, std::string_view from,
                              const Message& because);
  // One deed was something else: its activity and all counts change together. `undone` is the message
  // that had moved it the other way, if any.
  EntityResult<void> Move(const Told& told, std::size_t deed, const Deed& to,
                          const Message& because, const Message* undone = nullptr);
  // None of it was done.
  EntityResult<void> Remove(const Told& told, const Message& because,
                            const Message* undone = nullptr);
  // Nothing to change but the stamps.
  EntityResult<void> MarkUndone(const Message& because, const Message& undone);

 private:
  EntityResult<void> MoveOnce(const Told& told, std::size_t deed, const Deed& to,
                              const Message& because, const Message* undone);
  EntityResult<void> RemoveOnce(const Told& told, const Message& because, const Message* undone);
  // Stamps the message that asks for a change, and the one whose change is taken back.
  static void Stamp(EntityTransaction& together, const Message& because, const Message* undone,
                    const std::string& moved_from);
  // True if the message has got its stamp meanwhile, by another worker or before a crash.
  EntityResult<bool> IsStamped(const Message& because);

  Entities& entities_;
  Learner learner_;
};

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_MEMORY_RECORDER_H_
