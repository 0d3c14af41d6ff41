#include "engine/jobs/load_run.h"

#include <fmt/format.h>

#include <string_view>

#include "base/clock.h"
#include "base/log.h"
#include "base/try.h"
#include "engine/store_access.h"
#include "value/json_writer.h"

namespace stator {
namespace {

// Files full of nonsense must not fill the disk with log lines.
constexpr std::int64_t kLoggedProblemsMax = 10'000;

std::int64_t Count(std::uint64_t number) { return static_cast<std::int64_t>(number); }

JobFailure TableIsGone() { return {"ResourceNotFound", "The table is gone"}; }

// Null if there is no such table.
TablePtr FindTableById(const Catalog& catalog, std::string_view id) {
  for (const TablePtr& table : catalog.All()) {
    if (table->id == id) return table;
  }
  return nullptr;
}

void LogProblems(const ImportJob& job, const std::vector<std::string>& problems) {
  if (job.shown.error_count >= kLoggedProblemsMax) return;
  for (const std::string& problem : problems) {
    Log(LogLevel::kWarning, "an item was not imported",
        {{"import", job.shown.import_arn}, {"problem", problem}});
  }
}

void CountSlice(ImportJob& job, const LoadSlice& slice, const transfer::ImportProgress& progress) {
  job.progress = progress;
  job.shown.processed_item_count = Count(progress.record_count);
  job.shown.processed_size_bytes = Count(progress.unpacked_bytes);
  job.shown.imported_item_count += Count(slice.items.size());
  job.shown.error_count += Count(slice.problems.size());
  if (job.first_problem.empty() && !slice.problems.empty()) {
    job.first_problem = slice.problems.front();
  }
}

}  // namespace

Result<bool> ImportRun::Step() {
  const ImportPtr known = parts_.jobs.Find(id_);
  if (!known || known->is_over()) return false;
  const TablePtr table = FindTableById(parts_.catalog, known->shown.table_id);
  if (!table) {
    RETURN_IF_ERROR(Fail(TableIsGone()));
    return false;
  }
  if (!reader_) return Begin(*table);

  transfer::TransferResult<LoadSlice> slice = ReadSlice(*reader_, *table);
  if (!slice) {
    RETURN_IF_ERROR(Fail(FailureOf(slice.error())));
    return false;
  }
  ImportJob job = *job_;
  LogProblems(job, slice->problems);
  CountSlice(job, *slice, reader_->progress());
  JobRow row = row_.Next(JobRows<ImportJob>::KeyOf(job), job.Encode());
  ASSIGN_OR_RETURN(const bool written,
                   WriteSlice(parts_.store, parts_.context, table, std::move(slice->items), row));
  if (!written) {
    reader_.reset();  // begins again with the row as it is
    return true;
  }
  row_.Wrote(std::move(row));
  job_ = job;
  parts_.jobs.Publish(job);
  if (!slice->is_last) return true;
  RETURN_IF_ERROR(Finish(std::move(job)));
  return false;
}

Result<bool> ImportRun::Begin(const Table& table) {
  ASSIGN_OR_RETURN(std::string stored, parts_.jobs.Reload(id_));
  row_.Begin(std::move(stored));
  const ImportPtr job = parts_.jobs.Find(id_);
  if (!job || job->is_over()) return false;
  job_ = *job;
  auto reader = OpenInput(parts_.objects, job_->Source(table), job_->progress);
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
  ImportJob job = job_ ? *job_ : *known;
  job.shown.import_status = ImportStatus::kFailed;
  job.shown.failure = std::move(failure);
  const bool has_items = job.shown.imported_item_count != 0;
  return End(std::move(job), has_items);
}

Result<void> ImportRun::End(ImportJob job, bool keep_table) {
  job.shown.end_ms = EpochMs(parts_.context.clock.Now());
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
  if (parts_.context.sharing == nullptr) parts_.jobs.Publish(std::move(job));
  reader_.reset();
  return {};
}

Result<bool> BulkRun::Step() {
  const BulkPtr known = parts_.jobs.Find(id_);
  if (!known || known->is_over()) return false;
  if (known->shown.bulk_operation_status == BulkOperationStatus::kCancelling) {
    RETURN_IF_ERROR(End(*known, BulkOperationStatus::kCancelled));
    return false;
  }
  const TablePtr table = FindTableById(parts_.catalog, known->shown.table_id);
  if (!table || table->status == TableStatus::kDeleting) {
    RETURN_IF_ERROR(Fail(TableIsGone()));
    return false;
  }
  return reader_ ? Load(table) : Begin();
}

Result<bool> BulkRun::Begin() {
  ASSIGN_OR_RETURN(std::string stored, parts_.jobs.Reload(id_));
  row_.Begin(std::move(stored));
  const BulkPtr known = parts_.jobs.Find(id_);
  if (!known || known->is_over()) return false;
  job_ = *known;
  auto reader = OpenInput(parts_.objects, job_->Source(), job_->progress);
  if (!reader) {
    RETURN_IF_ERROR(Fail(std::move(reader).error()));
    return false;
  }
  reader_ = *std::move(reader);
  job_->shown.total_input_bytes = Count(reader_->total_bytes());
  parts_.jobs.Publish(*job_);
  return true;
}

Result<bool> BulkRun::Load(const TablePtr& table) {
  BulkJob job = *job_;
  transfer::TransferResult<LoadSlice> slice = ReadSlice(*reader_, *table);
  transfer::TransferResult<void> told;
  if (slice) told = WriteProblems(job, slice->problems);
  if (!slice || !told) {
    RETURN_IF_ERROR(Fail(FailureOf(slice ? told.error() : slice.error())));
    return false;
  }
  job.progress = reader_->progress();
  BulkOperationDescription& shown = job.shown;
  shown.processed_item_count = Count(job.progress.record_count);
  shown.processed_input_bytes = Count(reader_->read_bytes());
  shown.failed_item_count += Count(slice->problems.size());
  shown.bulk_put_bytes += slice->item_bytes;
  JobRow row = row_.Next(JobRows<BulkJob>::KeyOf(job), job.Encode());
  const Result<bool> written =
      WriteSlice(parts_.store, parts_.context, table, std::move(slice->items), row);
  // The table was deleted in the meantime.
  if (!written && written.error().code() != ErrorCode::kResourceNotFound) {
    return std::unexpected(written.error());
  }
  if (!written) {
    RETURN_IF_ERROR(Fail(TableIsGone()));
    return false;
  }
  if (!*written) {
    reader_.reset();  // begins again with the row as it is
    return true;
  }
  row_.Wrote(std::move(row));
  job_ = job;
  if (!slice->is_last) {
    parts_.jobs.Publish(std::move(job));
    return true;
  }
  RETURN_IF_ERROR(End(std::move(job), BulkOperationStatus::kCompleted));
  return false;
}

transfer::TransferResult<void> BulkRun::WriteProblems(const BulkJob& job,
                                                      const std::vector<std::string>& problems) {
  if (problems.empty()) return {};
  std::string lines;
  for (const std::string& problem : problems) {
    if (job.shown.failed_item_count < kLoggedProblemsMax) {
      Log(LogLevel::kWarning, "an item was not put",
          {{"operation", job.shown.bulk_operation_arn}, {"problem", problem}});
    }
    JsonWriter out(lines);
    out.BeginObject();
    out.Key("ErrorCode").String("ValidationException");
    out.Key("ErrorMessage").String(problem);
    out.EndObject();
    lines.push_back('\n');
  }
  if (!job.shown.output_s3_configuration) return {};
  return transfer::PutObject(parts_.objects, job.ErrorBucket(),
                             job.ErrorKey(job.progress.record_count), lines);
}

Result<void> BulkRun::Fail(JobFailure failure) {
  const BulkPtr known = parts_.jobs.Find(id_);
  if (!known || known->is_over()) return {};
  BulkJob job = job_ ? *job_ : *known;
  job.shown.failure = std::move(failure);
  return End(std::move(job), BulkOperationStatus::kFailed);
}

Result<void> BulkRun::End(BulkJob job, BulkOperationStatus status) {
  if (status == BulkOperationStatus::kCompleted && job.shown.failed_item_count != 0) {
    status = BulkOperationStatus::kCompletedWithErrors;
  }
  job.shown.bulk_operation_status = status;
  job.shown.end_ms = EpochMs(parts_.context.clock.Now());
  RETURN_IF_ERROR(parts_.jobs.Put(std::move(job)));
  reader_.reset();
  return {};
}

}  // namespace stator
