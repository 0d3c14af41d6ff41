// Writes an export: data files of bounded size as records come, the manifests at the end.
//
//   ASSIGN_OR_RETURN(auto writer, ExportWriter::Start(store, target));
//   for (…) RETURN_IF_ERROR(writer->AddItem(item));
//   RETURN_IF_ERROR(writer->Finish(summary));
//
// Who wants to go on after a crash completes a file now and then, keeps files() and where it stood,
// and begins again with them: names of data files follow from the export's id and their number, so a
// file that was cut off, or not yet known of, is written again and no other is left.
#ifndef STATOR_TRANSFER_EXPORT_WRITER_H_
#define STATOR_TRANSFER_EXPORT_WRITER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "transfer/data_file_writer.h"
#include "transfer/export_manifest.h"
#include "transfer/object_store.h"
#include "transfer/record.h"

namespace stator::transfer {

// Not thread-safe, but no thread's own: slices of a job may run on any. Without Finish there is no
// manifest; data files that were complete stay.
class ExportWriter {
 public:
  struct Options {
    std::uint64_t data_file_bytes_max = 256 * 1024 * 1024;  // before compression
  };

  // Writes _started. `files` are those that an earlier writer of the same export has completed.
  // REQUIRES: `store` outlives the writer; the format is not CSV.
  static TransferResult<std::unique_ptr<ExportWriter>> Start(ObjectStore& store,
                                                             ExportTarget target, Options options,
                                                             std::vector<DataFileInfo> files = {});
  static TransferResult<std::unique_ptr<ExportWriter>> Start(ObjectStore& store,
                                                             ExportTarget target) {
    return Start(store, std::move(target), Options());
  }

  TransferResult<void> AddItem(ItemView item);
  // REQUIRES: the target has a period.
  TransferResult<void> AddChange(const ChangeRecord& change);

  // Ends the data file that is being written: all that was added is in files().
  TransferResult<void> CompleteFile();
  const std::vector<DataFileInfo>& files() const { return files_; }
  // What is not: before compression.
  std::uint64_t open_bytes() const { return file_ ? file_->unpacked_bytes() : 0; }

  // Ends the last data file (there is always one) and writes the manifests. The summary's item
  // count is the writer's.
  TransferResult<void> Finish(ExportSummary summary);

  std::int64_t item_count() const { return item_count_; }
  std::uint64_t unpacked_bytes() const { return unpacked_bytes_; }
  const ExportTarget& target() const { return target_; }

 private:
  ExportWriter(ObjectStore& store, ExportTarget target, Options options,
               std::vector<DataFileInfo> files);
  TransferResult<void> AddLine();
  TransferResult<void> BeginFile();
  TransferResult<void> PutWithChecksum(const std::string& key, std::string_view json);

  ObjectStore& store_;
  ExportTarget target_;
  Options options_;
  std::unique_ptr<DataFileWriter> file_;
  std::vector<DataFileInfo> files_;
  std::string line_;
  std::int64_t item_count_ = 0;
  std::uint64_t unpacked_bytes_ = 0;
};

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_EXPORT_WRITER_H_
