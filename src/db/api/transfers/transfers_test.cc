#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <set>

#include "api/operations.h"
#include "engine/testing/borrowed_store.h"
#include "value/json.h"

namespace stator {
namespace transfers_test {

namespace fs = std::filesystem;

class TransfersTest : public ::testing::Test {
 protected:
  TransfersTest() {
    std::string name = (fs::temp_directory_path() / "stator-transfers-XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
    Open();
  }
  ~TransfersTest() override {
    engine_.reset();
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
  }

  void Open(bool with_buckets = true) {
    engine_.reset();
    EngineOptions options{.region = "us-east-1", .account = "000000000000", .clock = &clock_};
    if (with_buckets) options.s3_root = directory_.string();
    Result<std::unique_ptr<Engine>> opened =
        Engine::Open(std::make_unique<BorrowedStore>(*store_), std::move(options));
    ASSERT_TRUE(opened) << opened.error().message();
    engine_ = *std::move(opened);
  }

  template <class Request, class Response>
  std::string Call(const ApiOperation<Request, Response>& operation, const std::string& body) {
    JsonDocument document;
    EXPECT_TRUE(document.Parse(body)) << body;
    std::promise<std::string> answer;
    operation.run_json(*engine_, Wording::kClassic, document.root(), [&](Result<std::string> got) {
      answer.set_value(got ? *std::move(got)
                           : std::string(got.error().name()) + ": " + got.error().message());
    });
    return answer.get_future().get();
  }

  // The text of a member: {"a": {"b": "text"}}.
  static std::string Member(const std::string& json, std::string_view outer,
                            std::string_view inner) {
    JsonDocument document;
    if (!document.Parse(json)) return json;
    const auto found = document.root().Member(outer);
    const auto member = found ? found->Member(inner) : std::nullopt;
    if (!member) return {};
    return member->kind() == JsonKind::kString ? std::string(member->string())
                                               : std::to_string(member->integer());
  }

  void CreateTable() {
    Call(kCreateTable, R"({"TableName": "Music", "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]})");
    Call(kUpdateContinuousBackups, R"({"TableName": "Music",
        "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": true}})");
  }
  void Put(const std::string& pk, int value) {
    Call(kPutItem, fmt::format(R"({{"TableName": "Music", "Item": {{"pk": {{"S": "{}"}},
         "v": {{"N": "{}"}}, "note": {{"S": "{}"}}}}}})",
                               pk, value, std::string(200, 'x')));
  }
  std::string StartExport(const std::string& more = "") {
    return Member(Call(kExportTableToPointInTime,
                       R"({"TableArn": "arn:aws:dynamodb:us-east-1:000000000000:table/Music",
                           "S3Bucket": "exports")" +
                           more + "}"),
                  "ExportDescription", "ExportArn");
  }
  std::string Described(const std::string& arn, std::string_view member) {
    return Member(Call(kDescribeExport, R"({"ExportArn": ")" + arn + "\"}"), "ExportDescription",
                  member);
  }
  std::string StartImport(const std::string& prefix, const std::string& table,
                          const std::string& format, const std::string& compression) {
    return Member(Call(kImportTable,
                       fmt::format(
                           R"({{"S3BucketSource": {{"S3Bucket": "exports", "S3KeyPrefix": "{}"}},
                 "InputFormat": "{}", "InputCompressionType": "{}", "TableCreationParameters": {{
                 "TableName": "{}", "BillingMode": "PAY_PER_REQUEST",
                 "AttributeDefinitions": [{{"AttributeName": "pk", "AttributeType": "S"}}],
                 "KeySchema": [{{"AttributeName": "pk", "KeyType": "HASH"}}]}}}})",
                           prefix, format, compression, table)),
                  "ImportTableDescription", "ImportArn");
  }
  std::string Imported(const std::string& arn, std::string_view member) {
    return Member(Call(kDescribeImport, R"({"ImportArn": ")" + arn + "\"}"),
                  "ImportTableDescription", member);
  }
  // An object with so many items.
  void WriteObject(int count) {
    fs::create_directories(directory_ / "exports");
    std::ofstream out(directory_ / "exports" / "many.json");
    for (int i = 0; i < count; ++i) {
      out << fmt::format(R"({{"Item": {{"pk": {{"S": "{}"}}}}}})", i) << "\n";
    }
  }
  static constexpr const char* kBulkRequest = R"({"TableName": "Music", "InputS3Configuration":
      {"S3Bucket": "exports", "InputFormat": "DYNAMODB_JSON"}})";
  std::string StartBulk() {
    return Member(Call(kStartBulkPutItems, kBulkRequest), "BulkOperationDescription",
                  "BulkOperationArn");
  }
  // Looks at the one job of a kind in turn with its slices, on the background thread, while it is in
  // progress. Call it before the job begins, which otherwise may be over first.
  template <class Job>
  void AfterEachSlice(const JobRows<Job>& (Transfers::*jobs)() const,
                      std::function<void(const std::shared_ptr<const Job>&)> look) {
    engine_->background().PostLongWork([this, jobs, look = std::move(look)] {
      const auto all = (engine_->transfers().*jobs)().All();
      if (all.empty()) return true;
      if (all[0]->is_over()) return false;
      look(all[0]);
      return true;
    });
  }
  // The data folder of an export, by its manifest.
  static std::string DataFolder(const std::string& manifest) {
    return manifest.substr(0, manifest.rfind('/') + 1) + "data/";
  }
  // The items of a table, as JSON.
  std::multiset<std::string> Items(const std::string& table) {
    std::multiset<std::string> items;
    const TablePtr found = engine_->catalog().Find(table);
    if (!found) return items;
    EXPECT_TRUE(store_->Scan(IndexRows(found->number, 0), Direction::kForward,
                             [&](std::string_view, std::string_view item) {
                               items.emplace(item);
                               return true;
                             }));
    return items;
  }

  fs::path directory_;
  ManualClock clock_{TimeMs(std::chrono::milliseconds(1'769'860'800'000))};
  std::unique_ptr<Store> store_ = OpenMemoryStore();
  std::unique_ptr<Engine> engine_;
};

TEST_F(TransfersTest, WhatIsExportedCanBeImportedInBothFormats) {
  CreateTable();
  for (int i = 0; i < 1200; ++i) Put(fmt::format("item{}", i), i);
  for (const std::string format : {"DYNAMODB_JSON", "ION"}) {
    const std::string arn = StartExport(R"(, "S3Prefix": "p", "ExportFormat": ")" + format + "\"");
    engine_->background().WaitUntilIdle();
    ASSERT_EQ(Described(arn, "ExportStatus"), "COMPLETED") << Described(arn, "FailureMessage");
    EXPECT_EQ(Described(arn, "ItemCount"), "1200");
    const std::string folder = DataFolder(Described(arn, "ExportManifest"));
    const std::string import = StartImport(folder, "Copy" + format, format, "GZIP");
    engine_->background().WaitUntilIdle();
    EXPECT_EQ(Imported(import, "ImportStatus"), "COMPLETED") << Imported(import, "FailureMessage");
    EXPECT_EQ(Imported(import, "ImportedItemCount"), "1200");
    EXPECT_EQ(Items("Copy" + format), Items("Music"));
    EXPECT_EQ(engine_->catalog().Find("Copy" + format)->counts->items, 1200);
  }
  EXPECT_TRUE(store_->ListCheckpoints()->empty());
}

TEST_F(TransfersTest, AnExportShowsTheTableAsItWas) {
  CreateTable();
  clock_.Advance(std::chrono::seconds(10));
  Put("a", 1);
  clock_.Advance(std::chrono::seconds(10));
  Put("a", 2);
  Put("b", 2);
  const std::string arn = StartExport(R"(, "ExportTime": 1769860815)");
  Put("c", 3);
  engine_->background().WaitUntilIdle();
  ASSERT_EQ(Described(arn, "ExportStatus"), "COMPLETED");
  EXPECT_EQ(Described(arn, "ItemCount"), "1");
}

TEST_F(TransfersTest, AnExportGoesOnAfterARestart) {
  CreateTable();
  for (int i = 0; i < 1500; ++i) Put(fmt::format("item{}", i), i);
  const std::string arn = StartExport();
  Open();  // closing drops what is left of the work
  engine_->background().WaitUntilIdle();
  ASSERT_EQ(Described(arn, "ExportStatus"), "COMPLETED") << Described(arn, "FailureMessage");
  const std::string import =
      StartImport(DataFolder(Described(arn, "ExportManifest")), "Copy", "DYNAMODB_JSON", "GZIP");
  engine_->background().WaitUntilIdle();
  EXPECT_EQ(Imported(import, "ImportedItemCount"), "1500");
  EXPECT_EQ(Items("Copy"), Items("Music"));
  EXPECT_TRUE(store_->ListCheckpoints()->empty());
}

TEST_F(TransfersTest, AnImportGoesOnAfterARestartAndCountsEveryItemOnce) {
  fs::create_directories(directory_ / "exports");
  for (const int file : {1, 2, 3}) {
    std::ofstream out(directory_ / "exports" / fmt::format("{}.json", file));
    for (int i = 0; i < 700; ++i) {
      out << fmt::format(R"({{"Item": {{"pk": {{"S": "{}-{}"}}}}}})", file, i) << "\n";
    }
  }
  const std::string arn = StartImport("", "New", "DYNAMODB_JSON", "NONE");
  for (int restart = 0; restart < 5; ++restart) Open();
  engine_->background().WaitUntilIdle();
  EXPECT_EQ(Imported(arn, "ImportStatus"), "COMPLETED");
  EXPECT_EQ(Imported(arn, "ProcessedItemCount"), "2100");
  EXPECT_EQ(Imported(arn, "ImportedItemCount"), "2100");
  EXPECT_EQ(engine_->catalog().Find("New")->status, TableStatus::kActive);
  EXPECT_EQ(Items("New").size(), 2100U);
}

TEST_F(TransfersTest, WithoutBucketsAJobRestsUntilThereAreSome) {
  CreateTable();
  for (int i = 0; i < 600; ++i) Put(fmt::format("item{}", i), i);
  const std::string arn = StartExport();
  Open(/*with_buckets=*/false);
  engine_->background().WaitUntilIdle();
  const std::string status = Described(arn, "ExportStatus");
  Open();
  engine_->background().WaitUntilIdle();
  EXPECT_EQ(Described(arn, "ExportStatus"), "COMPLETED");
  EXPECT_TRUE(status == "IN_PROGRESS" || status == "COMPLETED") << status;
}

TEST_F(TransfersTest, ABulkOperationIsCancelledAndKeepsWhatItPut) {
  CreateTable();
  WriteObject(5000);
  AfterEachSlice<BulkJob>(&Transfers::bulk_operations, [&](const BulkPtr& job) {
    if (job->shown.processed_item_count > 0) {
      EXPECT_TRUE(engine_->transfers().CancelBulkOperation(job->id));
    }
  });
  const std::string arn = StartBulk();
  engine_->background().WaitUntilIdle();
  const std::string described =
      Call(kDescribeBulkOperation, R"({"BulkOperationArn": ")" + arn + "\"}");
  EXPECT_EQ(Member(described, "BulkOperationDescription", "BulkOperationStatus"), "CANCELLED");
  const std::size_t count = Items("Music").size();
  EXPECT_EQ(std::to_string(count),
            Member(described, "BulkOperationDescription", "ProcessedItemCount"));
  EXPECT_GT(count, 0U);
  EXPECT_LT(count, 5000U);
}

TEST_F(TransfersTest, CountsGrowWhileAJobRuns) {
  CreateTable();
  WriteObject(3000);
  std::set<std::int64_t> imported;
  AfterEachSlice<ImportJob>(&Transfers::imports, [&](const ImportPtr& job) {
    imported.insert(job->shown.imported_item_count);
  });
  StartImport("many", "New", "DYNAMODB_JSON", "NONE");
  engine_->background().WaitUntilIdle();
  EXPECT_GE(imported.size(), 10U);

  for (int i = 0; i < 3000; ++i) Put(fmt::format("item{}", i), i);
  std::set<std::int64_t> exported;
  AfterEachSlice<ExportJob>(&Transfers::exports,
                            [&](const ExportPtr& job) { exported.insert(job->shown.item_count); });
  StartExport();
  engine_->background().WaitUntilIdle();
  EXPECT_GE(exported.size(), 5U);
}

TEST_F(TransfersTest, FiftyBulkOperationsCanBeInProgressAtOnce) {
  CreateTable();
  WriteObject(1);
  // Nothing runs until all have been asked for.
  std::promise<void> asked;
  engine_->background().Post([&] { asked.get_future().wait(); });
  std::vector<std::string> answers(51);
  for (std::string& answer : answers) {
    JsonDocument document;
    ASSERT_TRUE(document.Parse(kBulkRequest));
    kStartBulkPutItems.run_json(*engine_, Wording::kClassic, document.root(),
                                [&answer](Result<std::string> got) {
                                  answer = got ? *std::move(got) : std::string(got.error().name());
                                });
  }
  asked.set_value();
  engine_->background().WaitUntilIdle();
  EXPECT_EQ(std::ranges::count(answers, "LimitExceededException"), 1);
  EXPECT_EQ(answers.back(), "LimitExceededException");
  EXPECT_NE(StartBulk(), "");
}

TEST_F(TransfersTest, JobsAreForgottenAfterNinetyDays) {
  CreateTable();
  const std::string arn = StartExport();
  engine_->background().WaitUntilIdle();
  clock_.Advance(std::chrono::days(91));
  Open();
  EXPECT_EQ(Described(arn, "ExportStatus"), "ExportNotFoundException: Export not found: " + arn);
}

}  // namespace transfers_test
}  // namespace stator
