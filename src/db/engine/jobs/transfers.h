// Transfers: exports, imports and bulk operations, between tables and the files of a directory that
// stands in for S3. They run in slices in the background, and resume after a restart.
#ifndef STATOR_ENGINE_JOBS_TRANSFERS_H_
#define STATOR_ENGINE_JOBS_TRANSFERS_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/table.h"
#include "engine/jobs/bulk_job.h"
#include "engine/jobs/export_job.h"
#include "engine/jobs/import_job.h"
#include "engine/jobs/job_rows.h"
#include "engine/sharing/keeper_work.h"
#include "engine/write/write_path.h"
#include "stator/result.h"
#include "storage/store.h"
#include "transfer/object_store.h"
#include "value/key_codec.h"

namespace stator {

// Everything that changes something must run on the background thread.
class Transfers {
 public:
  struct Parts {
    Store& store;
    Catalog& catalog;
    const KeyHasher& hasher;
    WriteGate& gate;
    const Clock& clock;
    KeeperWork& work;
    // Clears the rows of a dropped table.
    std::function<void(TableNumber)> clear;
  };
  // Reads the jobs. `directory` holds the buckets; if it is empty there are none, and jobs that are in
  // progress wait.
  static Result<std::unique_ptr<Transfers>> Open(Parts parts, const std::string& directory);
  // Resumes what a crash has interrupted.
  void Start();
  // Runs the jobs that are in progress; on a shared store any process may have begun them.
  void FindWork();
  // As Catalog::Learn.
  StorageResult<bool> Learn(std::string_view key, std::optional<std::string_view> value);

  bool has_buckets() const { return objects_ != nullptr; }
  // Whether this bucket and key prefix can be file names.
  static Result<void> CheckLocation(std::string_view bucket, std::string_view prefix);

  const JobRows<ExportJob>& exports() const { return *exports_; }
  const JobRows<ImportJob>& imports() const { return *imports_; }
  const JobRows<BulkJob>& bulk_operations() const { return *bulk_operations_; }
  // Ids of the checkpoints that exports still read.
  std::vector<std::string> Checkpoints() const;

  // A new id, which begins with the time.
  std::string NewId() const;

  // REQUIRES for all three: has_buckets(), and the job has its id and all that was asked for.
  // LimitExceeded when too many jobs of the kind are in progress.
  Result<ExportPtr> StartExport(ExportJob job);
  // Adds the table, which cannot be used until it is filled. REQUIRES: its name is free.
  Result<ImportPtr> StartImport(ImportJob job, Table table);
  Result<BulkPtr> StartBulkOperation(BulkJob job);
  // Null if there is no such operation; one that is over stays as it is.
  Result<BulkPtr> CancelBulkOperation(std::string_view id);

 private:
  explicit Transfers(Parts parts) : parts_(std::move(parts)) {}
  // Forgets old jobs; LimitExceeded when too many of this kind are in progress.
  template <class Job>
  Result<void> MakeRoom(JobRows<Job>& jobs, std::size_t in_progress_max) const;
  Result<void> ForgetOld();
  WriteContext MakeWriteContext() const {
    return {.catalog = parts_.catalog,
            .hasher = parts_.hasher,
            .gate = parts_.gate,
            .clock = parts_.clock,
            .sharing = parts_.store.sharing()};
  }
  void Run(const ExportJob& job);
  void Run(const ImportJob& job);
  void Run(const BulkJob& job);

  const Parts parts_;
  bool has_told_of_resting_ = false;
  std::unique_ptr<transfer::ObjectStore> objects_;  // null: no buckets
  std::unique_ptr<JobRows<ExportJob>> exports_;
  std::unique_ptr<JobRows<ImportJob>> imports_;
  std::unique_ptr<JobRows<BulkJob>> bulk_operations_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_JOBS_TRANSFERS_H_
