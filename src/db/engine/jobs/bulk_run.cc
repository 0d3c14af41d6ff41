#include "engine/jobs/bulk_run.h"

#include <utility>

#include "base/log.h"
#include "base/try.h"
#include "engine/jobs/import_run.h"
#include "engine/jobs/transfer_failure.h"
#include "value/json_writer.h"

namespace stator {
namespace {

// Files of nothing but nonsense must not fill the disk with log lines.
constexpr std::int64_t kLoggedProblemsMax = 10'000;

std::int64_t Signed(std::uint64_t number) { return static_cast<std::int64_t>(number); }

}  // namespace

Result<bool> BulkRun::Step() {
  const BulkPtr known = parts_.jobs.Find(id_);
  if (!known || known->is_over()) return false;
  if (known->shown.bulk_operation_status == BulkOperationStatus::kCancelling) {
    RETURN_IF_ERROR(End(*known, BulkOperationStatus::kCancelled));
    return false;
  }
  const TablePtr table = FindTableById(parts_.catalog, known->shown.table_id);
  if (!table || table->status == TableStatus::kDeleting) {
    RETURN_IF_ERROR(Fail({"ResourceNotFound", "The table is gone"}));
    return false;
  }
  return reader_ ? Load(*known, table) : Begin(*known);
}

Result<bool> BulkRun::Begin(BulkJob job) {
  auto reader = OpenInput(parts_.objects, job.Source(), job.progress);
  if (!reader) {
    RETURN_IF_ERROR(Fail(std::move(reader).error()));
    return false;
  }
  reader_ = *std::move(reader);
  job.shown.total_input_bytes = Signed(reader_->total_bytes());
  parts_.jobs.Publish(std::move(job));
  return true;
}

Result<bool> BulkRun::Load(BulkJob job, const TablePtr& table) {
  transfer::TransferResult<LoadSlice> slice = ReadSlice(*reader_, *table);
  transfer::TransferResult<void> told;
  if (slice) told = WriteProblems(job, slice->problems);
  if (!slice || !told) {
    RETURN_IF_ERROR(Fail(FailureOf(slice ? told.error() : slice.error())));
    return false;
  }
  job.progress = reader_->progress();
  BulkOperationDescription& shown = job.shown;
  shown.processed_item_count = Signed(job.progress.record_count);
  shown.processed_input_bytes = Signed(reader_->read_bytes());
  shown.failed_item_count += Signed(slice->problems.size());
  shown.bulk_put_bytes += slice->item_bytes;
  const Result<void> written =
      WriteSlice(parts_.store, parts_.context, table, std::move(slice->items),
                 {JobRows<BulkJob>::KeyOf(job), job.Encode()});
  // A table that goes in the middle ends the operation in the next step.
  if (!written && written.error().code() != ErrorCode::kResourceNotFound) {
    return std::unexpected(written.error());
  }
  if (!written) {
    RETURN_IF_ERROR(Fail({"ResourceNotFound", "The table is gone"}));
    return false;
  }
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
  BulkJob job = *known;
  job.shown.failure = std::move(failure);
  return End(std::move(job), BulkOperationStatus::kFailed);
}

Result<void> BulkRun::End(BulkJob job, BulkOperationStatus status) {
  if (status == BulkOperationStatus::kCompleted && job.shown.failed_item_count != 0) {
    status = BulkOperationStatus::kCompletedWithErrors;
  }
  job.shown.bulk_operation_status = status;
  job.shown.end_ms = parts_.context.clock.Now().time_since_epoch().count();
  RETURN_IF_ERROR(parts_.jobs.Put(std::move(job)));
  reader_.reset();
  return {};
}

}  // namespace stator
