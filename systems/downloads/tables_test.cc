// Tables, records and the start of a day: S3.1 to S3.10.
#include "rules/rules.h"
#include "stator/live.h"
#include "systems/downloads/operations.h"
#include "tests/systems/downloads_fixture.h"

namespace stator::systems::downloads {
namespace tables_test {

// "StatusIndex(Status, StatusUpdatedAt) ALL; …", sorted by name.
std::string IndexesOf(Endpoint& endpoint, const std::string& table) {
  const auto described = endpoint.DescribeTable({.table_name = table});
  EXPECT_TRUE(described);
  std::set<std::string> texts;
  for (const auto& index : described->table.global_secondary_indexes) {
    std::string text = index.index_name + "(";
    for (const auto& [name, type] : index.key_schema) text += name + " ";
    text.back() = ')';
    texts.insert(text + (index.projection_type == ProjectionType::kAll ? " ALL" : " part"));
  }
  std::string all;
  for (const std::string& text : texts) all += text + "; ";
  return all;
}

TEST_F(Downloads, S3_1_JobsHaveTheirKeyTwoFullIndexesTimeToLiveAndRecovery) {
  Endpoint& endpoint = world_.endpoint();
  ASSERT_TRUE(SetUpTables(endpoint, "prod", ""));
  const auto described = endpoint.DescribeTable({.table_name = kJobsTable});
  ASSERT_TRUE(described);
  ASSERT_EQ(described->table.key_schema.size(), 1U);
  EXPECT_EQ(described->table.key_schema.front().first, "FileID");
  for (const auto& [name, type] : described->table.attribute_definitions) {
    EXPECT_EQ(type == ScalarType::kN, name == "StatusUpdatedAt") << name;
  }
  EXPECT_EQ(IndexesOf(endpoint, kJobsTable),
            "BatchIndex(BatchID Status) ALL; StatusIndex(Status StatusUpdatedAt) ALL; ");
  const auto expires = endpoint.DescribeTimeToLive({.table_name = kJobsTable});
  ASSERT_TRUE(expires);
  EXPECT_EQ(expires->attribute_name, "TTL");
  const auto backups = endpoint.DescribeContinuousBackups({.table_name = kJobsTable});
  ASSERT_TRUE(backups);
  EXPECT_TRUE(backups->continuous_backups.point_in_time_recovery);
}

TEST_F(Downloads, S3_2_BatchesHaveTheirKeyAndAnIndexByDay) {
  const auto described = world_.endpoint().DescribeTable({.table_name = kBatchesTable});
  ASSERT_TRUE(described);
  EXPECT_EQ(described->table.key_schema.front().first, "BatchID");
  EXPECT_EQ(IndexesOf(world_.endpoint(), kBatchesTable),
            "PollingDateIndex(PollingDate Status) ALL; ");
}

TEST_F(Downloads, S3_3_TwoTablesBecauseJobsLeaveLongBeforeTheirBatch) {
  const Batch batch = RunDay().batch;
  const std::int64_t job_ttl = NumberOf(JobItem("accounts"), "TTL");
  const auto stored = entities().Get("Batch", KeyOf(batch));
  ASSERT_TRUE(stored && *stored);
  EXPECT_EQ(NumberOf(**stored, "TTL") - job_ttl, (92 - 30) * 86400);
}

TEST_F(Downloads, S3_4_AReplayComputesTheSameKeysAndChangesNothing) {
  const RunReport first = RunDay();
  EXPECT_EQ(first.created, 10);
  EXPECT_EQ(TextOf(JobItem("accounts"), "FileID"), "accounts-2026-02-28");
  const Item before = JobItem("accounts");
  clock().Advance(std::chrono::minutes(5));
  const RunReport again = RunDay();
  EXPECT_EQ(again.batch.id(), first.batch.id());
  EXPECT_EQ(again.created, 0);
  EXPECT_EQ(again.known, 10);
  EXPECT_EQ(JobItem("accounts"), before);
}

TEST_F(Downloads, S3_4_AReplayNeverTouchesAFinishedFile) {
  RunDay();
  Drain();
  const Item before = JobItem("accounts");
  EXPECT_EQ(RunDay().created, 0);
  EXPECT_EQ(JobItem("accounts"), before);
  EXPECT_EQ(Drain().completed, 0);
}

TEST_F(Downloads, S3_5_AJobThatWasPutIsAvailableThoughNobodyWasTold) {
  // The run is killed after its third put: no message was sent, no batch was queued.
  const auto files = FetchManifest({source_->url()}, kDate);
  ASSERT_TRUE(files);
  const RunReport report{.batch = {.date = kDate, .run_id = RunIdOf(kDate, 1)}};
  ASSERT_TRUE(entities().Create("Batch", KeyOf(report.batch)));
  for (int i = 0; i < 3; ++i) {
    const SourceFile& file = files->files[static_cast<std::size_t>(i)];
    ASSERT_TRUE(entities().Create("FileJob", Item{{"Entity", file.name.entity},
                                                  {"DownloadDate", kDate},
                                                  {"BatchID", report.batch.id()},
                                                  {"PresignedURL", file.url},
                                                  {"EncryptedAESKey", file.wrapped_key},
                                                  {"EncodedAESIV", file.iv},
                                                  {"Checksum", file.checksum},
                                                  {"SizeBytes", file.size_bytes}}));
  }
  // The index is the queue: the three are downloaded all the same.
  EXPECT_EQ(Drain().completed, 3);
  const RunReport replay = RunDay();
  EXPECT_EQ(replay.batch.id(), report.batch.id());
  EXPECT_EQ(replay.created, 7);
  EXPECT_EQ(replay.known, 3);
  EXPECT_EQ(Drain().completed, 7);
  EXPECT_EQ(PollDay(replay.batch).status, "completed");
}

TEST_F(Checker, S3_5_TheWriteAndTheMessageThatCanPartAreFound) {
  EXPECT_TRUE(Finds("WR14", "enqueue"));
  EXPECT_FALSE(FindsInModel("WR14"));
}

TEST_F(Downloads, S3_6_ARerunOfTheDayTakesOverTheJobsOfTheBatchBefore) {
  source_->SetFault("rates", Fault::kGone);
  const Batch first = RunDay().batch;
  Drain();
  clock().Advance(std::chrono::hours(3));
  ASSERT_EQ(PollDay(first).status, "timeout");
  EXPECT_EQ(RunDay().batch.status, "timeout");  // a replay does not begin another
  source_->SetFault("rates", Fault::kNone);
  const RunReport second = RunDay(true);
  EXPECT_NE(second.batch.id(), first.id());
  EXPECT_EQ(second.adopted, 10);
  EXPECT_EQ(second.requeued, 1);
  EXPECT_EQ(FilesOfBatch(entities(), second.batch.id())->size(), 10U);
  EXPECT_EQ(FilesOfBatch(entities(), first.id())->size(), 0U);
  EXPECT_EQ(Drain().completed, 1);
  EXPECT_EQ(PollDay(second.batch).status, "completed");
  EXPECT_EQ(BatchesOf(entities(), kDate)->size(), 2U);
}

TEST_F(Downloads, S3_6_ConcurrentRunsOpenOneBatch) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { RunDay(); });
  threads.clear();
  EXPECT_EQ(BatchesOf(entities(), kDate)->size(), 1U);
  EXPECT_EQ(FilesOfBatch(entities(), BatchesOf(entities(), kDate)->front().id())->size(), 10U);
}

TEST_F(Downloads, S3_7_ARequeueBringsANewAddressToAJobThatOutlivedItsOwn) {
  const Batch batch = RunDay().batch;
  clock().Advance(std::chrono::minutes(31));
  // The record lives on, the address does not.
  const auto job = Worker().Claim(File("accounts"));
  ASSERT_TRUE(job && *job);
  ASSERT_TRUE(Worker().Work(**job));
  const Item failed = JobItem("accounts");
  EXPECT_EQ(TextOf(failed, "Status"), "failed");
  EXPECT_EQ(TextOf(failed, "ErrorMessage"), "the source answers 403: the address has expired");
  EXPECT_EQ(RequeueDay().requeued, 10);
  EXPECT_NE(TextOf(JobItem("accounts"), "PresignedURL"), TextOf(failed, "PresignedURL"));
  EXPECT_EQ(Drain().completed, 10);
  EXPECT_EQ(PollDay(batch).status, "completed");
}

TEST_F(Checker, S3_7_ACredentialThatDiesBeforeItsRecordIsFound) {
  EXPECT_TRUE(Finds("TT06", "FileJob.PresignedURL"));
  EXPECT_FALSE(FindsInModel("TT06"));
}

TEST_F(Downloads, S3_8_TheRecordsHaveTheAttributesOfTheDocument) {
  source_->SetFault("rates", Fault::kGone);
  const Batch batch = RunDay().batch;
  Drain();
  const Item done = JobItem("accounts");
  for (const char* name : {"FileID", "BatchID", "Status", "Entity", "DownloadDate", "PresignedURL",
                           "EncryptedAESKey", "EncodedAESIV", "CreatedAt", "CompletedAt"}) {
    ASSERT_TRUE(done.Find(name)) << name;
    EXPECT_EQ(done.Find(name)->type(), Type::kS) << name;
  }
  for (const char* name : {"StatusUpdatedAt", "TTL"}) {
    EXPECT_EQ(done.Find(name)->type(), Type::kN) << name;
  }
  EXPECT_EQ(JobItem("rates").Find("ErrorMessage")->type(), Type::kS);
  EXPECT_EQ(TextOf(done, "CreatedAt"), "2026-02-28T08:00:00.000Z");
  EXPECT_EQ(NumberOf(done, "StatusUpdatedAt"), 1'772'265'600'000);

  clock().Advance(std::chrono::hours(3));
  ASSERT_EQ(PollDay(batch).status, "timeout");
  const auto stored = entities().Get("Batch", KeyOf(batch));
  ASSERT_TRUE(stored && *stored);
  for (const char* name :
       {"BatchID", "PollingDate", "Status", "StartTime", "CreatedAt", "UpdatedAt", "TimeoutAt"}) {
    ASSERT_TRUE((*stored)->Find(name)) << name;
    EXPECT_EQ((*stored)->Find(name)->type(), Type::kS) << name;
  }
  for (const char* name : {"ExpectedFiles", "CompletedFiles", "FailedFiles"}) {
    EXPECT_EQ((*stored)->Find(name)->type(), Type::kSS) << name;
  }
  EXPECT_EQ((*stored)->Find("TTL")->type(), Type::kN);
}

TEST_F(Downloads, S3_9_SetsAreLeftOutUntilTheyHaveAMember) {
  const Batch batch = RunDay().batch;
  auto stored = entities().Get("Batch", KeyOf(batch));
  EXPECT_EQ(SetOf(**stored, "ExpectedFiles").size(), 10U);
  EXPECT_FALSE((*stored)->Find("CompletedFiles"));
  EXPECT_FALSE((*stored)->Find("FailedFiles"));
  ASSERT_TRUE(Worker().Work(**Worker().Claim(File("accounts"))));
  PollDay(batch);
  stored = entities().Get("Batch", KeyOf(batch));
  EXPECT_EQ((*stored)->Find("CompletedFiles")->type(), Type::kSS);
  EXPECT_FALSE((*stored)->Find("FailedFiles"));
}

TEST_F(Downloads, S3_9_AnEmptySetIsRefused) {
  const auto put = world_.endpoint().PutItem(
      {.table_name = kBatchesTable,
       .item = Item{{"BatchID", "b"}, {"FailedFiles", AttributeValue::StringSet({})}}});
  ASSERT_FALSE(put);
  EXPECT_NE(put.error().message().find("An string set  may not be empty"), std::string::npos)
      << put.error().message();
}

TEST_F(Checker, S3_9_TheEmptySetAndTheListThatIsMeantAsASetAreFound) {
  EXPECT_TRUE(Finds("WR11", "create_batch"));
  EXPECT_TRUE(Finds("WR12", "expect_files"));
}

TEST_F(Downloads, S3_10_AFileIdIs19BytesAndFourHundredFitEasily) {
  EXPECT_EQ(File("accounts").id().size(), 19U);
  std::set<std::string> ids;
  for (int i = 0; i < 400; ++i) ids.insert(FileName{"entity_" + std::to_string(i), kDate}.id());
  const Item key{{"PollingDate", kDate}, {"RunID", "aaaaaaaa"}};
  ASSERT_TRUE(entities().Create("Batch", key));
  const double before = entities().used().write;
  ASSERT_TRUE(entities().Update("Batch", key, {.add_to_set = {{"ExpectedFiles", SetValue(ids)}}}));
  // About 8 KB, as the document says: 9 units for the table, 9 for the index.
  EXPECT_EQ(entities().used().write - before, 18);
}

TEST_F(Checker, S3_10_TwentyTwoBytesAreNotTrue) { EXPECT_EQ(Truth("a FileID is 22 bytes"), 19); }

}  // namespace tables_test
}  // namespace stator::systems::downloads
