// What is done with the tables besides the bot's work: printing all they hold, making the tables of
// the time before memory questions, and measuring what messages cost.
#ifndef STATOR_SYSTEMS_HOMEOPS_UPKEEP_UPKEEP_H_
#define STATOR_SYSTEMS_HOMEOPS_UPKEEP_UPKEEP_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "stator/clock.h"
#include "stator/endpoint.h"
#include "systems/homeops/talking/bot.h"

namespace stator::systems::homeops {

// Everything that is stored, one line per item: {"table":…,"item":{…}}. Sorted, so that two runs
// with the same result give the same lines.
Result<std::vector<std::string>> StateLines(Endpoint& endpoint, const std::string& table_prefix);

// The activities table as it was before memory questions, to show the migration: it has no
// chatId-activity-index, and its items have no activityTimestamp.
Result<void> CreatePhaseTwoTable(Endpoint& endpoint, const std::string& table_prefix = {});

// Stores a generated message as the activity that its writer had in mind, as the code of that time
// did.
Result<void> PutPhaseTwoActivity(Endpoint& endpoint, const Message& message,
                                 const std::string& table_prefix = {});

// What messages cost in units, to compare with the seed document.
struct MessageCosts {
  std::int64_t messages = 0;
  std::int64_t answered = 0;
  std::int64_t met = 0;  // messages of people who had not written before
  double read = 0;       // of all messages
  double write = 0;
  std::map<std::string, StageCost, std::less<>> stages;  // sums

  void Add(const Outcome& outcome, bool is_new_person);
  std::uint64_t RequestsOf(std::string_view stage) const;
  double ReadEach() const { return messages == 0 ? 0 : read / double(messages); }
  double WriteEach() const { return messages == 0 ? 0 : write / double(messages); }
};

struct CostReport {
  MessageCosts classified;  // chores and rest
  MessageCosts none;
};

// A log for it, of 200 messages per day. Nobody teaches a word in it, so that all lookups of aliases
// cost the same.
std::vector<Message> CostLog(int messages);

// Plays a log, one message after the other. The clock of the entities is turned along with it,
// because what is cached of aliases depends on the time between messages.
EntityResult<CostReport> MeasureCosts(Entities& entities, TurnableClock& clock,
                                      const std::vector<Message>& log);

// By step, then for a day of 60 classified and 140 other messages.
std::string CostText(const CostReport& report);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_UPKEEP_UPKEEP_H_
