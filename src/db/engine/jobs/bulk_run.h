// Carries a bulk operation out, slice by slice (engine/background.h), as engine/import_run.h does
// an import, but into a table that others use meanwhile.
#ifndef STATOR_ENGINE_JOBS_BULK_RUN_H_
#define STATOR_ENGINE_JOBS_BULK_RUN_H_

#include <memory>
#include <string>
#include <vector>

#include "engine/catalog/catalog.h"
#include "engine/jobs/bulk_job.h"
#include "engine/jobs/job_rows.h"
#include "engine/jobs/load_slice.h"
#include "engine/write/write_mutation.h"
#include "stator/result.h"
#include "storage/store.h"
#include "transfer/object_store.h"

namespace stator {

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
  BulkRun(Parts parts, std::string id) : parts_(parts), id_(std::move(id)) {}

  // Does a slice of the work. False when the operation is over. What goes wrong with its files ends
  // it; an error means that the store failed.
  Result<bool> Step();
  // Ends it without success; what has been put stays.
  Result<void> Fail(JobFailure failure);

 private:
  Result<bool> Begin(BulkJob job);
  Result<bool> Load(BulkJob job, const TablePtr& table);
  // Writes about the records of a slice that could not be put. The same slice after a crash writes
  // the same object.
  transfer::TransferResult<void> WriteProblems(const BulkJob& job,
                                               const std::vector<std::string>& problems);
  Result<void> End(BulkJob job, BulkOperationStatus status);

  const Parts parts_;
  const std::string id_;
  std::unique_ptr<transfer::ImportReader> reader_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_JOBS_BULK_RUN_H_
