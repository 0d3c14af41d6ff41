// One data file of an export: lines, packed with gzip, with the checksums that a manifest wants.
#ifndef STATOR_TRANSFER_DATA_FILE_WRITER_H_
#define STATOR_TRANSFER_DATA_FILE_WRITER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "transfer/compression.h"
#include "transfer/export_manifest.h"
#include "transfer/md5.h"
#include "transfer/object_store.h"

namespace stator::transfer {

class DataFileWriter {
 public:
  DataFileWriter(std::unique_ptr<ObjectWriter> object, std::string key)
      : object_(std::move(object)), md5_(*object_), gzip_(md5_), key_(std::move(key)) {}

  // REQUIRES: one record, with its newline.
  TransferResult<void> AddLine(std::string_view line);
  // Makes the object visible, and says what the manifest has to.
  TransferResult<DataFileInfo> Finish();

  std::uint64_t unpacked_bytes() const { return unpacked_bytes_; }

 private:
  std::unique_ptr<ObjectWriter> object_;
  Md5Sink md5_;
  GzipSink gzip_;
  std::string key_;
  std::int64_t item_count_ = 0;
  std::uint64_t unpacked_bytes_ = 0;
};

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_DATA_FILE_WRITER_H_
