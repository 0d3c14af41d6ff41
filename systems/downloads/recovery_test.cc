// Recovery and infrastructure: S3.35 to S3.38.
#include "generate/generate.h"
#include "model/hcl/hcl_syntax.h"
#include "stator/live.h"
#include "systems/downloads/operations.h"
#include "tests/systems/downloads_fixture.h"

namespace stator::systems::downloads {
namespace recovery_test {

TEST_F(Downloads, S3_35_ADamagedTableIsRestoredToASecondIntoANewOne) {
  ASSERT_TRUE(SetUpTables(world_.endpoint(), "prod", ""));
  clock().Advance(std::chrono::minutes(1));
  const Batch batch = RunDay().batch;
  Drain();
  ASSERT_EQ(PollDay(batch).status, "completed");
  const Item accounts = JobItem("accounts");
  const TimeMs before = clock().Now();
  clock().Advance(std::chrono::seconds(1));
  // Half of the jobs deleted, the rest and the batch overwritten with nonsense.
  for (const std::string& entity : DefaultEntities()) {
    const FileName name = File(entity);
    if (entity.size() % 2 == 0) {
      ASSERT_TRUE(entities().Delete("FileJob", KeyOf(name)));
    } else {
      ASSERT_TRUE(world_.endpoint().PutItem(
          {.table_name = kJobsTable, .item = Item{{"FileID", name.id()}, {"Status", "lost"}}}));
    }
  }
  ASSERT_TRUE(entities().Delete("Batch", KeyOf(batch)));
  clock().Advance(std::chrono::days(20));
  const auto tables = Restore(world_.endpoint(),
                              {.table_prefix = "", .into_prefix = "restored-", .moment = before});
  ASSERT_TRUE(tables) << tables.error();
  Entities past(world_.endpoint(), world_.model(),
                {.clock = &clock(), .table_prefix = "restored-"});
  EXPECT_EQ(FilesOfBatch(past, batch.id(), "completed")->size(), 10U);
  EXPECT_EQ(**past.Get("FileJob", KeyOf(File("accounts"))), accounts);
  EXPECT_EQ(BatchesOf(past, kDate)->front().status, "completed");
  const auto audit = AuditModel(world_.endpoint(), world_.model(),
                                {.table_prefix = "restored-", .clock = &clock()});
  ASSERT_TRUE(audit) << audit.error().message();
  EXPECT_TRUE(audit->clean());
  // The damaged tables are as they were.
  EXPECT_EQ(FilesOfBatch(entities(), batch.id())->size(), 0U);
  // And the restored jobs expire as the lost ones would have.
  clock().Advance(std::chrono::days(11));
  EXPECT_TRUE(Eventually([&] {
    return world_.endpoint().DescribeTable({.table_name = tables->front()})->table.item_count == 0;
  }));
}

TEST_F(Downloads, S3_35_NothingIsRestoredFromMoreThan35DaysAgo) {
  ASSERT_TRUE(SetUpTables(world_.endpoint(), "prod", ""));
  const TimeMs then = clock().Now();
  clock().Advance(std::chrono::days(36));
  const auto tables =
      Restore(world_.endpoint(), {.table_prefix = "", .into_prefix = "restored-", .moment = then});
  ASSERT_FALSE(tables);
  EXPECT_NE(tables.error().find("must be within"), std::string::npos) << tables.error();
}

TEST(DownloadsSetUp, S3_36_RecoveryIsOnInProductionOnly) {
  for (const char* environment : {"dev", "test", "prod"}) {
    testing::SystemWorld world(ModelText());
    ASSERT_TRUE(SetUpTables(world.endpoint(), environment, ""));
    for (const char* table : {kJobsTable, kBatchesTable}) {
      const auto backups = world.endpoint().DescribeContinuousBackups({.table_name = table});
      ASSERT_TRUE(backups);
      EXPECT_EQ(backups->continuous_backups.point_in_time_recovery.has_value(),
                std::string_view(environment) == "prod")
          << environment;
    }
  }
}

TEST_F(Checker, S3_37_TheOneLineBlocksAreNotHcl) {
  EXPECT_TRUE(Finds("IA03"));
  const std::string terraform =
      model::GenerateTerraform(Mended().model.values(), {.environment = "prod"});
  EXPECT_NE(terraform.find("\"data-download-jobs\""), std::string::npos);
  EXPECT_NE(terraform.find("point_in_time_recovery"), std::string::npos);
  EXPECT_EQ(terraform.find(';'), std::string::npos);
}

TEST(DownloadsChecker, S3_38_AFilteredScanOnAProductionPathIsAFinding) {
  std::string text = SourceText("systems/downloads/model.yaml");
  const std::string patterns = "patterns:\n";
  text.insert(text.find(patterns) + patterns.size(),
              "  scan_failed: {scan: jobs, of: FileJob, filter: Status = failed, all: true, "
              "expired: hide, rate: 1/day}\n");
  const auto model = Model::Parse(text);
  ASSERT_TRUE(model) << model.error();
  const model::CheckResult result = model::Check(model->values());
  EXPECT_FALSE(result.clean());
  EXPECT_TRUE(std::ranges::any_of(result.findings, [](const model::Finding& finding) {
    return finding.rule == "AP02" && finding.target == "scan_failed";
  }));
}

}  // namespace recovery_test
}  // namespace stator::systems::downloads
