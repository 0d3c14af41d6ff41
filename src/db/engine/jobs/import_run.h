// Carries an import out, slice by slice (engine/background.h).
//
// Its table is in the catalog with status CREATING. Each commit holds the items of a slice and the
// job's row, so a restart goes on where the last commit ended.
#ifndef STATOR_ENGINE_JOBS_IMPORT_RUN_H_
#define STATOR_ENGINE_JOBS_IMPORT_RUN_H_

#include <functional>
#include <memory>
#include <string>

#include "engine/catalog/catalog.h"
#include "engine/jobs/import_job.h"
#include "engine/jobs/job_rows.h"
#include "engine/jobs/load_slice.h"
#include "engine/write/write_mutation.h"
#include "stator/result.h"
#include "storage/store.h"
#include "transfer/object_store.h"

namespace stator {

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
  ImportRun(Parts parts, std::string id) : parts_(std::move(parts)), id_(std::move(id)) {}

  // Does a slice of the work. False when the import is over. What goes wrong with its files ends the
  // import; an error means that the store failed.
  Result<bool> Step();
  // Ends it without success: a table without an item goes, another becomes ACTIVE as it is.
  Result<void> Fail(JobFailure failure);

 private:
  Result<bool> Begin(const ImportJob& job, const Table& table);
  Result<void> Finish(ImportJob job);
  Result<void> End(ImportJob job, bool keep_table);

  const Parts parts_;
  const std::string id_;
  std::unique_ptr<transfer::ImportReader> reader_;
};

// The table with this id; null when there is none.
TablePtr FindTableById(const Catalog& catalog, std::string_view id);

// Begins to read, or says why that cannot be.
std::expected<std::unique_ptr<transfer::ImportReader>, JobFailure> OpenInput(
    const transfer::ObjectStore& objects, transfer::ImportSource source,
    transfer::ImportProgress progress);

}  // namespace stator

#endif  // STATOR_ENGINE_JOBS_IMPORT_RUN_H_
