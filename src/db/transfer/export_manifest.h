// The two manifests of an export: what it was, and which data files it has.
//
//   [prefix/]AWSDynamoDB/{exportId}/_started                     empty; the bucket can be written
//   [prefix/]AWSDynamoDB/{exportId}/data/{random}.json.gz        data of a full export (.ion.gz)
//   [prefix/]AWSDynamoDB/data/{random}.json.gz                   data of an incremental export
//   [prefix/]AWSDynamoDB/{exportId}/manifest-files.json  .md5    one line for every data file
//   [prefix/]AWSDynamoDB/{exportId}/manifest-summary.json  .md5  written last
#ifndef STATOR_TRANSFER_EXPORT_MANIFEST_H_
#define STATOR_TRANSFER_EXPORT_MANIFEST_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "transfer/object_store.h"
#include "transfer/record.h"

namespace stator::transfer {

// What an incremental export covers: from (inclusive) to (exclusive).
struct ExportPeriod {
  TimeMs from;
  TimeMs to;
  ExportView view = ExportView::kNewAndOldImages;
};

// Where an export goes.
struct ExportTarget {
  std::string bucket;
  std::string prefix;  // as asked for; may be empty
  std::string export_id;
  DataFormat format = DataFormat::kDynamoDbJson;
  std::optional<ExportPeriod> period;  // of an incremental export

  std::string FolderKey() const;  // "[prefix/]AWSDynamoDB/{exportId}/"
  std::string DataFolderKey() const;
  std::string SummaryKey() const;  // ExportManifest of a description
  std::string FilesKey() const;
};

struct ExportSummary {
  std::string export_arn;
  std::string table_arn;
  std::string table_id;
  TimeMs start_time;
  TimeMs end_time;
  TimeMs export_time;  // of a full export
  std::string s3_sse_algorithm = "AES256";
  std::optional<std::string> s3_sse_kms_key_id;
  std::int64_t billed_size_bytes = 0;
  std::int64_t item_count = 0;
};

struct DataFileInfo {
  std::int64_t item_count = 0;
  std::string md5_checksum;  // base64
  std::string etag;
  std::string key;
};

// "01695097218000-d6299cbd": the time in milliseconds and something random.
std::string NewExportId(TimeMs now);

// 2020-11-04T07:28:34.028Z
std::string IsoTime(TimeMs time);

std::string SummaryJson(const ExportTarget& target, const ExportSummary& summary);
// One line, with its newline.
void AppendDataFileJson(std::string& out, const DataFileInfo& file);

// The data files that an export lists, checked against the manifest's checksum where there is one.
TransferResult<std::vector<DataFileInfo>> ReadDataFiles(const ObjectStore& store,
                                                        std::string_view bucket,
                                                        std::string_view files_key);

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_EXPORT_MANIFEST_H_
