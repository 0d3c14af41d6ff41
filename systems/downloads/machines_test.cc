// The two state machines: S3.20 to S3.24.
#include <atomic>
#include <barrier>

#include "tests/systems/downloads_fixture.h"

namespace stator::systems::downloads {
namespace machines_test {

TEST_F(Downloads, S3_20_OfTenRacersExactlyOneClaimsAFile) {
  RunDay();
  for (const std::string& entity : DefaultEntities()) {
    std::atomic<int> winners = 0;
    std::barrier start(10);
    std::vector<std::jthread> racers;
    for (int i = 0; i < 10; ++i) {
      racers.emplace_back([&] {
        start.arrive_and_wait();
        const auto job = Worker().Claim(File(entity));
        if (job && *job) ++winners;
      });
    }
    racers.clear();
    EXPECT_EQ(winners, 1) << entity;
    EXPECT_EQ(NumberOf(JobItem(entity), "Attempts"), 1);
  }
}

TEST_F(Downloads, S3_20_AClaimedFileAndAFinishedOneAreRefused) {
  RunDay();
  const auto job = Worker().Claim(File("accounts"));
  ASSERT_TRUE(job && *job);
  const auto claim = [&] {
    return entities().Move("FileJob", KeyOf(File("accounts")), "claim",
                           {.set = {{"ClaimedBy", "late"}}});
  };
  EXPECT_EQ(claim().error().message, "FileJob is downloading; claim starts from available");
  ASSERT_TRUE(Worker().Work(**job));
  EXPECT_EQ(claim().error().message, "FileJob is completed; claim starts from available");
  EXPECT_EQ(TextOf(JobItem("accounts"), "ClaimedBy"), (*job)->claimed_by);
}

TEST_F(Downloads, S3_21_FinishIsRefusedUnlessTheFileIsBeingDownloaded) {
  RunDay();
  const auto finish = [&] { return entities().Move("FileJob", KeyOf(File("accounts")), "finish"); };
  const auto refused = finish();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "FileJob is available; finish starts from downloading");
}

TEST_F(Downloads, S3_21_AFinishNeverBringsAnExpiredRecordBack) {
  RunDay();
  Downloader slow = Worker();
  const auto job = slow.Claim(File("accounts"));
  ASSERT_TRUE(job && *job);
  clock().Advance(std::chrono::days(31));
  ASSERT_TRUE(Eventually([&] { return world_.database().GetStats().expired_items == 10; }));
  ASSERT_TRUE(slow.Work(**job));
  EXPECT_EQ(slow.report().lost, 1);
  const auto raw = world_.endpoint().GetItem(
      {.table_name = kJobsTable, .key = Item{{"FileID", "accounts-2026-02-28"}}});
  ASSERT_TRUE(raw);
  EXPECT_FALSE(raw->item);
}

TEST_F(Checker, S3_21_AFinishWithoutAConditionIsFound) {
  EXPECT_TRUE(Finds("ST01", "FileJob.finish"));
  EXPECT_TRUE(Finds("WR02", "finish"));
  EXPECT_FALSE(FindsInModel("ST01"));
}

TEST_F(Downloads, S3_22_EveryStateThatIsNotTheEndHasAWayOut) {
  RunDay();
  // A stuck download goes back, a failed one too; an error ends until somebody asks for it again.
  ASSERT_TRUE(Worker().Claim(File("accounts")));
  clock().Advance(std::chrono::minutes(31));
  RequeueDay();
  EXPECT_EQ(StatusOf("accounts"), "available");
  source_->SetFault("accounts", Fault::kBusy);
  ASSERT_TRUE(Worker().Work(**Worker().Claim(File("accounts"))));
  EXPECT_EQ(StatusOf("accounts"), "failed");
  RequeueDay(2);
  EXPECT_EQ(StatusOf("accounts"), "error");
  RequeueDay();
  EXPECT_EQ(StatusOf("accounts"), "error");
  const auto again = Requeue(entities(), Job::Of(JobItem("accounts")),
                             *FetchLink({source_->url()}, File("accounts")));
  ASSERT_TRUE(again && *again);
  EXPECT_EQ(StatusOf("accounts"), "available");
  EXPECT_EQ(NumberOf(JobItem("accounts"), "Attempts"), 0);
}

TEST_F(Checker, S3_22_NoStateOfTheModelIsATrap) {
  EXPECT_FALSE(FindsInModel("ST02"));
  EXPECT_FALSE(FindsInModel("ST03"));
}

TEST_F(Downloads, S3_23_ABatchGoesFromInitiatedThroughQueuedToItsEnd) {
  const Item key{{"PollingDate", kDate}, {"RunID", "00000000"}};
  ASSERT_TRUE(entities().Create("Batch", key));
  EXPECT_EQ(entities().Move("Batch", key, "complete").error().message,
            "Batch is initiated; complete starts from queued");
  ASSERT_TRUE(entities().Move("Batch", key, "queue"));
  ASSERT_TRUE(entities().Move("Batch", key, "complete"));
  for (const char* move : {"queue", "complete", "time_out"}) {
    const auto refused = entities().Move("Batch", key, move);
    ASSERT_FALSE(refused) << move;
    EXPECT_EQ(refused.error().kind, EntityErrorKind::kConflict);
  }
}

TEST(DownloadsOfAnEmptyDay, S3_23_ABatchMayFailBeforeItIsQueued) {
  testing::SystemWorld world(ModelText());
  const auto server = HttpServer::Start(0, [](const HttpRequest&) {
    return HttpAnswer{.body = R"({"date": "2026-02-28", "files": []})"};
  });
  ASSERT_TRUE(server);
  const auto report = StartDay(world.entities(), {.source = {(*server)->url()}, .date = kDate});
  ASSERT_TRUE(report) << report.error();
  EXPECT_EQ(report->batch.status, "failed");
}

TEST_F(Downloads, S3_23_ABatchWhoseRunDiedTimesOut) {
  const Batch batch{.date = kDate, .run_id = RunIdOf(kDate, 1)};
  ASSERT_TRUE(entities().Create("Batch", KeyOf(batch)));
  EXPECT_EQ(PollDay(batch).status, "initiated");
  clock().Advance(std::chrono::hours(2));
  EXPECT_EQ(PollDay(batch).status, "timeout");
}

TEST_F(Checker, S3_23_TheMissingFailureOfANewBatchIsFound) { EXPECT_TRUE(Finds("ST02")); }

TEST_F(Downloads, S3_24_EveryMoveStampsItsTimeSoThatStatusIndexIsRight) {
  RunDay();
  const auto stamp = [&] { return NumberOf(JobItem("accounts"), "StatusUpdatedAt"); };
  const auto now = [&] { return clock().Now().time_since_epoch().count(); };
  EXPECT_EQ(stamp(), now());
  clock().Advance(std::chrono::minutes(1));
  Downloader worker = Worker();
  const auto job = worker.Claim(File("accounts"));
  EXPECT_EQ(stamp(), now());
  clock().Advance(std::chrono::minutes(1));
  source_->SetFault("accounts", Fault::kBusy);
  ASSERT_TRUE(worker.Work(**job));
  EXPECT_EQ(stamp(), now());
  clock().Advance(std::chrono::minutes(1));
  source_->SetFault("accounts", Fault::kNone);
  RequeueDay();
  EXPECT_EQ(stamp(), now());
  clock().Advance(std::chrono::minutes(1));
  ASSERT_TRUE(worker.Work(**worker.Claim(File("accounts"))));
  EXPECT_EQ(stamp(), now());
  EXPECT_EQ(StatusOf("accounts"), "completed");
}

TEST_F(Checker, S3_24_NoMoveOfTheModelLeavesItsStampBehind) { EXPECT_FALSE(FindsInModel("ST04")); }

}  // namespace machines_test
}  // namespace stator::systems::downloads
