// The poller: looks how far a batch has come, and closes it. Any number of them may look at the same
// batch; one of them closes it.
#ifndef STATOR_SYSTEMS_DOWNLOADS_POLLER_H_
#define STATOR_SYSTEMS_DOWNLOADS_POLLER_H_

#include <chrono>
#include <expected>
#include <string>
#include <vector>

#include "stator/entity.h"
#include "systems/downloads/job.h"

namespace stator::systems::downloads {

struct PollOptions {
  std::chrono::milliseconds timeout = std::chrono::hours(2);  // from the batch's start
};

// What is known of the batch after one look. Files that are `failed` may still succeed, those in
// `error` will not: a batch fails when nothing else is left, and times out at its deadline.
std::expected<Batch, std::string> Poll(Entities& entities, const Batch& batch,
                                       const PollOptions& options = {});

// The batches of a day, through PollingDateIndex; the open ones only, or all.
std::expected<std::vector<Batch>, std::string> OpenBatches(Entities& entities,
                                                           const std::string& date);
std::expected<std::vector<Batch>, std::string> BatchesOf(Entities& entities,
                                                         const std::string& date);

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_POLLER_H_
