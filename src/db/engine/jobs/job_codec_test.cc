#include <gtest/gtest.h>

#include "engine/jobs/bulk_job.h"
#include "engine/jobs/export_job.h"
#include "engine/jobs/import_job.h"

namespace stator {
namespace job_codec_test {

ExportJob FullExport() {
  ExportJob job;
  job.id = "01769860800000-0a1b2c3d";
  job.shown.export_arn = "arn:t/export/" + job.id;
  job.shown.start_ms = 1;
  job.shown.end_ms = 2;
  job.shown.export_manifest = "m";
  job.shown.table_arn = "arn:t";
  job.shown.table_id = "id";
  job.shown.export_time_ms = 3;
  job.shown.client_token = "token";
  job.shown.s3_bucket = "bucket";
  job.shown.s3_prefix = "p\"q";
  job.shown.failure = {"Code", "Message"};
  job.shown.export_format = ExportFormat::kIon;
  job.shown.billed_size_bytes = 4;
  job.shown.item_count = 5;
  job.shown.period = {6, 7, ExportViewType::kNewImage};
  job.fingerprint = "f";
  job.table = 8;
  job.key_names = {"pk", "sk"};
  job.files = {{.item_count = 9, .md5_checksum = "m", .etag = "e", .key = "k"}};
  job.cursor = std::string("\0\xff", 2);
  return job;
}

TEST(JobCodec, AnExportIsReadBackAsItWasWritten) {
  const std::string row = FullExport().Encode();
  const std::optional<ExportJob> read = ExportJob::Decode(row);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->Encode(), row);
  EXPECT_EQ(read->cursor, std::string("\0\xff", 2));
  EXPECT_EQ(read->files.front().key, "k");
  EXPECT_EQ(read->shown.period->view_type, ExportViewType::kNewImage);
}

TEST(JobCodec, AnImportIsReadBackAsItWasWritten) {
  ImportJob job;
  job.id = "01769860800000-0a1b2c3d";
  job.shown.s3_bucket_source = {.s3_bucket_owner = {}, .s3_bucket = "b", .s3_key_prefix = "p"};
  job.shown.input_format = InputFormat::kCsv;
  job.shown.csv = {.delimiter = ";", .header_list = {{"a", "b"}}};
  job.shown.input_compression_type = InputCompressionType::kZstd;
  job.shown.table_creation_parameters.table_name = "New";
  job.progress = {.object = "p\xff",
                  .records_in_object = 1,
                  .record_count = 2,
                  .error_count = 3,
                  .unpacked_bytes = 4};
  job.first_problem = "problem";
  const std::string row = job.Encode();
  const std::optional<ImportJob> read = ImportJob::Decode(row);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->Encode(), row);
  EXPECT_EQ(read->progress.object, "p\xff");
  EXPECT_EQ(read->shown.csv->header_list->size(), 2U);
  EXPECT_EQ(read->shown.table_creation_parameters.table_name, "New");
}

TEST(JobCodec, ABulkOperationIsReadBackAsItWasWritten) {
  BulkJob job;
  job.id = "01769860800000-0a1b2c3d";
  job.shown.input_s3_configuration.s3_bucket = "b";
  job.shown.input_s3_configuration.input_format = ExportFormat::kIon;
  job.shown.output_s3_configuration.emplace();
  job.shown.output_s3_configuration->output_type = {{BulkOutputType::kError}};
  job.shown.max_write_request_units = 5;
  const std::string row = job.Encode();
  const std::optional<BulkJob> read = BulkJob::Decode(row);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->Encode(), row);
  EXPECT_EQ(read->ErrorBucket(), "b");
  EXPECT_EQ(read->ErrorKey(7), "AWSDynamoDB/01769860800000-0a1b2c3d/errors/000000000007.json");
}

TEST(JobCodec, CountsThatAreNotShownAreKept) {
  ExportJob job = FullExport();
  job.shown.export_status = ExportStatus::kFailed;
  const std::optional<ExportJob> read = ExportJob::Decode(job.Encode());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->shown.item_count, 5);
  EXPECT_EQ(read->shown.billed_size_bytes, 4);
}

TEST(JobCodec, ADamagedRowIsRefused) {
  std::string row = FullExport().Encode();
  EXPECT_FALSE(ExportJob::Decode(row.substr(0, row.size() - 1)));
  EXPECT_FALSE(ExportJob::Decode("{}"));
  EXPECT_FALSE(ImportJob::Decode(row));
  EXPECT_FALSE(BulkJob::Decode(row));
  row.replace(row.find("IN_PROGRESS"), 11, "IN_REGRESS!");
  EXPECT_FALSE(ExportJob::Decode(row));
}

}  // namespace job_codec_test
}  // namespace stator
