#include "systems/downloads/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "systems/downloads/crypto.h"
#include "systems/program/items.h"
#include "systems/program/text.h"

namespace stator::systems::downloads {
namespace {

// The condition that nobody has moved the job since it was read: every move stamps StatusUpdatedAt
// and changes ClaimedBy or Attempts.
WriteOptions Unmoved(const Job& job) {
  WriteOptions options{
      .only_if = "StatusUpdatedAt = $seen, ClaimedBy = $claim",
      .parameters = {{"seen", job.status_updated_at_ms}, {"claim", job.claimed_by}}};
  if (job.claimed_by.empty()) {
    options.only_if = "StatusUpdatedAt = $seen, ClaimedBy missing";
    options.parameters.pop_back();
  }
  return options;
}

Fallible<bool> WasMoved(const EntityResult<Item>& moved) {
  if (moved) return true;
  if (IsOvertaken(moved.error())) return false;
  return std::unexpected(moved.error().message);
}

Fallible<bool> GiveUp(Entities& entities, const Job& job) {
  const std::string message = fmt::format("given up after {} attempts", job.attempts);
  return WasMoved(entities.Move("FileJob", KeyOf(job.file.name), "give_up",
                                {.set = {{"ErrorMessage", message}}}, {}, Unmoved(job)));
}

Fallible<void> Mend(Entities& entities, const RequeueOptions& options, const Job& job,
                    RequeueReport& report) {
  if (job.attempts >= options.attempts_max) {
    const auto given_up = GiveUp(entities, job);
    if (!given_up) return std::unexpected(given_up.error());
    if (*given_up) report.given_up.push_back(job.file.name.id());
    return {};
  }
  const auto link = FetchLink(options.source, job.file.name);
  if (!link) {
    report.refused.push_back(job.file.name.id() + ": " + link.error());
    return {};
  }
  const auto requeued = Requeue(entities, job, *link);
  if (!requeued) return std::unexpected(requeued.error());
  report.requeued += *requeued ? 1 : 0;
  return {};
}

constexpr int kRunsMax = 100;

// The batch to work on: the open one of the day, a new one, or one that is over. The index only
// says where to begin; the conditional put makes sure that nobody else opens the same attempt.
Fallible<Batch> OpenBatch(Entities& entities, const RunOptions& options) {
  const auto earlier = entities.Count("batches_of", {{"date", options.date}});
  if (!earlier) return std::unexpected(earlier.error().message);
  for (int attempt = std::max(1, static_cast<int>(*earlier)); attempt <= kRunsMax; ++attempt) {
    const Item key{{"PollingDate", options.date}, {"RunID", RunIdOf(options.date, attempt)}};
    const auto created = entities.Create("Batch", key);
    if (created) return Batch::Of(*created);
    if (created.error().kind != EntityErrorKind::kExists) {
      return std::unexpected(created.error().message);
    }
    const auto found = entities.Get("Batch", key, {.strong = true});
    if (!found) return std::unexpected(found.error().message);
    if (!*found) continue;
    Batch batch = Batch::Of(**found);
    if (batch.is_open() || batch.status == "completed" || !options.again) return batch;
  }
  return std::unexpected(fmt::format("{} was tried {} times", options.date, kRunsMax));
}

Item JobAttributes(const SourceFile& file, const Batch& batch) {
  Item job{{"Entity", file.name.entity},
           {"DownloadDate", file.name.date},
           {"BatchID", batch.id()},
           {"PresignedURL", file.url},
           {"EncryptedAESKey", file.wrapped_key},
           {"EncodedAESIV", file.iv},
           {"Checksum", file.checksum},
           {"SizeBytes", file.size_bytes}};
  if (file.extension != SourceFile().extension) job.Set("Extension", file.extension);
  return job;
}

// Takes over the job of an earlier batch, and tries it again if it failed there.
Fallible<void> Adopt(Entities& entities, const SourceFile& file, const Job& job,
                     RunReport& report) {
  const auto adopted =
      entities.Update("FileJob", KeyOf(file.name), {.set = {{"BatchID", report.batch.id()}}},
                      {.only_if = "BatchID = $from", .parameters = {{"from", job.batch_id}}});
  if (!adopted) {
    // Another run was faster.
    if (adopted.error().kind == EntityErrorKind::kConflict) return {};
    return std::unexpected(adopted.error().message);
  }
  ++report.adopted;
  const Job now = Job::Of(*adopted);
  if (now.status != "failed" && now.status != "error") return {};
  const auto requeued = Requeue(entities, now, file);
  if (!requeued) return std::unexpected(requeued.error());
  report.requeued += *requeued ? 1 : 0;
  return {};
}

Fallible<void> Enqueue(Entities& entities, const SourceFile& file, RunReport& report) {
  const auto created = entities.Create("FileJob", JobAttributes(file, report.batch));
  if (created) {
    ++report.created;
    return {};
  }
  if (created.error().kind != EntityErrorKind::kExists) {
    return std::unexpected(created.error().message);
  }
  const auto there = entities.Get("FileJob", KeyOf(file.name), {.strong = true});
  if (!there) return std::unexpected(there.error().message);
  if (!*there || TextOf(**there, "BatchID") == report.batch.id()) {
    ++report.known;
    return {};
  }
  return Adopt(entities, file, Job::Of(**there), report);
}

// Says which files the batch waits for, and which it cannot have; the poller may start.
Fallible<void> Queue(Entities& entities, const Manifest& manifest, Batch& batch) {
  std::set<std::string> expected;
  std::set<std::string> refused;
  for (const SourceFile& file : manifest.files) expected.insert(file.name.id());
  for (const Refusal& refusal : manifest.refused) refused.insert(refusal.entity);
  Change change;
  if (refused.empty()) {
    if (!batch.refused.empty()) change.remove.emplace_back("RefusedFiles");
  } else if (refused != batch.refused) {
    change.set.emplace_back("RefusedFiles", SetValue(refused));
  }
  if (batch.status == "initiated") {
    Change first = change;
    first.set.emplace_back("ExpectedFiles", SetValue(expected));
    const auto queued = entities.Move("Batch", KeyOf(batch), "queue", first);
    if (queued) batch = Batch::Of(*queued);
    if (queued || queued.error().kind != EntityErrorKind::kConflict) {
      return queued ? Fallible<void>() : std::unexpected(queued.error().message);
    }
  }
  // A replay: the manifest may have grown or been mended since.
  if (batch.expected == expected && batch.refused == refused) return {};
  change.add_to_set.emplace_back("ExpectedFiles", SetValue(expected));
  const auto updated =
      entities.Update("Batch", KeyOf(batch), change, {.only_if = "Status = queued"});
  if (updated) batch = Batch::Of(*updated);
  if (updated || updated.error().kind == EntityErrorKind::kConflict) return {};
  return std::unexpected(updated.error().message);
}

struct Progress {
  std::set<std::string> completed;
  std::set<std::string> failed;    // failed or in error
  std::set<std::string> hopeless;  // in error
};

// By key, strongly consistent: an index may lag behind.
Fallible<Progress> Look(Entities& entities, const Batch& batch) {
  std::vector<Item> keys;
  for (const std::string& id : batch.expected) {
    const auto name = ParseFileName(id);
    if (!name) return std::unexpected(id + " is not the name of a file");
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

std::set<std::string> Without(const std::set<std::string>& all,
                              const std::set<std::string>& taken) {
  std::set<std::string> rest;
  std::ranges::set_difference(all, taken, std::inserter(rest, rest.end()));
  return rest;
}

// What must change in the batch's sets. CompletedFiles only grows. A set without members is left
// out or removed: DynamoDB has none.
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
  if (batch.status == "queued" && progress.completed == batch.expected && batch.refused.empty()) {
    return "complete";
  }
  const bool all_ended =
      progress.completed.size() + progress.hopeless.size() == batch.expected.size();
  if (batch.status == "queued" && all_ended) return "fail";
  if (now >= ParseTime(batch.start_time).value_or(TimeMs{}) + options.timeout) return "time_out";
  return {};
}

Fallible<std::vector<Batch>> ReadBatches(Entities& entities, std::string_view pattern,
                                         const PatternParameters& parameters) {
  const auto items = entities.All(pattern, parameters);
  if (!items) return std::unexpected(items.error().message);
  std::vector<Batch> batches;
  for (const Item& item : *items) batches.push_back(Batch::Of(item));
  return batches;
}

}  // namespace

std::string RunIdOf(std::string_view date, int attempt) {
  return Hex(Sha256Of(fmt::format("{}/{}", date, attempt))).substr(0, 8);
}

Fallible<RunReport> StartDay(Entities& entities, const RunOptions& options) {
  if (!IsDate(options.date)) return std::unexpected(options.date + " is not a day like 2026-02-28");
  auto batch = OpenBatch(entities, options);
  if (!batch) return std::unexpected(batch.error());
  RunReport report{.batch = *std::move(batch)};
  if (!report.batch.is_open()) return report;
  auto manifest = FetchManifest(options.source, options.date);
  if (!manifest) return std::unexpected(manifest.error());
  report.refused = manifest->refused;
  if (manifest->files.empty()) {
    const char* reason = manifest->refused.empty() ? "the manifest names no file"
                                                   : "every file of the manifest was refused";
    const auto failed =
        entities.Move("Batch", KeyOf(report.batch), "fail", {.set = {{"Reason", reason}}});
    if (!failed) return std::unexpected(failed.error().message);
    report.batch = Batch::Of(*failed);
    return report;
  }
  for (const SourceFile& file : manifest->files) {
    const auto enqueued = Enqueue(entities, file, report);
    if (!enqueued) return std::unexpected(file.name.id() + ": " + enqueued.error());
  }
  const auto queued = Queue(entities, *manifest, report.batch);
  if (!queued) return std::unexpected(queued.error());
  return report;
}

Fallible<bool> Requeue(Entities& entities, const Job& job, const SourceFile& file) {
  Change change{.set = {{"PresignedURL", file.url},
                        {"EncryptedAESKey", file.wrapped_key},
                        {"EncodedAESIV", file.iv},
                        {"Checksum", file.checksum},
                        {"SizeBytes", file.size_bytes}},
                .remove = {"ClaimedBy", "ErrorMessage"}};
  if (file.extension != job.file.extension) change.set.emplace_back("Extension", file.extension);
  const bool was_over = job.status == "error";
  if (was_over) change.set.emplace_back("Attempts", 0);
  return WasMoved(entities.Move("FileJob", KeyOf(job.file.name), was_over ? "retry" : "requeue",
                                change, {}, Unmoved(job)));
}

Fallible<RequeueReport> RequeueAll(Entities& entities, const RequeueOptions& options) {
  RequeueReport report;
  const std::vector<std::pair<std::string_view, std::vector<std::string>*>> kinds = {
      {"stuck", &report.stuck},
      {"never_claimed", &report.never_claimed},
      {"failed", &report.failed}};
  for (const auto& [pattern, names] : kinds) {
    const auto items = entities.All(pattern);
    if (!items) return std::unexpected(items.error().message);
    for (const Item& item : *items) {
      const Job job = Job::Of(item);
      names->push_back(job.file.name.id());
      const auto mended = Mend(entities, options, job, report);
      if (!mended) return std::unexpected(job.file.name.id() + ": " + mended.error());
    }
  }
  return report;
}

Fallible<Batch> Poll(Entities& entities, const Batch& batch, const PollOptions& options) {
  const auto there = entities.Get("Batch", KeyOf(batch), {.strong = true});
  if (!there) return std::unexpected(there.error().message);
  if (!*there) return std::unexpected(batch.id() + " does not exist");
  const Batch now = Batch::Of(**there);
  if (!now.is_open()) return now;
  const auto progress = Look(entities, now);
  if (!progress) return std::unexpected(progress.error());
  Change change = ChangeOf(now, *progress);
  const std::string_view move = MoveOf(now, *progress, entities.Now(), options);
  if (move.empty() && IsEmpty(change)) return now;
  if (move.empty()) change.set.emplace_back("UpdatedAt", SortableTime(entities.Now()));
  if (move == "fail") {
    change.set.emplace_back(
        "Reason", progress->hopeless.empty() ? "files were refused" : "files are in error");
  }
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

Fallible<std::vector<Batch>> OpenBatches(Entities& entities, const std::string& date) {
  auto open = ReadBatches(entities, "batches_in", {{"date", date}, {"status", "queued"}});
  if (!open) return open;
  const auto begun = ReadBatches(entities, "batches_in", {{"date", date}, {"status", "initiated"}});
  if (!begun) return begun;
  open->insert(open->end(), begun->begin(), begun->end());
  return open;
}

Fallible<std::vector<Batch>> BatchesOf(Entities& entities, const std::string& date) {
  return ReadBatches(entities, "batches_of", {{"date", date}});
}

}  // namespace stator::systems::downloads
