#include "transfer/data_file_writer.h"

#include <fmt/format.h>

#include "base/try.h"

namespace stator::transfer {
namespace {

// What S3 gives an object that was uploaded in one part of a multipart upload.
std::string ETag(std::string_view digest) {
  std::string tag;
  for (const char byte : Md5Digest(digest)) {
    tag += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return tag.append("-1");
}

}  // namespace

TransferResult<void> DataFileWriter::AddLine(std::string_view line) {
  RETURN_IF_ERROR(gzip_.Write(line));
  ++item_count_;
  unpacked_bytes_ += line.size();
  return {};
}

TransferResult<DataFileInfo> DataFileWriter::Finish() {
  RETURN_IF_ERROR(gzip_.Finish());
  RETURN_IF_ERROR(object_->Commit());
  const std::string digest = md5_.Digest();
  return DataFileInfo{.item_count = item_count_,
                      .md5_checksum = ChecksumText(digest),
                      .etag = ETag(digest),
                      .key = key_};
}

}  // namespace stator::transfer
