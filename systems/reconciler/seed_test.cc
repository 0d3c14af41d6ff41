// What the seed says, judged by `stator check`; what it asks to be generated; and its sums.
#include <gtest/gtest.h>

#include <algorithm>

#include "systems/reconciler/account.h"
#include "systems/reconciler/load.h"
#include "tests/systems/reconciler_fixture.h"
#include "tests/systems/system_fixture.h"

namespace stator::systems::reconciler {
namespace seed_test {

const std::string kFolder = std::string(STATOR_SOURCE_DIR) + "/systems/reconciler/";

testing::ProgramAnswer Stator(const std::string& arguments) {
  return testing::RunProgram(STATOR_PROGRAM " " + arguments);
}

const std::string& Findings() {
  static const std::string text = Stator("check " + kFolder + "as-written.yaml").text;
  return text;
}

// The finding of the rule whose text holds all of `words`.
void ExpectFinding(const std::string& rule, std::initializer_list<const char*> words) {
  std::size_t at = 0;
  while ((at = Findings().find(" " + rule + " ", at)) != std::string::npos) {
    // Two lines: the finding and its fix.
    const std::size_t end = Findings().find("\n", Findings().find("\n", at) + 1);
    const std::string finding = Findings().substr(at, end - at);
    if (std::ranges::all_of(
            words, [&](const char* word) { return finding.find(word) != std::string::npos; })) {
      return;
    }
    ++at;
  }
  ADD_FAILURE() << "no such finding of " << rule << " in:\n" << Findings();
}

TEST(ReconcilerSeed, TheCorrectedModelIsClean) {
  const testing::ProgramAnswer answer = Stator("check " + kFolder + "model.yaml");
  EXPECT_EQ(answer.status, 0) << answer.text;
}

TEST(ReconcilerSeed, S0_1_AModelWithoutABaseKeyIsToldSo) {
  ExpectFinding("KY16", {"no primary key is given"});
  const testing::ProgramAnswer generated =
      Stator("generate terraform " + kFolder + "as-written.yaml");
  EXPECT_NE(generated.status, 0);
  EXPECT_NE(generated.text.find("table `calls` has no key"), std::string::npos);
}

TEST(ReconcilerSeed, S0_2_TheTwoPredicatesDifferAtProcessing) {
  ExpectFinding("AP04",
                {"AudioReceived = true, ProcessingStatus = PROCESSING", "pool is not after"});
}

TEST(ReconcilerSeed, S0_5_LeavingKeysNullIsReported) {
  ExpectFinding("KY11", {"GSI_Recon_PK may be NULL or empty"});
  ExpectFinding("KY11", {"GSI_Recon_SK may be NULL or empty"});
}

TEST(ReconcilerSeed, S0_7_OnlyStorageIsOnePercent) {
  ExpectFinding("CO01", {"you only pay writes of the index for the problematic calls",
                         "the writes to the indexes"});
}

TEST(ReconcilerSeed, S0_9_StatusesThatNoReadAsksForAreReported) {
  ExpectFinding("AP04", {"PROCESSING, FAILED and SUCCESS", "no read asks for them", "foreach"});
}

TEST(ReconcilerSeed, S0_10_OneTenantIsFilteredOnlyAndItsAmplificationIsTold) {
  ExpectFinding("AP03", {"TenantId = $tenant", "only filters"});
  ExpectFinding("AP09", {"pool_tenant reads 2500 items to return 50"});
}

TEST(ReconcilerSeed, S0_11_TimesOfVaryingWidthAreReported) {
  ExpectFinding("KY03", {"00.500Z sorts before", "iso_ms"});
}

TEST(ReconcilerSeed, S0_14_AMillionFailuresADayAreFarFromHot) {
  ExpectFinding("HP04", {"86.4 million a day", "fix: no shards"});
  ExpectFinding("CO07", {"millions of failed calls a day heat one partition", "14.4"});
}

TEST(ReconcilerSeed, S0_14_TheHeadroomAndTheShardsItTakes) {
  const Headroom million = HeadroomOf(1e6);
  EXPECT_NEAR(million.calls_per_second, 11.6, 0.03);
  EXPECT_EQ(million.shards, 1);
  EXPECT_GT(million.times, 43);
  EXPECT_EQ(HeadroomOf(1e6, {.writes_per_call = 1}).partition_calls_per_day, 86.4e6);
  EXPECT_EQ(HeadroomOf(1e6, {.writes_per_call = 2}).partition_calls_per_day, 43.2e6);
  EXPECT_EQ(HeadroomOf(100e6, {.writes_per_call = 2}).shards, 5);
  EXPECT_EQ(HeadroomOf(0).shards, 1);
}

TEST(ReconcilerSeed, S0_15_AScanWithAFilterIsFlaggedWithItsCost) {
  ExpectFinding("AP02", {"scan_for_bad reads all of calls", "1000000 items", "49008 read units"});
}

TEST(ReconcilerSeed, S0_16_TheTwoListsOfProjectedAttributesAreCompared) {
  ExpectFinding("IX03", {"ProcessingStatus only here", "TenantId only in terraform"});
  ExpectFinding("IX02", {"needs TenantId"});
}

TEST(ReconcilerSeed, S0_17_CapacityNeedsProvisionedModeAndFiveUnitsThrottleTheTable) {
  ExpectFinding("IA01", {"write capacity 5", "on demand"});
  ExpectFinding("HP05", {"at peak and has 5", "writes of the table are throttled too"});
}

TEST(ReconcilerSeed, S0_18_TheTerraformIsGenerated) {
  const testing::ProgramAnswer answer =
      Stator("generate terraform " + kFolder + "model.yaml --env prod");
  ASSERT_EQ(answer.status, 0) << answer.text;
  for (const char* part :
       {"name = \"GSI_Recon_PK\"", "name = \"GSI_Recon_SK\"", "= \"ReconciliationIndex\"",
        "hash_key           = \"GSI_Recon_PK\"", "range_key          = \"GSI_Recon_SK\"",
        "projection_type    = \"INCLUDE\"", "billing_mode = \"PAY_PER_REQUEST\""}) {
    EXPECT_NE(answer.text.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(answer.text.find("write_capacity"), std::string::npos);
}

// The block of the seed, digit for digit, from a table whose mode allows it.
TEST_F(Reconciler, S0_18_AlsoAsTheSeedHasIt) {
  std::ofstream(Path("seed.yaml")) << R"(model: 1
tables:
  calls:
    key: CallId str
    billing: {read: 5, write: 5}
    indexes:
      ReconciliationIndex:
        pk: GSI_Recon_PK str
        sk: GSI_Recon_SK str
        project: [TenantId, CallId, AudioReceived]
        sparse: true
        capacity: {read: 5, write: 5}
entities:
  Call:
    table: calls
    keys: {GSI_Recon_PK: "STATUS#{ProcessingStatus}", GSI_Recon_SK: "{CallDateTime}#{TenantId}"}
    attrs: {CallId: str, TenantId: str, CallDateTime: str iso_s, AudioReceived: bool, ProcessingStatus: str}
patterns: {}
)";
  const testing::ProgramAnswer answer = Stator("generate terraform " + Path("seed.yaml"));
  ASSERT_EQ(answer.status, 0) << answer.text;
  EXPECT_NE(answer.text.find(R"(  global_secondary_index {
    name               = "ReconciliationIndex"
    hash_key           = "GSI_Recon_PK"
    range_key          = "GSI_Recon_SK"
    write_capacity     = 5
    read_capacity      = 5
    projection_type    = "INCLUDE"
    non_key_attributes = ["TenantId", "CallId", "AudioReceived"]
  }
)"),
            std::string::npos)
      << answer.text;
  EXPECT_NE(answer.text.find(R"(billing_mode = "PROVISIONED")"), std::string::npos);
}

TEST_F(Reconciler, S0_15_TheReportComparesPollsWithScans) {
  ASSERT_TRUE(LoadCalls(table(), {.calls = 2000, .bad_per_million = 10'000}));
  UsageMeter meter(table(), "poll");
  const PollSummary summary = Poll();
  ASSERT_TRUE(meter.Record(1, summary.emitted));
  ASSERT_TRUE(LoadCalls(table(), {.calls = 1000, .bad_per_million = 5000, .seed = 2}));
  const auto account = ReadAccount(table());
  ASSERT_TRUE(account) << account.error().message;
  EXPECT_EQ(account->calls, 3000);
  EXPECT_EQ(account->waiting(), 5);
  EXPECT_EQ(account->in_index(), 25);
  EXPECT_GT(account->table_bytes, 3000 * 100);
  ASSERT_EQ(account->usage.size(), 1U);
  EXPECT_EQ(account->usage[0].calls, 20);
  EXPECT_EQ(account->usage[0].read_units, summary.read_units);
  // The lease is one unit; the outcome is one, and two for the entry, which moves. As the model says.
  EXPECT_EQ(account->usage[0].write_units, 80);
  // What a scan really costs.
  double units = 0;
  ScanRequest scan{.table_name = "calls",
                   .return_consumed_capacity = ReturnConsumedCapacity::kTotal};
  do {
    const auto page = world_.endpoint().Scan(scan);
    ASSERT_TRUE(page);
    units += page->consumed_capacity->capacity_units;
    scan.exclusive_start_key = page->last_evaluated_key;
  } while (scan.exclusive_start_key);
  EXPECT_NEAR(account->scan_units(), units, 1);
  const std::string text = AccountText(*account);
  EXPECT_NE(text.find("ReconciliationIndex holds 25 of them"), std::string::npos) << text;
  EXPECT_NE(text.find("as scans they would have taken"), std::string::npos) << text;
}

}  // namespace seed_test
}  // namespace stator::systems::reconciler
