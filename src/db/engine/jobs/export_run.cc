#include "engine/jobs/export_run.h"

#include <utility>

#include "base/try.h"
#include "engine/store_access.h"
#include "value/item_codec.h"
#include "value/size.h"

namespace stator {
namespace {

// Table operations wait for a slice to end.
constexpr SliceLimits kExportSlice{.rows = 500, .bytes = std::size_t{256} << 10};
// How much of a data file may have to be written again after a crash.
constexpr std::uint64_t kFileBytes = std::uint64_t{64} << 20;

constexpr std::chrono::milliseconds kTick{1};

std::int64_t SizeOf(ItemView item) { return static_cast<std::int64_t>(ItemSizeBytes(item)); }

}  // namespace

Result<bool> ExportRun::Step() {
  if (!writer_) return Begin();
  ASSIGN_OR_RETURN(const bool more, AddSlice());
  if (problem_) {
    RETURN_IF_ERROR(Fail(FailureOf(*problem_)));
    return false;
  }
  job_.shown.item_count = writer_->item_count();
  if (!more) {
    RETURN_IF_ERROR(Finish());
    return false;
  }
  if (writer_->open_bytes() >= kFileBytes) RETURN_IF_ERROR(Save());
  if (job_.is_over()) return false;
  parts_.jobs.Publish(job_);
  return true;
}

Result<bool> ExportRun::Begin() {
  RETURN_IF_ERROR(parts_.jobs.Reload(id_));
  const ExportPtr job = parts_.jobs.Find(id_);
  if (!job || job->is_over()) return false;
  job_ = *job;
  ASSIGN_OR_RETURN(source_, FromStorage(parts_.store.OpenCheckpoint(id_)));
  auto writer = transfer::ExportWriter::Start(parts_.objects, job_.Target(), {}, job_.files);
  if (!writer) {
    RETURN_IF_ERROR(Fail(FailureOf(writer.error())));
    return false;
  }
  writer_ = *std::move(writer);
  if (job_.shown.period) {
    // PastChanges takes (from, to], while a period is [from, to).
    changes_.emplace(*source_, job_.table, TimeFromMs(job_.shown.period->from_ms) - kTick,
                     TimeFromMs(job_.shown.period->to_ms) - kTick, job_.cursor);
  } else {
    items_.emplace(*source_, job_.table, TimeFromMs(*job_.shown.export_time_ms), job_.cursor);
  }
  return true;
}

Result<bool> ExportRun::AddSlice() {
  std::size_t count = 0;
  const std::uint64_t start = writer_->unpacked_bytes();
  const auto go_on = [&] {
    return !problem_ && ++count < kExportSlice.rows &&
           writer_->unpacked_bytes() - start < kExportSlice.bytes;
  };
  if (items_) {
    return items_->Step([&](std::string_view, ItemView item) {
      Add(item);
      return go_on();
    });
  }
  return changes_->Step([&](const PastChanges::Change& change) {
    Add(change);
    return go_on();
  });
}

void ExportRun::Add(ItemView item) {
  job_.shown.billed_size_bytes += SizeOf(item);
  if (auto added = writer_->AddItem(item); !added) problem_ = std::move(added).error();
}

void ExportRun::Add(const PastChanges::Change& change) {
  transfer::ChangeRecord record;
  record.write_timestamp_us = std::chrono::microseconds(change.time.time_since_epoch()).count();
  record.keys = Item::FromEncoded(ProjectTopLevel(change.any, job_.key_names));
  if (change.after) {
    record.new_image = Item::FromView(*change.after);
    job_.shown.billed_size_bytes += SizeOf(*change.after);
  }
  if (change.before) {
    record.old_image = Item::FromView(*change.before);
    job_.shown.billed_size_bytes += SizeOf(*change.before);
  }
  if (auto added = writer_->AddChange(record); !added) problem_ = std::move(added).error();
}

Result<void> ExportRun::Save() {
  if (auto completed = writer_->CompleteFile(); !completed) {
    return Fail(FailureOf(completed.error()));
  }
  job_.files = writer_->files();
  job_.cursor = items_ ? items_->cursor() : changes_->cursor();
  RETURN_IF_ERROR(parts_.jobs.Put(job_));
  return {};
}

Result<void> ExportRun::Finish() {
  const TimeMs now = parts_.clock.Now();
  const ExportDescription& shown = job_.shown;
  transfer::ExportSummary summary;
  summary.export_arn = shown.export_arn;
  summary.table_arn = shown.table_arn;
  summary.table_id = shown.table_id;
  summary.start_time = TimeFromMs(shown.start_ms);
  summary.end_time = now;
  summary.export_time = TimeFromMs(shown.export_time_ms.value_or(0));
  if (shown.s3_sse_algorithm == S3SseAlgorithm::kKms) summary.s3_sse_algorithm = "KMS";
  summary.s3_sse_kms_key_id = shown.s3_sse_kms_key_id;
  summary.billed_size_bytes = shown.billed_size_bytes;
  if (auto finished = writer_->Finish(std::move(summary)); !finished) {
    return Fail(FailureOf(finished.error()));
  }
  ExportJob job = job_;
  job.shown.export_status = ExportStatus::kCompleted;
  job.shown.item_count = writer_->item_count();
  job.shown.export_manifest = job.Target().SummaryKey();
  return End(std::move(job));
}

Result<void> ExportRun::Fail(JobFailure failure) {
  const ExportPtr known = parts_.jobs.Find(id_);
  if (!known || known->is_over()) return {};
  ExportJob job = *known;
  job.shown.export_status = ExportStatus::kFailed;
  job.shown.failure = std::move(failure);
  return End(std::move(job));
}

Result<void> ExportRun::End(ExportJob job) {
  job.shown.end_ms = EpochMs(parts_.clock.Now());
  job.files.clear();
  job.cursor.clear();
  job_ = job;
  RETURN_IF_ERROR(parts_.jobs.Put(std::move(job)));
  items_.reset();
  changes_.reset();
  source_.reset();
  writer_.reset();
  return FromStorage(parts_.store.DeleteCheckpoint(id_));
}

}  // namespace stator
