// Writes an export: data files of bounded size as records come, the manifests at the end.
//
//   ASSIGN_OR_RETURN(auto writer, ExportWriter::Start(store, target));
//   for (…) RETURN_IF_ERROR(writer->AddItem(item));
//   RETURN_IF_ERROR(writer->Finish(summary));
//
// To resume after a crash, complete a file now and then, save files() with the position of the
// export, and start again with them. The names of data files follow from the export's id and their
// number, so a file that was cut off, or written after the last save, is written again and none is
// left over.
#ifndef STATOR_TRANSFER_EXPORT_WRITER_H_
#define STATOR_TRANSFER_EXPORT_WRITER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "transfer/export_manifest.h"
#include "transfer/object_store.h"
#include "transfer/record.h"

namespace stator::transfer {

// Not thread-safe, but not bound to a thread: slices of a job may run on any. Without Finish there
// is no manifest; complete data files stay.
class ExportWriter {
 public:
  struct Options {
    std::uint64_t data_file_bytes_max = 256 * 1024 * 1024;  // before compression
  };

  ~ExportWriter();
  ExportWriter(const ExportWriter&) = delete;
  ExportWriter& operator=(const ExportWriter&) = delete;

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
  // The bytes that are not, before compression.
  std::uint64_t open_bytes() const;

  // Ends the last data file (there is always one) and writes the manifests. The summary's item
  // count is the writer's.
  TransferResult<void> Finish(ExportSummary summary);

  std::int64_t item_count() const { return item_count_; }
  std::uint64_t unpacked_bytes() const { return unpacked_bytes_; }
  const ExportTarget& target() const { return target_; }

 private:
  class DataFile;
  ExportWriter(ObjectStore& store, ExportTarget target, Options options,
               std::vector<DataFileInfo> files);
  TransferResult<void> AddLine();
  TransferResult<void> BeginFile();
  TransferResult<void> PutWithChecksum(const std::string& key, std::string_view json);

  ObjectStore& store_;
  ExportTarget target_;
  Options options_;
  std::unique_ptr<DataFile> file_;
  std::vector<DataFileInfo> files_;
  std::string line_;
  std::int64_t item_count_ = 0;
  std::uint64_t unpacked_bytes_ = 0;
};

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_EXPORT_WRITER_H_
