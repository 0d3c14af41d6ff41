// ExportRun: carries an export out, slice by slice (engine/background.h).
//
// It reads a checkpoint that was made when the export was requested. Whenever a data file is complete,
// the job's row is written with the file and the position after it, so that a restart continues after
// the last complete file.
#ifndef STATOR_ENGINE_JOBS_EXPORT_RUN_H_
#define STATOR_ENGINE_JOBS_EXPORT_RUN_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "engine/history/past.h"
#include "engine/jobs/export_job.h"
#include "engine/jobs/job_rows.h"
#include "stator/result.h"
#include "storage/store.h"
#include "transfer/export_writer.h"
#include "transfer/object_store.h"

namespace stator {

class ExportRun {
 public:
  // All must outlive it.
  struct Parts {
    Store& store;
    transfer::ObjectStore& objects;
    JobRows<ExportJob>& jobs;
    const Clock& clock;
  };
  ExportRun(Parts parts, std::string id) : parts_(parts), id_(std::move(id)) {}

  // Does a slice of the work. False when the export is over. A problem with its files ends the export;
  // an error means that the store failed.
  Result<bool> Step();
  // Ends it without success.
  Result<void> Fail(JobFailure failure);

 private:
  Result<bool> Begin();
  // Adds a slice of items, or of changes, to the data file; false when there are no more.
  Result<bool> AddSlice();
  void Add(ItemView item);
  void Add(const PastChanges::Change& change);
  // Makes what has been added safe against a crash.
  Result<void> Save();
  Result<void> Finish();
  Result<void> End(ExportJob job);

  const Parts parts_;
  const std::string id_;
  ExportJob job_;  // as of the last slice; its files and cursor as of the last complete file
  std::unique_ptr<Checkpoint> source_;
  std::optional<PastItems> items_;      // of a full export; reads source_
  std::optional<PastChanges> changes_;  // of an incremental one
  std::unique_ptr<transfer::ExportWriter> writer_;
  std::optional<transfer::TransferError> problem_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_JOBS_EXPORT_RUN_H_
