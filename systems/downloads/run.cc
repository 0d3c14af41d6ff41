#include "systems/downloads/run.h"

#include <fmt/format.h>

#include <vector>

#include "systems/downloads/digest.h"
#include "systems/downloads/requeue.h"

namespace stator::systems::downloads {
namespace {

constexpr int kAttemptsMax = 100;

// The batch to work on: the open one of the day, a new one, or one that is over. The index only says
// where to begin; that nobody else opens the same attempt is the word of the conditional put.
std::expected<Batch, std::string> OpenBatch(Entities& entities, const RunOptions& options) {
  const auto earlier = entities.Count("batches_of", {{"date", options.date}});
  if (!earlier) return std::unexpected(earlier.error().message);
  for (int attempt = std::max(1, static_cast<int>(*earlier)); attempt <= kAttemptsMax; ++attempt) {
    const Item key{{"PollingDate", options.date}, {"RunID", RunIdOf(options.date, attempt)}};
    const auto created = entities.Create("Batch", key);
    if (created) return Batch::Of(*created);
    if (created.error().kind != EntityErrorKind::kExists) {
      return std::unexpected(created.error().message);
    }
    const auto there = entities.Get("Batch", key, {.strong = true});
    if (!there) return std::unexpected(there.error().message);
    if (!*there) continue;
    Batch batch = Batch::Of(**there);
    if (batch.is_open() || batch.status == "completed" || !options.again) return batch;
  }
  return std::unexpected(fmt::format("{} was tried {} times", options.date, kAttemptsMax));
}

Item JobAttributes(const SourceFile& file, const Batch& batch) {
  return Item{{"Entity", file.name.entity},
              {"DownloadDate", file.name.date},
              {"BatchID", batch.id()},
              {"PresignedURL", file.url},
              {"EncryptedAESKey", file.wrapped_key},
              {"EncodedAESIV", file.iv},
              {"Checksum", file.checksum},
              {"SizeBytes", file.size_bytes}};
}

// The job belongs to an earlier batch: it is this one's from now on, and if it came to nothing there
// it is tried again.
std::expected<void, std::string> Adopt(Entities& entities, const SourceFile& file, const Job& job,
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

std::expected<void, std::string> Enqueue(Entities& entities, const SourceFile& file,
                                         RunReport& report) {
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

// Says which files the batch waits for; the poller may start.
std::expected<void, std::string> Queue(Entities& entities, const std::vector<SourceFile>& files,
                                       Batch& batch) {
  std::set<std::string> expected;
  for (const SourceFile& file : files) expected.insert(file.name.id());
  if (batch.status == "initiated") {
    const auto queued = entities.Move("Batch", KeyOf(batch), "queue",
                                      {.set = {{"ExpectedFiles", SetValue(expected)}}});
    if (queued) batch = Batch::Of(*queued);
    if (queued || queued.error().kind != EntityErrorKind::kConflict) {
      return queued ? std::expected<void, std::string>() : std::unexpected(queued.error().message);
    }
  }
  // A replay: the manifest may have grown since.
  if (batch.expected == expected) return {};
  const auto updated = entities.Update("Batch", KeyOf(batch),
                                       {.add_to_set = {{"ExpectedFiles", SetValue(expected)}}},
                                       {.only_if = "Status = queued"});
  if (updated) batch = Batch::Of(*updated);
  if (updated || updated.error().kind == EntityErrorKind::kConflict) return {};
  return std::unexpected(updated.error().message);
}

}  // namespace

std::string RunIdOf(std::string_view date, int attempt) {
  return Hex(Sha256Of(fmt::format("{}/{}", date, attempt))).substr(0, 8);
}

std::expected<RunReport, std::string> StartDay(Entities& entities, const RunOptions& options) {
  if (!IsDate(options.date)) return std::unexpected(options.date + " is no day like 2026-02-28");
  auto batch = OpenBatch(entities, options);
  if (!batch) return std::unexpected(batch.error());
  RunReport report{.batch = *std::move(batch)};
  if (!report.batch.is_open()) return report;
  const auto files = FetchManifest(options.source_url, options.date);
  if (!files) return std::unexpected(files.error());
  if (files->empty()) {
    const auto failed = entities.Move("Batch", KeyOf(report.batch), "fail",
                                      {.set = {{"Reason", "the manifest names no file"}}});
    if (!failed) return std::unexpected(failed.error().message);
    report.batch = Batch::Of(*failed);
    return report;
  }
  for (const SourceFile& file : *files) {
    const auto enqueued = Enqueue(entities, file, report);
    if (!enqueued) return std::unexpected(file.name.id() + ": " + enqueued.error());
  }
  const auto queued = Queue(entities, *files, report.batch);
  if (!queued) return std::unexpected(queued.error());
  return report;
}

}  // namespace stator::systems::downloads
