#include "engine/jobs/transfers.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <span>
#include <utility>

#include "base/log.h"
#include "base/try.h"
#include "engine/history/past.h"
#include "engine/jobs/export_run.h"
#include "engine/jobs/load_run.h"
#include "engine/sharing/scope.h"
#include "engine/store_access.h"
#include "transfer/directory_store.h"
#include "transfer/object_name.h"

namespace stator {
namespace {

// How long jobs that are over are shown, and how many of each kind.
constexpr std::chrono::days kShown{90};
constexpr std::size_t kShownMax = 10'000;
// How many of a kind can be in progress; the limits of exports and imports are DynamoDB's.
constexpr std::size_t kExportsMax = 300;
constexpr std::size_t kImportsMax = 50;
constexpr std::size_t kBulkOperationsMax = 50;

// Cancels a bulk operation that the keeper is running, whose stored row is newer than what others know.
class Cancelling final : public Mutation {
 public:
  Cancelling(std::string key, BulkPtr& job) : key_(std::move(key)), job_(job) {}
  std::span<const std::string> Keys() const override { return {&key_, 1}; }
  Verdict Decide(std::span<const std::optional<std::string_view>> values,
                 WriteBatch& batch) override {
    job_ = nullptr;
    std::optional<BulkJob> job = values[0] ? BulkJob::Decode(*values[0]) : std::nullopt;
    if (!job) return Verdict::kAbandon;
    const bool is_running = job->shown.bulk_operation_status == BulkOperationStatus::kInProgress;
    if (is_running) {
      job->shown.bulk_operation_status = BulkOperationStatus::kCancelling;
      batch.Put(key_, job->Encode());
      batch.Announce();
    }
    job_ = std::make_shared<const BulkJob>(*std::move(job));
    return is_running ? Verdict::kCommit : Verdict::kAbandon;
  }
  void Done(StorageResult<void>) override {}

 private:
  const std::string key_;
  BulkPtr& job_;
};

Result<BulkPtr> CancelAtKeeper(Store& store, std::string id) {
  BulkPtr job;
  const std::string key = JobRows<BulkJob>::KeyOf(BulkJob{.id = std::move(id)});
  RETURN_IF_ERROR(RunMutation(store, std::make_unique<Cancelling>(key, job)));
  RETURN_IF_ERROR(FromStorage(store.sharing()->WaitUntilAllKnow()));
  if (!job) return std::unexpected(Error::ResourceNotFound());
  return job;
}

// In a request that comes from a program, and not as JSON, a text may be any bytes; in a row it may
// not.
template <class Job>
Result<void> CheckText(const Job& job) {
  if (Job::Decode(job.Encode())) return {};
  return std::unexpected(Error::Validation("Invalid Request: a text is not UTF-8"));
}

// A failure of the store ends the job; if not even that can be written, the next start tries again.
template <class JobRun>
void StartRun(KeeperWork& work, std::shared_ptr<JobRun> run, const std::string& id) {
  work.Start(
      "transfer " + id, [run] { return run->Step(); },
      [run, id](const Error& error) {
        Log(LogLevel::kError, "a transfer failed", {{"id", id}, {"error", error.message()}});
        const Result<void> failed = run->Fail({"InternalError", error.message()});
        if (failed) return;
        Log(LogLevel::kError, "a transfer is tried again at the next start",
            {{"id", id}, {"error", failed.error().message()}});
      });
}

}  // namespace

Result<std::unique_ptr<Transfers>> Transfers::Open(Parts parts, const std::string& directory) {
  std::unique_ptr<Transfers> transfers(new Transfers(std::move(parts)));
  Store& store = transfers->parts_.store;
  ASSIGN_OR_RETURN(transfers->exports_, ForOperator(JobRows<ExportJob>::Load(store)));
  ASSIGN_OR_RETURN(transfers->imports_, ForOperator(JobRows<ImportJob>::Load(store)));
  ASSIGN_OR_RETURN(transfers->bulk_operations_, ForOperator(JobRows<BulkJob>::Load(store)));
  if (directory.empty()) return transfers;
  auto objects = transfer::DirectoryStore::Open(directory);
  if (!objects) {
    return std::unexpected(Error::InternalServerError(
        fmt::format("cannot use {} for buckets: {}", directory, objects.error().message)));
  }
  transfers->objects_ = *std::move(objects);
  return transfers;
}

void Transfers::Start() {
  if (const Result<void> forgotten = ForgetOld(); !forgotten) {
    Log(LogLevel::kError, "old transfers could not be forgotten",
        {{"error", forgotten.error().message()}});
  }
  FindWork();
}

void Transfers::FindWork() {
  std::size_t resting = 0;
  const auto go_on = [&](const auto& jobs) {
    for (const auto& job : jobs.All()) {
      if (job->is_over()) continue;
      if (objects_) {
        Run(*job);
      } else {
        ++resting;
      }
    }
  };
  go_on(*exports_);
  go_on(*imports_);
  go_on(*bulk_operations_);
  if (resting == 0 || std::exchange(has_told_of_resting_, true)) return;
  Log(LogLevel::kWarning, "exports and imports go on when the database is opened with --s3-root",
      {{"jobs", resting}});
}

StorageResult<bool> Transfers::Learn(std::string_view key, std::optional<std::string_view> value) {
  ASSIGN_OR_RETURN(const bool is_export, exports_->Learn(key, value));
  if (is_export) return true;
  ASSIGN_OR_RETURN(const bool is_import, imports_->Learn(key, value));
  if (is_import) return true;
  return bulk_operations_->Learn(key, value);
}

Result<void> Transfers::ForgetOld() {
  const std::int64_t oldest_ms = EpochMs(parts_.clock.Now() - kShown);
  RETURN_IF_ERROR(exports_->Forget(oldest_ms, kShownMax));
  RETURN_IF_ERROR(imports_->Forget(oldest_ms, kShownMax));
  return bulk_operations_->Forget(oldest_ms, kShownMax);
}

template <class Job>
Result<void> Transfers::MakeRoom(JobRows<Job>& jobs, std::size_t in_progress_max) const {
  if (jobs.CountInProgress() >= in_progress_max) {
    return std::unexpected(Error::LimitExceeded(fmt::format(
        "Subscriber limit exceeded: at most {} such operations can be in progress at once",
        in_progress_max)));
  }
  return jobs.Forget(EpochMs(parts_.clock.Now() - kShown), kShownMax);
}

Result<void> Transfers::CheckLocation(std::string_view bucket, std::string_view prefix) {
  const auto is_bucket = transfer::CheckBucket(bucket);
  if (!is_bucket) return std::unexpected(Error::Validation(is_bucket.error().message));
  const auto is_prefix = transfer::SplitKeyPrefix(prefix);
  if (!is_prefix) return std::unexpected(Error::Validation(is_prefix.error().message));
  return {};
}

std::vector<std::string> Transfers::Checkpoints() const {
  std::vector<std::string> ids;
  for (const ExportPtr& job : exports_->All()) {
    if (!job->is_over()) ids.push_back(job->id);
  }
  return ids;
}

std::string Transfers::NewId() const { return transfer::NewExportId(parts_.clock.Now()); }

Result<ExportPtr> Transfers::StartExport(ExportJob job) {
  RETURN_IF_ERROR(CheckText(job));
  RETURN_IF_ERROR(MakeRoom(*exports_, kExportsMax));
  const std::string id = job.id;
  RETURN_IF_ERROR(FromStorage(parts_.store.MakeCheckpoint(id, PastRows(job.table))));
  // If this fails it is unknown whether the row is on disk. The next start finds out, and removes the
  // checkpoint if it is not.
  Result<ExportPtr> added = exports_->Put(std::move(job));
  if (OperationScope::IsStale()) RETURN_IF_ERROR(FromStorage(parts_.store.DeleteCheckpoint(id)));
  if (added) Run(**added);
  return added;
}

Result<ImportPtr> Transfers::StartImport(ImportJob job, Table table) {
  table.status = TableStatus::kCreating;
  job.shown.table_arn = table.arn;
  job.shown.table_id = table.id;
  RETURN_IF_ERROR(CheckText(job));
  RETURN_IF_ERROR(MakeRoom(*imports_, kImportsMax));
  RETURN_IF_ERROR(
      parts_.catalog.Add(std::move(table), {{JobRows<ImportJob>::KeyOf(job), job.Encode()}}));
  ImportPtr added = parts_.store.sharing() == nullptr
                        ? imports_->Publish(std::move(job))
                        : std::make_shared<const ImportJob>(std::move(job));
  Run(*added);
  return added;
}

Result<BulkPtr> Transfers::StartBulkOperation(BulkJob job) {
  RETURN_IF_ERROR(CheckText(job));
  RETURN_IF_ERROR(MakeRoom(*bulk_operations_, kBulkOperationsMax));
  ASSIGN_OR_RETURN(BulkPtr added, bulk_operations_->Put(std::move(job)));
  Run(*added);
  return added;
}

Result<BulkPtr> Transfers::CancelBulkOperation(std::string_view id) {
  if (parts_.store.sharing() != nullptr) return CancelAtKeeper(parts_.store, std::string(id));
  BulkPtr known = bulk_operations_->Find(id);
  if (!known || known->shown.bulk_operation_status != BulkOperationStatus::kInProgress) {
    return known;
  }
  BulkJob job = *known;
  job.shown.bulk_operation_status = BulkOperationStatus::kCancelling;
  return bulk_operations_->Put(std::move(job));
}

void Transfers::Run(const ExportJob& job) {
  StartRun(parts_.work,
           std::make_shared<ExportRun>(
               ExportRun::Parts{parts_.store, *objects_, *exports_, parts_.clock}, job.id),
           job.id);
}

void Transfers::Run(const ImportJob& job) {
  StartRun(parts_.work,
           std::make_shared<ImportRun>(ImportRun::Parts{.store = parts_.store,
                                                        .catalog = parts_.catalog,
                                                        .objects = *objects_,
                                                        .jobs = *imports_,
                                                        .context = MakeWriteContext(),
                                                        .clear = parts_.clear},
                                       job.id),
           job.id);
}

void Transfers::Run(const BulkJob& job) {
  StartRun(parts_.work,
           std::make_shared<BulkRun>(BulkRun::Parts{.store = parts_.store,
                                                    .catalog = parts_.catalog,
                                                    .objects = *objects_,
                                                    .jobs = *bulk_operations_,
                                                    .context = MakeWriteContext()},
                                     job.id),
           job.id);
}

}  // namespace stator
