// ImportRun and BulkRun: carry imports and bulk operations out, slice by slice
// (engine/background.h). Each commit holds the items of a slice and the job's row, so that a restart
// continues where the last commit ended.
#ifndef STATOR_ENGINE_JOBS_LOAD_RUN_H_
#define STATOR_ENGINE_JOBS_LOAD_RUN_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/catalog/catalog.h"
#include "engine/jobs/bulk_job.h"
#include "engine/jobs/import_job.h"
#include "engine/jobs/job_rows.h"
#include "engine/jobs/load_slice.h"
#include "engine/write/write_path.h"
#include "stator/result.h"
#include "storage/store.h"
#include "transfer/object_store.h"

namespace stator {

// Fills a new table, which is in the catalog with status CREATING.
class ImportRun {
 public:
  // All must outlive it.
  struct Parts {
    Store& store;
    Catalog& catalog;
    const transfer::ObjectStore& objects;
    JobRows<ImportJob>& jobs;
    WriteContext context;
    // Clears the rows of a dropped table.
    std::function<void(TableNumber)> clear;
  };
  ImportRun(Parts parts, std::string id)
      : parts_(std::move(parts)), id_(std::move(id)), row_(parts_.context.sharing != nullptr) {}

  // Does a slice of the work. False when the import is over. A problem with its files ends the import;
  // an error means that the store failed.
  Result<bool> Step();
  // Ends it without success: drops a table that has no items; any other becomes ACTIVE as it is.
  Result<void> Fail(JobFailure failure);

 private:
  Result<bool> Begin(const Table& table);
  Result<void> Finish(ImportJob job);
  Result<void> End(ImportJob job, bool keep_table);

  const Parts parts_;
  const std::string id_;
  JobRowWriter row_;
  std::optional<ImportJob> job_;  // as of the last slice
  std::unique_ptr<transfer::ImportReader> reader_;
};

// Puts items into a table that others use at the same time.
class BulkRun {
 public:
  // All must outlive it.
  struct Parts {
    Store& store;
    Catalog& catalog;
    transfer::ObjectStore& objects;
    JobRows<BulkJob>& jobs;
    WriteContext context;
  };
  BulkRun(Parts parts, std::string id)
      : parts_(parts), id_(std::move(id)), row_(parts_.context.sharing != nullptr) {}

  // Does a slice of the work. False when the operation is over. A problem with its files ends it; an
  // error means that the store failed.
  Result<bool> Step();
  // Ends it without success; items that have been put stay.
  Result<void> Fail(JobFailure failure);

 private:
  Result<bool> Begin();
  Result<bool> Load(const TablePtr& table);
  // Reports the records of a slice that could not be put. If a crash repeats the slice, it writes the
  // same object again.
  transfer::TransferResult<void> WriteProblems(const BulkJob& job,
                                               const std::vector<std::string>& problems);
  Result<void> End(BulkJob job, BulkOperationStatus status);

  const Parts parts_;
  const std::string id_;
  JobRowWriter row_;
  std::optional<BulkJob> job_;  // as of the last slice
  std::unique_ptr<transfer::ImportReader> reader_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_JOBS_LOAD_RUN_H_
