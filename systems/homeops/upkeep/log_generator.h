// A made-up chat of a Swedish household, the same for the same seed.
#ifndef STATOR_SYSTEMS_HOMEOPS_UPKEEP_LOG_GENERATOR_H_
#define STATOR_SYSTEMS_HOMEOPS_UPKEEP_LOG_GENERATOR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "systems/homeops/memory/message.h"

namespace stator::systems::homeops {

struct LogOptions {
  std::uint64_t seed = 1;
  int messages = 2000;
  std::string first_day = "2026-03-02";  // so that the clocks change on the 29th
  int per_day = 60;
  bool slang = true;  // words that nobody knows until somebody explains them
};

// In order of time. Four people write in "hemma", two of them now and then also in "stugan".
// About three messages in ten tell of something done; the others wish, ask, plan or chat.
std::vector<Message> GenerateLog(const LogOptions& options);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_UPKEEP_LOG_GENERATOR_H_
