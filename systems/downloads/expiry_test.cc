// Time to live: S3.25 to S3.29.
#include "tests/systems/downloads_fixture.h"

namespace stator::systems::downloads {
namespace expiry_test {

using std::chrono::days;
using std::chrono::seconds;

class Expiry : public Downloads {
 protected:
  std::int64_t NowSeconds() {
    return std::chrono::floor<seconds>(clock().Now()).time_since_epoch().count();
  }
  // Whether the item is stored, expired or not.
  bool IsStored(const char* table, const Item& key) {
    const auto answer = world_.endpoint().GetItem({.table_name = table, .key = key});
    EXPECT_TRUE(answer);
    return answer && answer->item;
  }
  bool JobIsStored(const std::string& id) { return IsStored(kJobsTable, Item{{"FileID", id}}); }
  void PutJob(const std::string& id, std::int64_t ttl) {
    ASSERT_TRUE(world_.endpoint().PutItem(
        {.table_name = kJobsTable, .item = Item{{"FileID", id}, {"TTL", ttl}}}));
  }
};

TEST_F(Expiry, S3_25_ThirtyDaysInSecondsFromNow) {
  RunDay();
  EXPECT_EQ(NumberOf(JobItem("accounts"), "TTL"), NowSeconds() + std::int64_t{30} * 24 * 60 * 60);
}

TEST_F(Expiry, S3_25_JobsAreDeletedAfterThirtyDaysAndNotBefore) {
  const Batch batch = RunDay().batch;
  clock().Advance(days(30) - seconds(1));
  EXPECT_EQ(FilesOfBatch(entities(), batch.id())->size(), 10U);
  clock().Advance(seconds(2));
  EXPECT_EQ(FilesOfBatch(entities(), batch.id())->size(), 0U);
  EXPECT_TRUE(Eventually([&] { return world_.database().GetStats().expired_items == 10; }));
  EXPECT_FALSE(JobIsStored("accounts-2026-02-28"));
  EXPECT_EQ(BatchesOf(entities(), kDate)->size(), 1U);
}

TEST_F(Expiry, S3_26_ABatchLivesThroughTheLongestQuarter) {
  using namespace std::chrono;
  int longest = 0;
  for (const unsigned first : {1U, 4U, 7U, 10U}) {
    const year_month start = year(2026) / month(first);
    longest = std::max(
        longest,
        static_cast<int>((sys_days((start + months(3)) / 1) - sys_days(start / 1)).count()));
  }
  EXPECT_EQ(longest, 92);
  const Batch batch = RunDay().batch;
  clock().Advance(days(longest) - seconds(1));
  EXPECT_EQ(BatchesOf(entities(), kDate)->size(), 1U);
  clock().Advance(seconds(2));
  EXPECT_EQ(BatchesOf(entities(), kDate)->size(), 0U);
  EXPECT_TRUE(Eventually([&] { return world_.database().GetStats().expired_items == 11; }));
  EXPECT_FALSE(IsStored(kBatchesTable, Item{{"BatchID", batch.id()}}));
}

TEST_F(Checker, S3_26_NinetyDaysAreTooFew) {
  EXPECT_TRUE(Finds("TT05"));
  EXPECT_FALSE(Holds("90 days cover a quarter"));
  EXPECT_TRUE(HoldsInModel("a batch lives through the longest quarter"));
}

TEST_F(Expiry, S3_27_OnlyWhatExpiredWithinFiveYearsIsDeleted) {
  PutJob("yesterday", NowSeconds() - 86400);
  PutJob("four-years-ago", NowSeconds() - std::int64_t{4} * 365 * 86400);
  PutJob("six-years-ago", NowSeconds() - std::int64_t{6} * 365 * 86400);
  PutJob("six-years-ahead", NowSeconds() + std::int64_t{6} * 365 * 86400);
  PutJob("milliseconds", NowSeconds() * 1000);
  clock().Advance(seconds(1));
  EXPECT_TRUE(Eventually([&] { return world_.database().GetStats().expired_items == 2; }));
  EXPECT_FALSE(JobIsStored("yesterday"));
  EXPECT_FALSE(JobIsStored("four-years-ago"));
  EXPECT_TRUE(JobIsStored("six-years-ago"));
  EXPECT_TRUE(JobIsStored("milliseconds"));
  // Far ahead is not ignored, only late: it goes when its time has come.
  clock().Advance(days(6 * 365 + 1));
  EXPECT_TRUE(Eventually([&] { return world_.database().GetStats().expired_items == 3; }));
  EXPECT_FALSE(JobIsStored("six-years-ahead"));
  EXPECT_TRUE(JobIsStored("milliseconds"));
}

TEST_F(Expiry, S3_27_MillisecondsAreRefused) {
  Item batch{{"PollingDate", kDate}, {"RunID", "aaaaaaaa"}};
  batch.Set("TTL", AttributeValue(NowSeconds() * 1000));
  const auto created = entities().Create("Batch", batch);
  ASSERT_FALSE(created);
  EXPECT_EQ(created.error().kind, EntityErrorKind::kInvalid) << created.error().message;
}

TEST_F(Expiry, S3_28_ReadersDoNotSeeWhatHasExpiredAndIsStillThere) {
  const Batch batch = RunDay().batch;
  // The reader's clock is a month ahead of that of the table, which deletes late.
  const TurnableClock later(ClockSetting::FixedAt(clock().Now() + days(30)));
  Entities readers(world_.endpoint(), world_.model(), {.clock = &later});
  EXPECT_TRUE(JobIsStored("accounts-2026-02-28"));
  EXPECT_FALSE(*readers.Get("FileJob", KeyOf(File("accounts"))));
  EXPECT_TRUE(readers.GetMany("FileJob", {KeyOf(File("accounts"))})->empty());
  EXPECT_EQ(FilesOfBatch(readers, batch.id())->size(), 0U);
  EXPECT_EQ(readers.Query("available")->items.size(), 0U);
  EXPECT_EQ(*readers.Count("count_in", {{"status", "available"}}), 0);
  EXPECT_EQ(ReadDashboard(readers, kDate)->batches.size(), 1U);
}

TEST_F(Checker, S3_28_ReadsThatMaySeeWhatHasExpiredAreFound) {
  EXPECT_TRUE(Finds("TT03", "is_done"));
  EXPECT_FALSE(FindsInModel("TT03"));
}

TEST_F(Expiry, S3_29_WhatHasExpiredIsStoredUntilItIsDeleted) {
  RunDay();
  const auto expire = [&](bool enabled) {
    return world_.endpoint().UpdateTimeToLive(
        {.table_name = kJobsTable,
         .specification = TimeToLiveSpecification{.enabled = enabled, .attribute_name = "TTL"}});
  };
  const auto table = [&] {
    return world_.endpoint().DescribeTable({.table_name = kJobsTable})->table;
  };
  const std::int64_t bytes = table().table_size_bytes;
  clock().Advance(std::chrono::hours(2));
  ASSERT_TRUE(expire(false));
  clock().Advance(days(31));
  EXPECT_EQ(table().item_count, 10);
  EXPECT_EQ(table().table_size_bytes, bytes);
  EXPECT_GT(bytes, 5000);
  ASSERT_TRUE(expire(true));
  clock().Advance(std::chrono::hours(2));
  EXPECT_TRUE(Eventually([&] { return table().item_count == 0; }));
  EXPECT_EQ(table().table_size_bytes, 0);
}

}  // namespace expiry_test
}  // namespace stator::systems::downloads
