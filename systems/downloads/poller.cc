#include "systems/downloads/poller.h"

#include <algorithm>
#include <iterator>

namespace stator::systems::downloads {
namespace {

struct Progress {
  std::set<std::string> completed;
  std::set<std::string> failed;    // failed or in error
  std::set<std::string> hopeless;  // in error
};

// By key, strongly consistent: an index may lag behind.
std::expected<Progress, std::string> Look(Entities& entities, const Batch& batch) {
  std::vector<Item> keys;
  for (const std::string& id : batch.expected) {
    const auto name = ParseFileName(id);
    if (!name) return std::unexpected(id + " is no name of a file");
    keys.push_back(KeyOf(*name));
  }
  const auto jobs = entities.GetMany("FileJob", keys, {.strong = true});
  if (!jobs) return std::unexpected(jobs.error().message);
  Progress progress;
  for (const Item& item : *jobs) {
    const Job job = Job::Of(item);
    const std::string id = job.file.name.id();
    if (job.status == "completed") progress.completed.insert(id);
    if (job.status == "failed" || job.status == "error") progress.failed.insert(id);
    if (job.status == "error") progress.hopeless.insert(id);
  }
  return progress;
}

std::set<std::string> Without(const std::set<std::string>& all, const std::set<std::string>& some) {
  std::set<std::string> rest;
  std::ranges::set_difference(all, some, std::inserter(rest, rest.end()));
  return rest;
}

// What must change in the batch's sets. CompletedFiles only grows. A set without members is left out
// or removed: DynamoDB has none.
Change ChangeOf(const Batch& batch, const Progress& progress) {
  Change change;
  const std::set<std::string> newly = Without(progress.completed, batch.completed);
  if (!newly.empty()) change.add_to_set.emplace_back("CompletedFiles", SetValue(newly));
  if (progress.failed == batch.failed) return change;
  if (progress.failed.empty()) {
    change.remove.emplace_back("FailedFiles");
  } else {
    change.set.emplace_back("FailedFiles", SetValue(progress.failed));
  }
  return change;
}

bool IsEmpty(const Change& change) {
  return change.set.empty() && change.remove.empty() && change.add_to_set.empty();
}

// Empty: the batch stays as it is.
std::string_view MoveOf(const Batch& batch, const Progress& progress, TimeMs now,
                        const PollOptions& options) {
  if (batch.status == "queued" && progress.completed == batch.expected) return "complete";
  const bool all_ended =
      progress.completed.size() + progress.hopeless.size() == batch.expected.size();
  if (batch.status == "queued" && all_ended) return "fail";
  if (now >= ParseIso(batch.start_time) + options.timeout) return "time_out";
  return {};
}

std::expected<std::vector<Batch>, std::string> ReadBatches(Entities& entities,
                                                           std::string_view pattern,
                                                           const PatternParameters& parameters) {
  const auto items = entities.All(pattern, parameters);
  if (!items) return std::unexpected(items.error().message);
  std::vector<Batch> batches;
  for (const Item& item : *items) batches.push_back(Batch::Of(item));
  return batches;
}

}  // namespace

std::expected<Batch, std::string> Poll(Entities& entities, const Batch& batch,
                                       const PollOptions& options) {
  const auto there = entities.Get("Batch", KeyOf(batch), {.strong = true});
  if (!there) return std::unexpected(there.error().message);
  if (!*there) return std::unexpected(batch.id() + " is not there");
  const Batch now = Batch::Of(**there);
  if (!now.is_open()) return now;
  const auto progress = Look(entities, now);
  if (!progress) return std::unexpected(progress.error());
  Change change = ChangeOf(now, *progress);
  const std::string_view move = MoveOf(now, *progress, entities.Now(), options);
  if (move.empty() && IsEmpty(change)) return now;
  if (move.empty()) change.set.emplace_back("UpdatedAt", IsoText(entities.Now()));
  if (move == "fail") change.set.emplace_back("Reason", "files are in error");
  const auto written = move.empty() ? entities.Update("Batch", KeyOf(now), change,
                                                      {.only_if = "Status in (initiated, queued)"})
                                    : entities.Move("Batch", KeyOf(now), move, change);
  if (written) return Batch::Of(*written);
  // Another poller has closed it.
  if (written.error().kind == EntityErrorKind::kConflict && written.error().item) {
    return Batch::Of(*written.error().item);
  }
  return std::unexpected(written.error().message);
}

std::expected<std::vector<Batch>, std::string> OpenBatches(Entities& entities,
                                                           const std::string& date) {
  auto open = ReadBatches(entities, "batches_in", {{"date", date}, {"status", "queued"}});
  if (!open) return open;
  const auto begun = ReadBatches(entities, "batches_in", {{"date", date}, {"status", "initiated"}});
  if (!begun) return begun;
  open->insert(open->end(), begun->begin(), begun->end());
  return open;
}

std::expected<std::vector<Batch>, std::string> BatchesOf(Entities& entities,
                                                         const std::string& date) {
  return ReadBatches(entities, "batches_of", {{"date", date}});
}

}  // namespace stator::systems::downloads
