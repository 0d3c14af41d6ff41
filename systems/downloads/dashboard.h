// How things stand: jobs by status, the day's batches, and what needs a hand.
#ifndef STATOR_SYSTEMS_DOWNLOADS_DASHBOARD_H_
#define STATOR_SYSTEMS_DOWNLOADS_DASHBOARD_H_

#include <cstdint>
#include <expected>
#include <string>
#include <utility>
#include <vector>

#include "stator/entity.h"
#include "systems/downloads/job.h"

namespace stator::systems::downloads {

struct Dashboard {
  std::string date;
  std::vector<std::pair<std::string, std::int64_t>> counts;  // jobs by status, of all batches
  double count_read_units = 0;                               // what the counts took
  std::vector<Batch> batches;                                // of the day
  std::vector<std::string> timed_out;                        // of these, by id
  std::vector<std::string> stuck;
  std::vector<std::string> never_claimed;
};

std::expected<Dashboard, std::string> LookAt(Entities& entities, const std::string& date);
std::string DashboardText(const Dashboard& dashboard);

// How many jobs of a batch are in a status; empty: all of them.
std::expected<std::vector<std::string>, std::string> FilesOfBatch(Entities& entities,
                                                                  const std::string& batch_id,
                                                                  const std::string& status = {});

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_DASHBOARD_H_
