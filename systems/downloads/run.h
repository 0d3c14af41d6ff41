// The start of a day: its batch and a job for each file of the manifest. May be repeated at any time,
// by anyone, also after it was killed: nothing is made twice.
#ifndef STATOR_SYSTEMS_DOWNLOADS_RUN_H_
#define STATOR_SYSTEMS_DOWNLOADS_RUN_H_

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "stator/entity.h"
#include "systems/downloads/job.h"

namespace stator::systems::downloads {

struct RunOptions {
  std::string source_url;
  std::string date;
  bool again = false;  // a new batch after one that timed out or failed
};

struct RunReport {
  Batch batch;
  std::int64_t created = 0;   // jobs
  std::int64_t known = 0;     // that an earlier run of the batch had made
  std::int64_t adopted = 0;   // of an earlier batch, whose jobs this one takes over
  std::int64_t requeued = 0;  // of those, the ones to try again
};

// The batch of a day's n-th attempt, the same for whoever asks.
std::string RunIdOf(std::string_view date, int attempt);

std::expected<RunReport, std::string> StartDay(Entities& entities, const RunOptions& options);

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_RUN_H_
