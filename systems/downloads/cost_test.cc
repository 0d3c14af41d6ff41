// What a day costs: S3.30 to S3.34, counted by the engine and judged by the checker.
#include <cmath>

#include "tests/systems/downloads_fixture.h"

namespace stator::systems::downloads {
namespace cost_test {

// The document's day: one batch, ten files; put, claim, finish. The units that it wrote.
double DayOfWrites(Entities& entities, std::size_t padding_bytes) {
  const double before = entities.used().write;
  const Item batch{{"PollingDate", kDate}, {"RunID", "00000000"}};
  EXPECT_TRUE(entities.Create("Batch", batch));
  std::set<std::string> expected;
  for (const std::string& entity : DefaultEntities()) {
    const FileName name{entity, kDate};
    expected.insert(name.id());
    EXPECT_TRUE(entities.Create("FileJob", Item{{"Entity", entity},
                                                {"DownloadDate", kDate},
                                                {"BatchID", "batch-2026-02-28-00000000"},
                                                {"PresignedURL", std::string(140, 'u')},
                                                {"EncryptedAESKey", std::string(344, 'k')},
                                                {"EncodedAESIV", std::string(24, 'i')},
                                                {"Checksum", std::string(64 + padding_bytes, 'c')},
                                                {"SizeBytes", 8192}}));
  }
  EXPECT_TRUE(
      entities.Move("Batch", batch, "queue", {.set = {{"ExpectedFiles", SetValue(expected)}}}));
  for (const std::string& entity : DefaultEntities()) {
    const Item key = KeyOf(FileName{entity, kDate});
    EXPECT_TRUE(entities.Move("FileJob", key, "claim", {.set = {{"ClaimedBy", "w"}}}));
    EXPECT_TRUE(entities.Move("FileJob", key, "finish"));
  }
  EXPECT_TRUE(entities.Move("Batch", batch, "complete"));
  return entities.used().write - before;
}

TEST_F(Downloads, S3_30_ADayWrites138UnitsWithItsIndexesAnd268AtTwoKilobytes) {
  EXPECT_EQ(DayOfWrites(entities(), 0), 138);
  testing::SystemWorld larger(ModelText());
  EXPECT_EQ(DayOfWrites(larger.entities(), 1024), 268);
}

// Each write by itself, at both sizes: 1 + 1 + 1 for the table and two indexes, then 1 + 2 + 2,
// because a move changes a key of both.
TEST_F(Downloads, S3_30_APutIsThreeUnitsAndAMoveFive) {
  const auto units_of = [&](const auto& write) {
    const double before = entities().used().write;
    const auto done = write();
    EXPECT_TRUE(done) << done.error().message;
    return entities().used().write - before;
  };
  for (const int kilobytes : {1, 2}) {
    const std::string entity = kilobytes == 1 ? "accounts" : "ledgers";
    const Item key = KeyOf(FileName{entity, kDate});
    Item job = key;
    job.Set("BatchID", "batch-2026-02-28-00000000");
    job.Set("PresignedURL", std::string(400 + 1024 * (kilobytes - 1), 'u'));
    job.Set("EncryptedAESKey", std::string(100, 'k'));
    job.Set("EncodedAESIV", std::string(24, 'i'));
    job.Set("Checksum", std::string(64, 'c'));
    job.Set("SizeBytes", 8192);
    EXPECT_EQ(units_of([&] { return entities().Create("FileJob", job); }), 3 * kilobytes);
    EXPECT_EQ(units_of([&] {
                return entities().Move("FileJob", key, "claim", {.set = {{"ClaimedBy", "w"}}});
              }),
              5 * kilobytes);
    EXPECT_EQ(units_of([&] { return entities().Move("FileJob", key, "finish"); }), 5 * kilobytes);
  }
}

// The pipeline itself, not a copy of its writes.
TEST_F(Downloads, S3_30_ADayOfThePipelineWrites138Units) {
  const double before = entities().used().write;
  const RunReport report = RunDay();
  Drain(1);
  PollDay(report.batch);
  EXPECT_EQ(entities().used().write - before, 138);
}

TEST_F(Checker, S3_30_TheSumWithoutItsIndexesIsFound) {
  EXPECT_EQ(Truth("33 WCU a day"), 138);
  EXPECT_EQ(RuleOf("33 WCU a day"), "CO01");
  EXPECT_TRUE(HoldsInModel("a put of a job is 3 WRU and a move 5"));
}

TEST_F(Downloads, S3_31_SixtyReadsAreThirtyUnitsUnlessTheyAreStrong) {
  RunDay();
  for (const bool strong : {false, true}) {
    const double before = entities().used().read;
    for (int poll = 0; poll < 6; ++poll) {
      for (const std::string& entity : DefaultEntities()) {
        ASSERT_TRUE(entities().Get("FileJob", KeyOf(File(entity)), {.strong = strong}));
      }
    }
    EXPECT_EQ(entities().used().read - before, strong ? 60 : 30);
  }
}

TEST_F(Checker, S3_31_TheDoubledReadsAreFound) {
  EXPECT_EQ(Truth("60 RCU a day"), 30);
  EXPECT_EQ(RuleOf("60 RCU a day"), "CO02");
}

TEST_F(Checker, S3_32_ADayComparedWithASecondIsFound) {
  EXPECT_EQ(RuleOf("25 RCU and 25 WCU of the free tier would overflow"), "CO03");
}

TEST_F(Checker, S3_33_ThePricesOfBeforeNovember2024AreFound) {
  EXPECT_EQ(Truth("$0.25 per million RCU"), 0.125);
  EXPECT_EQ(Truth("$1.25 per million WCU"), 0.625);
  EXPECT_EQ(RuleOf("$0.25 per million RCU"), "CO04");
  EXPECT_EQ(RuleOf("$1.25 per million WCU"), "CO04");
}

TEST_F(Checker, S3_34_ProvisionedIsDearerThanOnDemand) {
  EXPECT_TRUE(Holds("provisioned capacity would cost more than the workload"));
  EXPECT_TRUE(Holds("the monthly cost is a fraction of a cent"));
  EXPECT_TRUE(HoldsInModel("provisioned 1/1 is $0.57 a month and dearer"));
  EXPECT_TRUE(HoldsInModel("a month costs less than a cent"));
}

}  // namespace cost_test
}  // namespace stator::systems::downloads
