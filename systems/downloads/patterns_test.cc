// The access patterns: S3.11 to S3.19.
#include "model/plan/plan.h"
#include "server/request_handler.h"
#include "server/server.h"
#include "stator/client.h"
#include "systems/program/http.h"
#include "tests/systems/downloads_fixture.h"

namespace stator::systems::downloads {
namespace patterns_test {

constexpr auto kStuckAfter = std::chrono::milliseconds(1'800'000);

std::vector<std::string> Ids(const EntityResult<std::vector<Item>>& items) {
  EXPECT_TRUE(items) << (items ? "" : items.error().message);
  std::vector<std::string> ids;
  if (items) {
    for (const Item& item : *items) ids.push_back(TextOf(item, "FileID"));
  }
  return ids;
}

TEST_F(Checker, S3_11_EveryPatternResolvesAndNoneIsAScan) {
  for (const Checked* checked : {&AsWritten(), &Mended()}) {
    EXPECT_GE(checked->result.plans.size(), 11U);
    for (const model::Plan& plan : checked->result.plans) {
      EXPECT_NE(plan.operation, model::Operation::kNone) << plan.pattern->name;
      EXPECT_NE(plan.operation, model::Operation::kScan) << plan.pattern->name;
    }
  }
  EXPECT_TRUE(Mended().result.clean());
}

TEST_F(Downloads, S3_11_AWholeDayWithAccidentsMakesNoScan) {
  // Whatever the tests run on, this day goes through a server, which counts.
  server::DatabaseHandler handler(world_.database());
  const auto server = server::Server::Start({.port = 0, .threads = 2}, handler);
  ASSERT_TRUE(server);
  const auto client = Client::Open({.endpoint = (*server)->url()});
  ASSERT_TRUE(client);
  Entities served(**client, world_.model(), {.clock = &clock()});
  source_->SetFault("rates", Fault::kGone);
  const auto run = StartDay(served, {.source = {source_->url()}, .date = kDate});  // 1, 8, 9, 10
  ASSERT_TRUE(run) << run.error();
  Downloader killed(served, Keys(), *output_, "killed");
  ASSERT_TRUE(killed.ClaimNext());                                // 2
  ASSERT_TRUE(DrainWith(2, served, Keys(), *output_, "worker"));  // 2, 3
  ASSERT_TRUE(Poll(served, run->batch));                          // 4, 9
  clock().Advance(std::chrono::minutes(31));
  const auto requeued = RequeueAll(served, {.source = {source_->url()}});  // 5
  ASSERT_TRUE(requeued);
  EXPECT_EQ(requeued->stuck.size(), 1U);
  ASSERT_TRUE(DrainWith(2, served, Keys(), *output_, "worker"));
  clock().Advance(std::chrono::hours(2));
  EXPECT_EQ(Poll(served, run->batch)->status, "timeout");
  EXPECT_EQ(FilesOfBatch(served, run->batch.id())->size(), 10U);              // 6
  EXPECT_EQ(FilesOfBatch(served, run->batch.id(), "completed")->size(), 9U);  // 7
  const auto board = ReadDashboard(served, kDate);                            // 10, 11
  ASSERT_TRUE(board);
  EXPECT_EQ(board->timed_out, (std::vector<std::string>{run->batch.id()}));

  const auto metrics = HttpText({.url = (*server)->url() + "/metrics"});
  ASSERT_TRUE(metrics) << metrics.error();
  const auto counts = [&](const std::string& operation) {
    return metrics->find("stator_requests_total{operation=\"" + operation + "\"") !=
           std::string::npos;
  };
  for (const char* operation : {"GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem"}) {
    EXPECT_TRUE(counts(operation)) << operation;
  }
  for (const char* operation : {"Scan", "ExecuteStatement", "BatchExecuteStatement"}) {
    EXPECT_FALSE(counts(operation)) << operation;
  }
}

TEST_F(Downloads, S3_12_AvailableFilesComeOldestFirst) {
  RunDay();
  clock().Advance(std::chrono::minutes(31));
  // Put back later than the others were made.
  const Item first = JobItem("accounts");
  ASSERT_TRUE(Requeue(entities(), Job::Of(first), *FetchLink({source_->url()}, File("accounts"))));
  std::vector<std::string> ids;
  PageOptions options;
  do {
    const auto page = entities().Query("available", {}, options);
    ASSERT_TRUE(page) << page.error().message;
    for (const Item& item : page->items) ids.push_back(TextOf(item, "FileID"));
    options.cursor = page->cursor;
  } while (!options.cursor.empty());
  EXPECT_EQ(ids.size(), 10U);
  EXPECT_EQ(ids.back(), "accounts-2026-02-28");
}

TEST_F(Downloads, S3_13_StuckIsClaimedMoreThanThirtyMinutesAgo) {
  RunDay();
  ASSERT_TRUE(Worker().Claim(File("accounts")));
  clock().Advance(kStuckAfter);
  EXPECT_EQ(Ids(entities().All("stuck")).size(), 0U);
  clock().Advance(std::chrono::milliseconds(1));
  EXPECT_EQ(Ids(entities().All("stuck")), std::vector<std::string>{"accounts-2026-02-28"});
}

TEST_F(Downloads, S3_14_FilesThatNobodyPickedUpAreFoundAndPutBack) {
  RunDay();
  EXPECT_EQ(Ids(entities().All("never_claimed")).size(), 0U);
  clock().Advance(kStuckAfter + std::chrono::milliseconds(1));
  EXPECT_EQ(Ids(entities().All("never_claimed")).size(), 10U);
  const RequeueReport report = RequeueDay();
  EXPECT_EQ(report.never_claimed.size(), 10U);
  EXPECT_EQ(report.requeued, 10);
  EXPECT_EQ(NumberOf(JobItem("accounts"), "Attempts"), 0);
  EXPECT_EQ(Ids(entities().All("never_claimed")).size(), 0U);
  EXPECT_EQ(Drain().completed, 10);
}

TEST_F(Downloads, S3_15_TheDashboardCountsWithFiveQueriesThatBillWhatTheyRead) {
  source_->SetFault("rates", Fault::kGone);
  source_->SetFault("loans", Fault::kWrongKey);
  RunDay();
  const std::uint64_t before = entities().used().requests;
  const auto empty = ReadDashboard(entities(), kDate);
  ASSERT_TRUE(empty) << empty.error();
  Drain();
  RequeueDay();
  ASSERT_TRUE(Worker().Claim(File("rates")));
  const auto board = ReadDashboard(entities(), kDate);
  ASSERT_TRUE(board);
  const std::vector<std::pair<std::string, std::int64_t>> wanted = {
      {"available", 0}, {"downloading", 1}, {"completed", 8}, {"failed", 0}, {"error", 1}};
  EXPECT_EQ(board->counts, wanted);
  EXPECT_GT(entities().used().requests, before);
  // Eight entries of somewhat under 1 KB: two read units' worth of 4 KB, not half of one.
  EXPECT_GE(board->count_read_units, 4 * 0.5 + 1);
  EXPECT_NE(DashboardText(*board).find("completed    8"), std::string::npos)
      << DashboardText(*board);
}

TEST_F(Checker, S3_15_ACountReadsEveryItem) {
  EXPECT_FALSE(Holds("a count by status does not read the whole table"));
  EXPECT_EQ(Truth("a count by status does not read the whole table"), 300);
}

TEST_F(Downloads, S3_16_AKeyConditionFindsTheFilesOfABatchInOneStatus) {
  const Batch batch = RunDay().batch;
  ASSERT_TRUE(Worker().Work(**Worker().Claim(File("accounts"))));
  EXPECT_EQ(*FilesOfBatch(entities(), batch.id(), "completed"),
            std::vector<std::string>{"accounts-2026-02-28"});
  EXPECT_EQ(FilesOfBatch(entities(), batch.id(), "available")->size(), 9U);
  EXPECT_EQ(FilesOfBatch(entities(), batch.id())->size(), 10U);
  EXPECT_EQ(FilesOfBatch(entities(), "batch-of-nobody")->size(), 0U);
}

TEST_F(Downloads, S3_17_ThePollerReadsAllJobsStronglyInOneRequest) {
  const Batch batch = RunDay().batch;
  const UsedUnits before = entities().used();
  PollDay(batch);
  const UsedUnits after = entities().used();
  EXPECT_EQ(after.requests - before.requests, 2U);  // the batch, and its ten jobs
  EXPECT_EQ(after.read - before.read, 11);
  EXPECT_EQ(after.write, before.write);
}

TEST_F(Downloads, S3_17_AnIndexCannotBeReadStrongly) {
  const auto answer =
      world_.endpoint().Query({.table_name = kJobsTable,
                               .index_name = "BatchIndex",
                               .consistent_read = true,
                               .key_condition_expression = "BatchID = :b",
                               .expression_attribute_values = ValueMap{{":b", "x"}}});
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().message().find("Consistent reads are not supported"), std::string::npos)
      << answer.error().message();
}

TEST_F(Checker, S3_17_TenRequestsWhereOneWouldDoAreFound) { EXPECT_TRUE(Finds("AP12", "is_done")); }

TEST_F(Downloads, S3_18_TimesSortAsNumbers) {
  EXPECT_GT(std::string("999"), std::string("1000"));  // as text
  for (const int time : {1000, 999}) {
    ASSERT_TRUE(world_.endpoint().PutItem({.table_name = kJobsTable,
                                           .item = Item{{"FileID", std::to_string(time)},
                                                        {"Status", "available"},
                                                        {"StatusUpdatedAt", time}}}));
  }
  const auto answer =
      world_.endpoint().Query({.table_name = kJobsTable,
                               .index_name = "StatusIndex",
                               .key_condition_expression = "#s = :s",
                               .expression_attribute_names = NameMap{{"#s", "Status"}},
                               .expression_attribute_values = ValueMap{{":s", "available"}}});
  ASSERT_TRUE(answer) << answer.error().message();
  ASSERT_TRUE(answer->items);
  ASSERT_EQ(answer->items->size(), 2U);
  EXPECT_EQ((*answer->items)[0].Find("FileID")->S(), "999");
}

TEST_F(Downloads, S3_19_TodaysBatchIsFoundByItsDay) {
  const Batch batch = RunDay().batch;
  const auto found = BatchesOf(entities(), kDate);
  ASSERT_TRUE(found && found->size() == 1);
  EXPECT_EQ(found->front().id(), batch.id());
  EXPECT_EQ(OpenBatches(entities(), kDate)->size(), 1U);
  EXPECT_EQ(BatchesOf(entities(), "2026-03-01")->size(), 0U);
}

TEST_F(Downloads, S3_19_TimedOutBatchesOfADayAreFoundByTheirStatus) {
  const Batch batch = RunDay().batch;
  EXPECT_EQ(PollDay(batch).status, "queued");
  EXPECT_TRUE(ReadDashboard(entities(), kDate)->timed_out.empty());
  clock().Advance(std::chrono::hours(2));
  EXPECT_EQ(PollDay(batch).status, "timeout");
  EXPECT_EQ(ReadDashboard(entities(), kDate)->timed_out, std::vector<std::string>{batch.id()});
  EXPECT_EQ(OpenBatches(entities(), kDate)->size(), 0U);
}

}  // namespace patterns_test
}  // namespace stator::systems::downloads
