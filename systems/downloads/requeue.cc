#include "systems/downloads/requeue.h"

#include <fmt/format.h>

namespace stator::systems::downloads {
namespace {

// Nobody has moved the job since it was read: every move stamps StatusUpdatedAt and changes ClaimedBy
// or Attempts.
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

std::expected<bool, std::string> WasMoved(const EntityResult<Item>& moved) {
  if (moved) return true;
  const EntityErrorKind kind = moved.error().kind;
  if (kind == EntityErrorKind::kConflict || kind == EntityErrorKind::kMissing) return false;
  return std::unexpected(moved.error().message);
}

std::expected<bool, std::string> GiveUp(Entities& entities, const Job& job) {
  const std::string message = fmt::format("given up after {} attempts", job.attempts);
  return WasMoved(entities.Move("FileJob", KeyOf(job.file.name), "give_up",
                                {.set = {{"ErrorMessage", message}}}, {}, Unmoved(job)));
}

std::expected<void, std::string> Mend(Entities& entities, const RequeueOptions& options,
                                      const Job& job, RequeueReport& report) {
  if (job.attempts >= options.attempts_max) {
    const auto given_up = GiveUp(entities, job);
    if (!given_up) return std::unexpected(given_up.error());
    if (*given_up) report.given_up.push_back(job.file.name.id());
    return {};
  }
  const auto link = FetchLink(options.source_url, job.file.name);
  if (!link) {
    report.refused.push_back(job.file.name.id() + ": " + link.error());
    return {};
  }
  const auto requeued = Requeue(entities, job, *link);
  if (!requeued) return std::unexpected(requeued.error());
  report.requeued += *requeued ? 1 : 0;
  return {};
}

}  // namespace

std::expected<bool, std::string> Requeue(Entities& entities, const Job& job,
                                         const SourceFile& file) {
  Change change{.set = {{"PresignedURL", file.url},
                        {"EncryptedAESKey", file.wrapped_key},
                        {"EncodedAESIV", file.iv},
                        {"Checksum", file.checksum},
                        {"SizeBytes", file.size_bytes}},
                .remove = {"ClaimedBy", "ErrorMessage"}};
  const bool was_over = job.status == "error";
  if (was_over) change.set.emplace_back("Attempts", 0);
  return WasMoved(entities.Move("FileJob", KeyOf(job.file.name), was_over ? "retry" : "requeue",
                                change, {}, Unmoved(job)));
}

std::expected<RequeueReport, std::string> RequeueAll(Entities& entities,
                                                     const RequeueOptions& options) {
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

}  // namespace stator::systems::downloads
