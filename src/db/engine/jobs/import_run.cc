#include "engine/jobs/import_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "base/try.h"
#include "engine/jobs/transfer_failure.h"

namespace stator {
namespace {

// An import of nothing but nonsense must not fill the disk with log lines.
constexpr std::int64_t kLoggedProblemsMax = 10'000;

std::int64_t Ms(TimeMs time) { return time.time_since_epoch().count(); }

void LogProblems(const ImportJob& job, const std::vector<std::string>& problems) {
  if (job.shown.error_count >= kLoggedProblemsMax) return;
  for (const std::string& problem : problems) {
    Log(LogLevel::kWarning, "an item was not imported",
        {{"import", job.shown.import_arn}, {"problem", problem}});
  }
}

void Add(ImportJob& job, const LoadSlice& slice, const transfer::ImportProgress& progress) {
  job.progress = progress;
  job.shown.processed_item_count = static_cast<std::int64_t>(progress.record_count);
  job.shown.processed_size_bytes = static_cast<std::int64_t>(progress.unpacked_bytes);
  job.shown.imported_item_count += static_cast<std::int64_t>(slice.items.size());
  job.shown.error_count += static_cast<std::int64_t>(slice.problems.size());
  if (job.first_problem.empty() && !slice.problems.empty()) {
    job.first_problem = slice.problems.front();
  }
}

}  // namespace

TablePtr FindTableById(const Catalog& catalog, std::string_view id) {
  for (const TablePtr& table : catalog.All()) {
    if (table->id == id) return table;
  }
  return nullptr;
}

std::expected<std::unique_ptr<transfer::ImportReader>, JobFailure> OpenInput(
    const transfer::ObjectStore& objects, transfer::ImportSource source,
    transfer::ImportProgress progress) {
  const std::string place = fmt::format("s3://{}/{}", source.bucket, source.prefix);
  if (!objects.HasBucket(source.bucket)) {
    return std::unexpected(JobFailure{
        "S3NoSuchBucket", fmt::format("The specified bucket does not exist: {}", source.bucket)});
  }
  auto reader = transfer::ImportReader::Open(objects, std::move(source), std::move(progress));
  if (!reader) return std::unexpected(FailureOf(reader.error()));
  if ((*reader)->object_count() == 0) {
    return std::unexpected(
        JobFailure{"S3NoSuchKey", fmt::format("There are no objects below {}", place)});
  }
  return *std::move(reader);
}

Result<bool> ImportRun::Step() {
  const ImportPtr known = parts_.jobs.Find(id_);
  if (!known || known->is_over()) return false;
  const TablePtr table = FindTableById(parts_.catalog, known->shown.table_id);
  if (!table) {
    RETURN_IF_ERROR(Fail({"ResourceNotFound", "The table is gone"}));
    return false;
  }
  if (!reader_) return Begin(*known, *table);

  transfer::TransferResult<LoadSlice> slice = ReadSlice(*reader_, *table);
  if (!slice) {
    RETURN_IF_ERROR(Fail(FailureOf(slice.error())));
    return false;
  }
  ImportJob job = *known;
  LogProblems(job, slice->problems);
  Add(job, *slice, reader_->progress());
  RETURN_IF_ERROR(WriteSlice(parts_.store, parts_.context, table, std::move(slice->items),
                             {JobRows<ImportJob>::KeyOf(job), job.Encode()}));
  parts_.jobs.Publish(job);
  if (!slice->is_last) return true;
  RETURN_IF_ERROR(Finish(std::move(job)));
  return false;
}

Result<bool> ImportRun::Begin(const ImportJob& job, const Table& table) {
  auto reader = OpenInput(parts_.objects, job.Source(table), job.progress);
  if (!reader) {
    RETURN_IF_ERROR(Fail(std::move(reader).error()));
    return false;
  }
  reader_ = *std::move(reader);
  return true;
}

Result<void> ImportRun::Finish(ImportJob job) {
  job.shown.import_status = ImportStatus::kCompleted;
  if (job.shown.error_count != 0) {
    job.shown.import_status = ImportStatus::kFailed;
    job.shown.failure = {
        "ItemValidationError",
        fmt::format("Some of the items failed validation checks. The first: {}. The server's log "
                    "tells of the others",
                    job.first_problem)};
  }
  return End(std::move(job), /*keep_table=*/true);
}

Result<void> ImportRun::Fail(JobFailure failure) {
  const ImportPtr known = parts_.jobs.Find(id_);
  if (!known || known->is_over()) return {};
  ImportJob job = *known;
  job.shown.import_status = ImportStatus::kFailed;
  job.shown.failure = std::move(failure);
  const bool has_items = job.shown.imported_item_count != 0;
  return End(std::move(job), has_items);
}

Result<void> ImportRun::End(ImportJob job, bool keep_table) {
  job.shown.end_ms = Ms(parts_.context.clock.Now());
  const TablePtr table = FindTableById(parts_.catalog, job.shown.table_id);
  const RawRows row{{JobRows<ImportJob>::KeyOf(job), job.Encode()}};
  if (!table) {
    RETURN_IF_ERROR(WriteRawRows(parts_.store, row));
  } else if (keep_table) {
    RETURN_IF_ERROR(parts_.catalog.Change(
        table->number,
        [](Table& changed) -> Result<void> {
          changed.status = TableStatus::kActive;
          return {};
        },
        row));
  } else {
    RETURN_IF_ERROR(parts_.catalog.Drop(table->number, row));
    parts_.clear(table->number);
  }
  parts_.jobs.Publish(std::move(job));
  reader_.reset();
  return {};
}

}  // namespace stator
