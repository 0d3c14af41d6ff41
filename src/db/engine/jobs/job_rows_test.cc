#include "engine/jobs/job_rows.h"

#include <gtest/gtest.h>

#include "engine/jobs/bulk_job.h"
#include "storage/store.h"

namespace stator {
namespace job_rows_test {

BulkJob Job(int number, BulkOperationStatus status) {
  BulkJob job;
  job.id = "0" + std::to_string(number);
  job.shown.bulk_operation_status = status;
  job.shown.start_ms = number;
  if (job.is_over()) job.shown.end_ms = number;
  job.shown.input_s3_configuration.input_format = ExportFormat::kIon;
  return job;
}

std::vector<std::string> Ids(const JobRows<BulkJob>& jobs) {
  std::vector<std::string> ids;
  for (const BulkPtr& job : jobs.All()) ids.push_back(job->id);
  return ids;
}

class JobRowsTest : public ::testing::Test {
 protected:
  JobRowsTest() {
    for (int number = 1; number <= 6; ++number) {
      EXPECT_TRUE(jobs_->Put(Job(number, number == 2 ? BulkOperationStatus::kInProgress
                                                     : BulkOperationStatus::kCompleted)));
    }
  }
  std::unique_ptr<Store> store_ = OpenMemoryStore();
  std::unique_ptr<JobRows<BulkJob>> jobs_ = JobRows<BulkJob>::Load(*store_).value();
};

TEST_F(JobRowsTest, WhatEndedLongAgoIsForgottenAndWhatIsInProgressIsNot) {
  ASSERT_TRUE(jobs_->Forget(/*oldest_ms=*/4, /*kept_max=*/100));
  EXPECT_EQ(Ids(*jobs_), (std::vector<std::string>{"02", "04", "05", "06"}));
  EXPECT_EQ(Ids(*JobRows<BulkJob>::Load(*store_).value()), Ids(*jobs_));
  EXPECT_EQ(jobs_->CountInProgress(), 1U);
}

TEST_F(JobRowsTest, OnlyTheNewestAreKept) {
  ASSERT_TRUE(jobs_->Forget(/*oldest_ms=*/0, /*kept_max=*/2));
  EXPECT_EQ(Ids(*jobs_), (std::vector<std::string>{"02", "05", "06"}));
  EXPECT_EQ(Ids(*JobRows<BulkJob>::Load(*store_).value()), Ids(*jobs_));
}

TEST_F(JobRowsTest, RowsOfAnEarlierFormatAreLeftOut) {
  std::string row = Job(7, BulkOperationStatus::kCompleted).Encode();
  row.replace(row.find("\"format\":2"), 10, "\"format\":1");
  const std::string key = JobRows<BulkJob>::KeyOf(Job(7, BulkOperationStatus::kCompleted));
  ASSERT_TRUE(WriteRawRows(*store_, {{key, row}}));
  EXPECT_EQ(Ids(*JobRows<BulkJob>::Load(*store_).value()), Ids(*jobs_));
}

}  // namespace job_rows_test
}  // namespace stator
