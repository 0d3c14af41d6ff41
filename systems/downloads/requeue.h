// The way back: files that got stuck, were never claimed or failed are made available again, with a
// new address, as long as there is hope.
#ifndef STATOR_SYSTEMS_DOWNLOADS_REQUEUE_H_
#define STATOR_SYSTEMS_DOWNLOADS_REQUEUE_H_

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "stator/entity.h"
#include "systems/downloads/job.h"

namespace stator::systems::downloads {

// Puts one job back, with the file's new address and key, unless somebody has moved it since `job`
// was read: then false. A job in `error` starts counting its attempts anew.
std::expected<bool, std::string> Requeue(Entities& entities, const Job& job,
                                         const SourceFile& file);

struct RequeueOptions {
  std::string source_url;
  std::int64_t attempts_max = 5;  // claims, before a job is given up
};

struct RequeueReport {
  std::vector<std::string> stuck;          // claimed more than 30 minutes ago
  std::vector<std::string> never_claimed;  // available for more than 30 minutes
  std::vector<std::string> failed;
  std::vector<std::string> given_up;
  std::int64_t requeued = 0;
  std::vector<std::string> refused;  // the source gives no new address; left as they were
};

std::expected<RequeueReport, std::string> RequeueAll(Entities& entities,
                                                     const RequeueOptions& options);

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_REQUEUE_H_
