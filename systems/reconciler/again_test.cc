// What stays in the index: calls that are stuck, calls that were emitted and are not OK since, and
// calls that the seed's own code wrote.
#include <gtest/gtest.h>

#include "stator/live.h"
#include "systems/reconciler/account.h"
#include "tests/systems/reconciler_fixture.h"

namespace stator::systems::reconciler {
namespace again_test {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using testing::Text;

using Names = std::vector<std::string>;

TEST_F(Reconciler, S0_2_ACallThatIsProcessingForTooLongIsFound) {
  Report("acme", "at", "PROCESSING", true, hours(1));
  Report("acme", "young", "PROCESSING", true, hours(1) - milliseconds(1));
  Report("acme", "mute", "PROCESSING", false, minutes(1));
  EXPECT_EQ(Poll().found, 2);
  EXPECT_EQ(Ids(), (Names{"acme#at#1", "acme#mute#1"}));
  EXPECT_NE(Lines()[0].find(R"("Reasons":["PROCESSING"])"), std::string::npos) << Lines()[0];
  EXPECT_EQ(Poll({.processing_older_than = minutes(30)}).emitted, 1);
  EXPECT_EQ(Ids().back(), "acme#young#1");
}

TEST_F(Reconciler, S0_2_ACallThatIsProcessedInTimeIsNeverEmitted) {
  Report("acme", "c1", "PROCESSING", true, minutes(59));
  EXPECT_EQ(Poll().found, 0);
  Report("acme", "c1", "SUCCESS", true, minutes(59));
  world_.clock().Advance(hours(5));
  EXPECT_EQ(Poll().found, 0);
  EXPECT_EQ(IndexSize(), 0U);
}

const PollOptions kAgain{.again_after = hours(6)};

TEST_F(Reconciler, S0_19_WhatIsNotOkAfterSixHoursIsEmittedAgainAsANewAttempt) {
  Report("acme", "c1", "FAILED", true);
  EXPECT_EQ(Poll(kAgain).emitted, 1);
  world_.clock().Advance(hours(6) - milliseconds(1));
  EXPECT_EQ(Poll(kAgain).found, 0);
  world_.clock().Advance(milliseconds(1));
  EXPECT_EQ(Poll().found, 0);  // only if it is asked for
  EXPECT_EQ(Poll(kAgain).emitted, 1);
  EXPECT_EQ(Poll(kAgain).found, 0);
  world_.clock().Advance(hours(6));
  EXPECT_EQ(Poll(kAgain).emitted, 1);
  EXPECT_EQ(Ids(), (Names{"acme#c1#1", "acme#c1#1#2", "acme#c1#1#3"}));
  EXPECT_NE(Lines()[2].find(R"("Attempt":3})"), std::string::npos) << Lines()[2];
  EXPECT_EQ(Text(Stored("acme", "c1"), "Attempts"), "1");
  EXPECT_EQ(world_.Audit(), "");
}

TEST_F(Reconciler, S0_19_ANewStateStartsWithTheFirstAttempt) {
  Report("acme", "c1", "PENDING", true);
  Poll(kAgain);
  world_.clock().Advance(hours(6));
  Poll(kAgain);
  Report("acme", "c1", "FAILED", true);
  EXPECT_EQ(Poll(kAgain).emitted, 1);
  EXPECT_EQ(Ids(), (Names{"acme#c1#1", "acme#c1#1#2", "acme#c1#2"}));
  Report("acme", "c1", "SUCCESS", true);
  world_.clock().Advance(hours(6));
  EXPECT_EQ(Poll(kAgain).found, 0);
  EXPECT_EQ(IndexSize(), 0U);
}

TEST_F(Reconciler, S0_19_ACallOlderThanTheLookbackIsNotEmittedAgain) {
  Report("acme", "c1", "FAILED", true, std::chrono::days(6) + hours(23));
  EXPECT_EQ(Poll(kAgain).emitted, 1);
  world_.clock().Advance(hours(6));
  EXPECT_EQ(Poll(kAgain).found, 0);
  EXPECT_EQ(Poll({.lookback = std::chrono::days(8), .again_after = hours(6)}).emitted, 1);
}

TEST_F(Reconciler, S0_19_DeathBetweenEmittingAgainAndMarkingEmitsNothingTwice) {
  ReportMany(5);
  Poll(kAgain);
  world_.clock().Advance(hours(6));
  Poll({.again_after = hours(6), .after_delivery = [] { return false; }});
  ASSERT_EQ(Lines().size(), 10U);
  EXPECT_EQ(Poll(kAgain).busy, 5);
  world_.clock().Advance(std::chrono::seconds(60));
  EXPECT_EQ(Poll(kAgain).there_already, 5);
  EXPECT_EQ(Poll(kAgain).found, 0);
  EXPECT_EQ(Lines().size(), 10U);
  EXPECT_EQ(Text(Stored("acme", "c1"), "Emissions"), "2");
}

TEST_F(Reconciler, S0_19_TwoPollersThatSawTheSameEntryEmitItAgainOnce) {
  ReportMany(1);
  Poll(kAgain);
  world_.clock().Advance(hours(6));
  const std::vector<Item> seen = Rows("ReconciliationIndex");
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(Poll(kAgain).emitted, 1);
  const auto late = TakeLease(table(), seen[0].view(), {.owner = "late", .sink = "file:/x"});
  ASSERT_TRUE(late) << late.error().message;
  EXPECT_FALSE(late->has_value());
}

TEST_F(Reconciler, TheReportCountsWhatWasEmitted) {
  ReportMany(3);
  Poll();
  Report("acme", "new", "PENDING", true);
  const auto account = ReadAccount(table());
  ASSERT_TRUE(account) << account.error().message;
  EXPECT_EQ(account->waiting(), 1);
  EXPECT_EQ(account->in_index(), 4);
  EXPECT_EQ(account->statuses[4], std::pair(std::string("EMITTED"), std::int64_t{3}));
}

// As the seed's section 3 writes them: no version, no revision, times without milliseconds.
class SeedItems : public Reconciler {
 protected:
  void Put(const std::string& call, const std::string& status, bool audio) {
    const auto put = world_.endpoint().PutItem(
        {.table_name = "calls",
         .item = Item{{"TenantId", "TENANT-123"},
                      {"CallId", call},
                      {"CallDateTime", "2026-02-27T08:00:00Z"},
                      {"AudioReceived", AttributeValue::Bool(audio)},
                      {"ProcessingStatus", status},
                      {"GSI_Recon_PK", "STATUS#PENDING"},
                      {"GSI_Recon_SK", "2026-02-27T08:00:00Z#TENANT-123"}}});
    ASSERT_TRUE(put) << put.error().message();
  }
};

TEST_F(SeedItems, AreEmittedAndGoOnAsAllOthers) {
  Put("c1", "FAILED", true);
  EXPECT_EQ(Poll(kAgain).emitted, 1);
  EXPECT_EQ(Ids(), Names{"TENANT-123#c1#0"});
  EXPECT_EQ(Text(Stored("TENANT-123", "c1"), "GSI_Recon_PK"), "STATUS#EMITTED");
  world_.clock().Advance(hours(6));
  EXPECT_EQ(Poll(kAgain).emitted, 1);
  EXPECT_EQ(world_.Audit(), "");
}

TEST_F(SeedItems, CanBeReportedOn) {
  Put("c1", "PENDING", false);
  Report("TENANT-123", "c1", "FAILED", false, hours(24));
  EXPECT_EQ(Text(Stored("TENANT-123", "c1"), "GSI_Recon_PK"), "STATUS#FAILED");
  Report("TENANT-123", "c1", "SUCCESS", true, hours(24));
  EXPECT_EQ(IndexSize(), 0U);
  EXPECT_EQ(world_.Audit(), "");
}

TEST_F(SeedItems, AreNotThrownOutOfTheIndexByAnAuditThatMends) {
  Put("c1", "FAILED", true);
  const auto report =
      AuditModel(world_.endpoint(), world_.model(), {.fix = true, .clock = &world_.clock()});
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_FALSE(report->clean());
  EXPECT_EQ(IndexSize(), 1U);
  EXPECT_EQ(Poll().emitted, 1);
}

TEST_F(SeedItems, ThatAreOkLeaveTheIndexWithoutAPayload) {
  Put("c1", "SUCCESS", true);
  EXPECT_EQ(Poll().emitted, 0);
  EXPECT_TRUE(Lines().empty());
  EXPECT_EQ(IndexSize(), 0U);
}

TEST_F(SeedItems, NeedNoMoreThanTheirKeys) {
  ASSERT_TRUE(world_.endpoint().PutItem(
      {.table_name = "calls",
       .item = Item{{"TenantId", "TENANT-123"},
                    {"CallId", "bare"},
                    {"GSI_Recon_PK", "STATUS#FAILED"},
                    {"GSI_Recon_SK", "2026-02-27T08:00:00Z#TENANT-123"}}}));
  EXPECT_EQ(Poll().emitted, 1);
  EXPECT_NE(Lines()[0].find(R"("CallDateTime":"2026-02-27T08:00:00.000Z","AudioReceived":false,)"
                            R"("ProcessingStatus":"FAILED")"),
            std::string::npos)
      << Lines()[0];
}

}  // namespace again_test
}  // namespace stator::systems::reconciler
