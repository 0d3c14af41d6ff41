#include "transfer/export_writer.h"

#include <fmt/format.h>

#include <utility>

#include "base/check.h"
#include "base/try.h"
#include "transfer/compression.h"
#include "transfer/ion/writer.h"
#include "transfer/json_lines.h"
#include "transfer/md5.h"

namespace stator::transfer {
namespace {

// The ETag that S3 gives to a multipart upload of one part.
std::string ETag(std::string_view digest) {
  std::string tag;
  for (const char byte : Md5Digest(digest)) {
    tag += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return tag.append("-1");
}

// 26 characters that are unique: 128 bits in base 32.
std::string DataFileName(std::string_view export_id, std::size_t number) {
  constexpr std::string_view kDigits = "abcdefghijklmnopqrstuvwxyz234567";
  std::string name;
  unsigned bits = 0;
  int count = 0;
  for (const char byte : Md5Digest(fmt::format("{}/{}", export_id, number))) {
    bits = bits << 8 | static_cast<unsigned char>(byte);
    for (count += 8; count >= 5; count -= 5) name.push_back(kDigits[bits >> (count - 5) & 0x1F]);
  }
  name.push_back(kDigits[bits << (5 - count) & 0x1F]);
  return name;
}

}  // namespace

// One data file: lines, packed with gzip, with the checksums for the manifest.
class ExportWriter::DataFile {
 public:
  DataFile(std::unique_ptr<ObjectWriter> object, std::string key)
      : object_(std::move(object)), md5_(*object_), gzip_(md5_), key_(std::move(key)) {}

  // REQUIRES: one record, with its newline.
  TransferResult<void> AddLine(std::string_view line);
  // Makes the object visible. Returns its line of the manifest.
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

TransferResult<void> ExportWriter::DataFile::AddLine(std::string_view line) {
  RETURN_IF_ERROR(gzip_.Write(line));
  ++item_count_;
  unpacked_bytes_ += line.size();
  return {};
}

TransferResult<DataFileInfo> ExportWriter::DataFile::Finish() {
  RETURN_IF_ERROR(gzip_.Finish());
  RETURN_IF_ERROR(object_->Commit());
  const std::string digest = md5_.Digest();
  return DataFileInfo{.item_count = item_count_,
                      .md5_checksum = ChecksumText(digest),
                      .etag = ETag(digest),
                      .key = key_};
}

TransferResult<std::unique_ptr<ExportWriter>> ExportWriter::Start(ObjectStore& store,
                                                                  ExportTarget target,
                                                                  Options options,
                                                                  std::vector<DataFileInfo> files) {
  STATOR_CHECK(target.format != DataFormat::kCsv);
  RETURN_IF_ERROR(PutObject(store, target.bucket, target.FolderKey() + "_started", {}));
  return std::unique_ptr<ExportWriter>(
      new ExportWriter(store, std::move(target), options, std::move(files)));
}

ExportWriter::ExportWriter(ObjectStore& store, ExportTarget target, Options options,
                           std::vector<DataFileInfo> files)
    : store_(store), target_(std::move(target)), options_(options), files_(std::move(files)) {
  for (const DataFileInfo& file : files_) item_count_ += file.item_count;
}

ExportWriter::~ExportWriter() = default;

std::uint64_t ExportWriter::open_bytes() const { return file_ ? file_->unpacked_bytes() : 0; }

TransferResult<void> ExportWriter::AddItem(ItemView item) {
  line_.clear();
  if (target_.format == DataFormat::kIon) {
    AppendIonItem(line_, item);
  } else {
    AppendJsonItem(line_, item);
  }
  return AddLine();
}

TransferResult<void> ExportWriter::AddChange(const ChangeRecord& change) {
  STATOR_CHECK(target_.period.has_value());
  line_.clear();
  if (target_.format == DataFormat::kIon) {
    AppendIonChange(line_, change, target_.period->view);
  } else {
    AppendJsonChange(line_, change, target_.period->view);
  }
  return AddLine();
}

TransferResult<void> ExportWriter::AddLine() {
  if (file_ && file_->unpacked_bytes() + line_.size() > options_.data_file_bytes_max) {
    RETURN_IF_ERROR(CompleteFile());
  }
  if (!file_) RETURN_IF_ERROR(BeginFile());
  RETURN_IF_ERROR(file_->AddLine(line_));
  ++item_count_;
  unpacked_bytes_ += line_.size();
  return {};
}

TransferResult<void> ExportWriter::BeginFile() {
  const std::string ending = target_.format == DataFormat::kIon ? ".ion.gz" : ".json.gz";
  std::string key =
      target_.DataFolderKey() + DataFileName(target_.export_id, files_.size()) + ending;
  ASSIGN_OR_RETURN(std::unique_ptr<ObjectWriter> object, store_.Create(target_.bucket, key));
  file_ = std::make_unique<DataFile>(std::move(object), std::move(key));
  return {};
}

TransferResult<void> ExportWriter::CompleteFile() {
  if (!file_) return {};
  ASSIGN_OR_RETURN(DataFileInfo file, file_->Finish());
  files_.push_back(std::move(file));
  file_.reset();
  return {};
}

TransferResult<void> ExportWriter::Finish(ExportSummary summary) {
  if (!file_ && files_.empty()) RETURN_IF_ERROR(BeginFile());
  RETURN_IF_ERROR(CompleteFile());
  std::string lines;
  for (const DataFileInfo& file : files_) AppendDataFileJson(lines, file);
  RETURN_IF_ERROR(PutWithChecksum(target_.FilesKey(), lines));
  summary.item_count = item_count_;
  return PutWithChecksum(target_.SummaryKey(), SummaryJson(target_, summary));
}

TransferResult<void> ExportWriter::PutWithChecksum(const std::string& key, std::string_view json) {
  // The checksum first: it exists when the manifest appears.
  const std::string md5_key = key.substr(0, key.rfind('.')) + ".md5";
  RETURN_IF_ERROR(PutObject(store_, target_.bucket, md5_key, ChecksumText(Md5Digest(json))));
  return PutObject(store_, target_.bucket, key, json);
}

}  // namespace stator::transfer
