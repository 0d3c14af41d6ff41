// The bot: what happens to one message.
//
//   saved → decided → (activities saved → learned → answered) | (asked something → done → answered)
//
// Saving and deciding must succeed, or the message is to be delivered again. Without aliases the
// built-in words decide. Failures after that are logged, and made up for if the message ever comes
// again; what was done is not done twice. What the bot says is written to the message before anybody
// hears it; outbox.h sends it.
#ifndef STATOR_SYSTEMS_HOMEOPS_TALKING_BOT_H_
#define STATOR_SYSTEMS_HOMEOPS_TALKING_BOT_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/entity.h"
#include "systems/homeops/memory/household.h"
#include "systems/homeops/memory/message.h"
#include "systems/homeops/memory/recorder.h"
#include "systems/homeops/talking/context.h"
#include "systems/homeops/talking/dialogue.h"
#include "systems/homeops/understanding/classifier.h"

namespace stator::systems::homeops {

// Units that one stage of a message took; exact while nobody else uses the same entities.
struct StageCost {
  std::string_view stage;
  double read = 0;
  double write = 0;
  std::uint64_t requests = 0;
};

struct Outcome {
  Decision decision;
  bool repeated = false;              // it had been saved before
  bool responded = false;             // the bot says something
  Reply reply;                        // what, if anybody listens
  std::vector<std::string> failures;  // as logged
  std::vector<StageCost> costs;
};

using BotLog = std::function<void(const std::string& line)>;

struct BotOptions {
  AliasBookOptions aliases;
  // Somebody is in the chat to hear answers and to be asked back. Off for logs of the past, which
  // are only learned from.
  bool is_listened_to = false;
  // The classifier may find deeds in words that the vocabulary does not know, and wants the names of
  // all members with every message.
  bool reads_members_always = false;
};

// Thread-safe.
class Bot {
 public:
  // `entities` and `classifier` must outlive this.
  Bot(Entities& entities, const Classifier& classifier, BotLog log = {}, BotOptions options = {});

  // Fails if the message was not taken, and is to be delivered again.
  EntityResult<Outcome> Handle(const Message& message);

  AliasBook& aliases() { return household_.aliases(); }
  Household& household() { return household_; }

 private:
  EntityResult<Item> Save(const Message& message, Outcome& outcome);
  EntityResult<Item> Decide(const Message& message, Item record, const Knowledge& known,
                            Outcome& outcome);
  // What the message is taken for. Fails if what it may answer could not be read.
  EntityResult<Decision> Understand(const Message& message, const Knowledge& known);
  EntityResult<Decision> UnderstandDeeds(const Message& message, const Knowledge& known) const;
  void OpenDirectMessages(const Message& message, Outcome& outcome);
  Reply AnswerToNothing(const Message& message, const Decision& decision) const;
  void Record(const Heard& heard, Outcome& outcome);
  void Converse(const Heard& heard, Outcome& outcome);
  // Writes what is said to the message.
  void Say(const Message& message, const Reply& reply, Outcome& outcome);
  // Charges what was used since `before` to a stage.
  void Charge(std::string_view stage, UsedUnits& before, Outcome& outcome) const;
  void Failed(const Message& message, std::string_view step, const EntityError& error,
              Outcome& outcome);

  Entities& entities_;
  const Classifier& classifier_;
  BotLog log_;
  BotOptions options_;
  Household household_;
  Recorder recorder_;
  Context context_;
  Dialogue dialogue_;
};

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_TALKING_BOT_H_
