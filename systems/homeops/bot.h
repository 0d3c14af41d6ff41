// The bot: what happens to one message, and to a whole log.
//
//   saved → decided → (activity saved → learned) | (alias taught) | (direct messages opened)
//
// Saving and deciding must succeed, or the message is to be delivered again. Without aliases the
// built-in words decide. Failures after that are logged, and made up for if the message ever comes
// again; what was done is not done twice.
#ifndef STATOR_SYSTEMS_HOMEOPS_BOT_H_
#define STATOR_SYSTEMS_HOMEOPS_BOT_H_

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "stator/entity.h"
#include "systems/homeops/alias_book.h"
#include "systems/homeops/classifier.h"
#include "systems/homeops/learner.h"
#include "systems/homeops/message.h"

namespace stator::systems::homeops {

// Units that one stage of a message took; exact while nobody else uses the same entities.
struct StageCost {
  std::string_view stage;
  double read = 0;
  double write = 0;
};

struct Outcome {
  Decision decision;
  bool repeated = false;              // it had been saved before
  bool responded = false;             // the bot said that it took note
  std::vector<std::string> failures;  // as logged
  std::vector<StageCost> costs;
};

using BotLog = std::function<void(const std::string& line)>;

// Thread-safe.
class Bot {
 public:
  // `entities` and `classifier` must outlive this.
  Bot(Entities& entities, const Classifier& classifier, BotLog log = {},
      AliasBookOptions options = {});

  // Fails if the message was not taken, and is to be delivered again.
  EntityResult<Outcome> Handle(const Message& message);

  AliasBook& aliases() { return aliases_; }

 private:
  EntityResult<Item> Save(const Message& message, Outcome& outcome);
  EntityResult<Item> Decide(const Message& message, Item record, Outcome& outcome);
  void Start(const Message& message, Outcome& outcome);
  void SaveActivity(const Message& message, Outcome& outcome);
  void Clarify(const Message& message, const Item& record, Outcome& outcome);
  void Welcome(const Message& message, Outcome& outcome);
  // Charges what was used since `before` to a stage.
  void Charge(std::string_view stage, UsedUnits& before, Outcome& outcome) const;
  void Failed(const Message& message, std::string_view step, const EntityError& error,
              Outcome& outcome);

  Entities& entities_;
  const Classifier& classifier_;
  BotLog log_;
  AliasBook aliases_;
  Learner learner_;
  std::mutex mutex_;
  std::set<std::string> welcomed_;  // chats and users that this process has met
};

struct IngestReport {
  std::int64_t messages = 0;  // taken
  std::int64_t repeated = 0;  // of them known before
  std::int64_t responded = 0;
  std::map<std::string, std::int64_t> kinds;
  std::map<std::string, std::int64_t> activities;
  std::int64_t judged = 0;  // messages of generated logs, whose meaning is known
  std::int64_t right = 0;
  std::int64_t step_failures = 0;  // logged
  std::vector<std::string>
      failures;  // messages that were not taken, and lines that are not messages

  bool complete() const { return failures.empty(); }
  void Add(const IngestReport& other);
};

// The messages of a log; `problems` gets the lines that cannot be read.
std::vector<Message> ReadLog(std::istream& in, std::vector<std::string>& problems);

// One worker handles everything that one user wrote, in its order.
IngestReport Ingest(Bot& bot, const std::vector<Message>& log, int workers = 1);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_BOT_H_
