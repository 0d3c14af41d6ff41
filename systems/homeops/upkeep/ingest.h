// Whole logs of messages, from a file or as they come.
#ifndef STATOR_SYSTEMS_HOMEOPS_UPKEEP_INGEST_H_
#define STATOR_SYSTEMS_HOMEOPS_UPKEEP_INGEST_H_

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "systems/homeops/talking/bot.h"

namespace stator::systems::homeops {

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

struct IngestOptions {
  int workers = 1;
  // Called now and then with the number of lines read so far.
  std::function<void(std::int64_t lines)> progress = {};
};

// Reads to the end. A single worker handles each line when it comes; several share some hundred at
// a time.
IngestReport IngestStream(Bot& bot, std::istream& in, const IngestOptions& options);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_UPKEEP_INGEST_H_
