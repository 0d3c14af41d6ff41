// What messages cost in units, measured, beside what the seed document reckons.
#ifndef STATOR_SYSTEMS_HOMEOPS_COST_REPORT_H_
#define STATOR_SYSTEMS_HOMEOPS_COST_REPORT_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "stator/clock.h"
#include "systems/homeops/bot.h"

namespace stator::systems::homeops {

struct MessageCosts {
  std::int64_t messages = 0;
  double read = 0;  // of all of them
  double write = 0;
  std::map<std::string, StageCost, std::less<>> stages;  // sums

  void Add(const Outcome& outcome);
  double ReadEach() const { return messages == 0 ? 0 : read / double(messages); }
  double WriteEach() const { return messages == 0 ? 0 : write / double(messages); }
};

struct CostReport {
  MessageCosts classified;  // chores and rest
  MessageCosts none;
};

// Plays a log, one message after the other; the clock of the entities goes with it, for what is
// remembered of aliases depends on the time between messages.
EntityResult<CostReport> MeasureCosts(Entities& entities, TurnableClock& clock,
                                      const std::vector<Message>& log);

// Step by step, then a day of 60 classified and 140 other messages.
std::string CostText(const CostReport& report);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_COST_REPORT_H_
