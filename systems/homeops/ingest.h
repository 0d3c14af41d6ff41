// A whole log through the bot.
#ifndef STATOR_SYSTEMS_HOMEOPS_INGEST_H_
#define STATOR_SYSTEMS_HOMEOPS_INGEST_H_

#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <vector>

#include "systems/homeops/bot.h"

namespace stator::systems::homeops {

struct IngestReport {
  std::int64_t messages = 0;  // taken
  std::int64_t repeated = 0;  // of them known before
  std::int64_t responded = 0;
  std::map<std::string, std::int64_t> kinds;
  std::map<std::string, std::int64_t> activities;
  std::int64_t judged = 0;  // of generated logs: messages whose meaning is known
  std::int64_t right = 0;
  std::int64_t step_failures = 0;     // logged
  std::vector<std::string> failures;  // messages that were not taken, and lines that are none

  bool complete() const { return failures.empty(); }
  void Add(const IngestReport& other);
};

// The lines of a log; what cannot be read is in `problems`, with its line.
std::vector<Message> ReadLog(std::istream& in, std::vector<std::string>& problems);

// Everything that one user wrote is handled by one worker, in its order.
IngestReport Ingest(Bot& bot, const std::vector<Message>& log, int workers = 1);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_INGEST_H_
