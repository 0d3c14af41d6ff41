#include "transfer/export_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "transfer/directory_store.h"
#include "transfer/import_reader.h"
#include "transfer/ion/reader.h"
#include "transfer/json_lines.h"
#include "transfer/md5.h"
#include "transfer/testing/read_all.h"
#include "transfer/testing/temporary_directory.h"
#include "value/json.h"

namespace stator::transfer {
namespace export_writer_test {

using testing::AllRecords;

constexpr TimeMs Ms(std::int64_t ms) { return TimeMs(std::chrono::milliseconds(ms)); }

ExportSummary Summary() {
  return {.export_arn = "arn:aws:dynamodb:us-east-1:123456789012:table/T/export/01-a",
          .table_arn = "arn:aws:dynamodb:us-east-1:123456789012:table/T",
          .table_id = "12345a12-abcd-123a-ab12-1234abc12345",
          .start_time = Ms(1604474914028),
          .end_time = Ms(1604475223897),
          .export_time = Ms(1604474914028),
          .billed_size_bytes = 77};
}

class ExportWriterTest : public ::testing::Test {
 protected:
  std::string Get(std::string_view key) {
    return GetObject(*store_, "bucket", key, 1 << 20).value();
  }
  std::set<std::string> Keys() {
    std::set<std::string> keys;
    const std::vector<ObjectInfo> objects = store_->List("bucket", "", 1000).value();
    for (const ObjectInfo& object : objects) keys.insert(object.key);
    return keys;
  }
  // Everything an import finds in the data folder.
  std::vector<Item> Import(const ExportTarget& target) {
    const auto reader = ImportReader::Open(*store_, {.bucket = "bucket",
                                                     .prefix = target.DataFolderKey(),
                                                     .format = target.format,
                                                     .compression = Compression::kGzip})
                            .value();
    std::vector<Item> items;
    while (auto record = reader->Next().value()) items.push_back(record->item.value());
    return items;
  }

  testing::TemporaryDirectory directory_;
  std::unique_ptr<DirectoryStore> store_ = DirectoryStore::Open(directory_.path().string()).value();
};

Item Numbered(int n) { return Item{{"pk", "item"}, {"n", n}}; }

TEST_F(ExportWriterTest, AFullExportHasTheFilesOfTheService) {
  const ExportTarget target{.bucket = "bucket", .prefix = "2020-Nov", .export_id = "01-abc"};
  const auto writer = ExportWriter::Start(*store_, target).value();
  EXPECT_EQ(Keys(), std::set<std::string>{"2020-Nov/AWSDynamoDB/01-abc/_started"});
  ASSERT_TRUE(writer->AddItem(Numbered(1).view()));
  ASSERT_TRUE(writer->AddItem(Numbered(2).view()));
  EXPECT_EQ(Keys().size(), 1U);
  ASSERT_TRUE(writer->Finish(Summary()));
  const std::string folder = "2020-Nov/AWSDynamoDB/01-abc/";
  const auto files = ReadDataFiles(*store_, "bucket", folder + "manifest-files.json").value();
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(Keys(),
            (std::set<std::string>{folder + "_started", folder + "manifest-files.json",
                                   folder + "manifest-files.md5", folder + "manifest-summary.json",
                                   folder + "manifest-summary.md5", files[0].key}));
  EXPECT_TRUE(files[0].key.starts_with(folder + "data/"));
  EXPECT_TRUE(files[0].key.ends_with(".json.gz"));
  EXPECT_EQ(files[0].item_count, 2);
  EXPECT_EQ(files[0].md5_checksum, ChecksumText(Md5Digest(Get(files[0].key))));
  EXPECT_TRUE(files[0].etag.ends_with("-1"));
  EXPECT_EQ(files[0].etag.size(), 34U);
  EXPECT_EQ(Get(folder + "manifest-summary.md5"),
            ChecksumText(Md5Digest(Get(folder + "manifest-summary.json"))));
  EXPECT_EQ(Import(target), (std::vector{Numbered(1), Numbered(2)}));
}

TEST_F(ExportWriterTest, AnotherWriterGoesOnBehindTheFilesThatAreKnown) {
  const ExportTarget target{.bucket = "bucket", .prefix = "", .export_id = "01-abc"};
  std::vector<DataFileInfo> known;
  {
    const auto writer = ExportWriter::Start(*store_, target).value();
    ASSERT_TRUE(writer->AddItem(Numbered(1).view()));
    EXPECT_GT(writer->open_bytes(), 0U);
    ASSERT_TRUE(writer->CompleteFile());
    EXPECT_EQ(writer->open_bytes(), 0U);
    known = writer->files();
    // Nobody hears of this file: it is written again under the same name.
    ASSERT_TRUE(writer->AddItem(Numbered(2).view()));
    ASSERT_TRUE(writer->CompleteFile());
  }
  const auto writer = ExportWriter::Start(*store_, target, {}, known).value();
  EXPECT_EQ(writer->item_count(), 1);
  ASSERT_TRUE(writer->AddItem(Numbered(2).view()));
  ASSERT_TRUE(writer->AddItem(Numbered(3).view()));
  ASSERT_TRUE(writer->Finish(Summary()));
  EXPECT_EQ(writer->item_count(), 3);
  const std::vector<Item> items = Import(target);
  EXPECT_EQ(items.size(), 3U);
  for (const int n : {1, 2, 3}) EXPECT_EQ(std::ranges::count(items, Numbered(n)), 1) << n;
}

TEST_F(ExportWriterTest, TheSummaryOfAFullExportHasTheMembersOfTheService) {
  const ExportTarget target{.bucket = "bucket", .export_id = "01-abc"};
  const auto writer = ExportWriter::Start(*store_, target).value();
  ASSERT_TRUE(writer->Finish(Summary()));
  EXPECT_EQ(Get("AWSDynamoDB/01-abc/manifest-summary.json"),
            R"({"version":"2020-06-30",)"
            R"("exportArn":"arn:aws:dynamodb:us-east-1:123456789012:table/T/export/01-a",)"
            R"("startTime":"2020-11-04T07:28:34.028Z","endTime":"2020-11-04T07:33:43.897Z",)"
            R"("tableArn":"arn:aws:dynamodb:us-east-1:123456789012:table/T",)"
            R"("tableId":"12345a12-abcd-123a-ab12-1234abc12345",)"
            R"("exportTime":"2020-11-04T07:28:34.028Z","s3Bucket":"bucket","s3Prefix":null,)"
            R"("s3SseAlgorithm":"AES256","s3SseKmsKeyId":null,)"
            R"("manifestFilesS3Key":"AWSDynamoDB/01-abc/manifest-files.json",)"
            R"("billedSizeBytes":77,"itemCount":0,"outputFormat":"DYNAMODB_JSON",)"
            R"("exportType":"FULL_EXPORT"})");
  // A table without items still has a data file.
  EXPECT_EQ(ReadDataFiles(*store_, "bucket", "AWSDynamoDB/01-abc/manifest-files.json")->size(), 1U);
  EXPECT_TRUE(Import(target).empty());
}

TEST_F(ExportWriterTest, AnIncrementalExportSharesItsDataFolder) {
  const ExportTarget target{
      .bucket = "bucket",
      .prefix = "p/",
      .export_id = "02-def",
      .format = DataFormat::kIon,
      .period = ExportPeriod{.from = Ms(0), .to = Ms(3'600'000), .view = ExportView::kNewImage}};
  const auto writer = ExportWriter::Start(*store_, target).value();
  const ChangeRecord change{.write_timestamp_us = 5,
                            .keys = Item{{"pk", "a"}},
                            .new_image = Item{{"pk", "a"}, {"n", 1}},
                            .old_image = std::nullopt};
  ASSERT_TRUE(writer->AddChange(change));
  ASSERT_TRUE(writer->Finish(Summary()));
  const auto files =
      ReadDataFiles(*store_, "bucket", "p/AWSDynamoDB/02-def/manifest-files.json").value();
  ASSERT_EQ(files.size(), 1U);
  EXPECT_TRUE(files[0].key.starts_with("p/AWSDynamoDB/data/"));
  EXPECT_TRUE(files[0].key.ends_with(".ion.gz"));
  IonReader reader(Unpacked(Compression::kGzip, store_->Open("bucket", files[0].key).value()));
  EXPECT_EQ(testing::ReadAll(reader).changes, std::vector{change});
  const std::string summary = Get("p/AWSDynamoDB/02-def/manifest-summary.json");
  for (const char* part :
       {R"("version":"2023-08-01")", R"("exportFromTime":"1970-01-01T00:00:00.000Z")",
        R"("exportToTime":"1970-01-01T01:00:00.000Z")", R"("outputView":"NEW_IMAGE")",
        R"("exportType":"INCREMENTAL_EXPORT")", R"("s3Prefix":"p/")", R"("outputFormat":"ION")"}) {
    EXPECT_NE(summary.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(summary.find("exportTime\""), std::string::npos);
}

TEST_F(ExportWriterTest, DataFilesAreSplitBySize) {
  for (const DataFormat format : {DataFormat::kDynamoDbJson, DataFormat::kIon}) {
    const ExportTarget target{.bucket = "bucket",
                              .prefix = std::string(FormatName(format)),
                              .export_id = "03-x",
                              .format = format};
    const auto writer = ExportWriter::Start(*store_, target, {.data_file_bytes_max = 500}).value();
    std::set<std::string> added;
    for (int n = 0; n < 100; ++n) {
      ASSERT_TRUE(writer->AddItem(Numbered(n).view()));
      added.insert(Numbered(n).encoded());
    }
    ASSERT_TRUE(writer->Finish(Summary()));
    const auto files = ReadDataFiles(*store_, "bucket", target.FilesKey()).value();
    EXPECT_GT(files.size(), 5U);
    std::int64_t count = 0;
    for (const DataFileInfo& file : files) count += file.item_count;
    EXPECT_EQ(count, 100);
    std::set<std::string> read;
    for (const Item& item : Import(target)) read.insert(item.encoded());
    EXPECT_EQ(read, added);
  }
}

TEST_F(ExportWriterTest, WithoutFinishThereIsNoManifest) {
  const ExportTarget target{.bucket = "bucket", .export_id = "01-abc"};
  auto writer = ExportWriter::Start(*store_, target).value();
  ASSERT_TRUE(writer->AddItem(Numbered(1).view()));
  writer.reset();
  EXPECT_EQ(Keys(), std::set<std::string>{"AWSDynamoDB/01-abc/_started"});
}

TEST_F(ExportWriterTest, AManifestThatWasChangedIsRefused) {
  const ExportTarget target{.bucket = "bucket", .export_id = "01-abc"};
  ASSERT_TRUE(ExportWriter::Start(*store_, target).value()->Finish(Summary()));
  ASSERT_TRUE(PutObject(*store_, "bucket", target.FilesKey(), "{}\n"));
  EXPECT_FALSE(ReadDataFiles(*store_, "bucket", target.FilesKey()));
  ASSERT_TRUE(PutObject(*store_, "bucket", "other/manifest-files.json", "{}\n"));
  EXPECT_FALSE(ReadDataFiles(*store_, "bucket", "other/manifest-files.json"));
}

TEST(ExportId, IsATimeAndSomethingRandom) {
  const std::string id = NewExportId(Ms(1693685827463));
  EXPECT_TRUE(id.starts_with("01693685827463-"));
  EXPECT_EQ(id.size(), 23U);
  EXPECT_NE(id, NewExportId(Ms(1693685827463)));
}

}  // namespace export_writer_test
}  // namespace stator::transfer
