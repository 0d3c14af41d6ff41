// What a poller finds, in which order, and what becomes of it; pollers that meet, and pollers that
// die.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/systems/reconciler_fixture.h"

namespace stator::systems::reconciler {
namespace poller_test {

using std::chrono::days;
using std::chrono::milliseconds;
using testing::Text;

std::vector<std::string> Numbered(int from, int to, int step, const std::string& revision = "#1") {
  std::vector<std::string> ids;
  for (int i = from; i != to; i += step) ids.push_back("acme#c" + std::to_string(i) + revision);
  return ids;
}

TEST_F(Reconciler, S0_8_ACallAtExactlyTheLookbackIsFoundAndAnOlderOneIsNot) {
  Report("acme", "at", "FAILED", true, days(7));
  Report("acme", "before", "FAILED", true, days(7) + milliseconds(1));
  Report("acme", "after", "FAILED", true, days(7) - milliseconds(1));
  EXPECT_EQ(Poll().found, 2);
  EXPECT_EQ(Ids(), (std::vector<std::string>{"acme#at#1", "acme#after#1"}));
  EXPECT_EQ(Poll({.lookback = days(30)}).emitted, 1);
}

TEST_F(Reconciler, S0_8_ARoundThatFindsNothingIsAQueryForEachStatusAndNoScan) {
  ReportMany(30);
  Poll();
  UsedUnits before = table().used();
  EXPECT_EQ(Poll().read_units, 2);
  EXPECT_EQ(table().used().requests - before.requests, 4U);
  before = table().used();
  EXPECT_EQ(Poll({.again_after = std::chrono::hours(6)}).read_units, 2.5);
  EXPECT_EQ(table().used().requests - before.requests, 5U);
}

TEST_F(Reconciler, S0_9_FailedAndPendingAndSilentCallsAreAllFound) {
  Report("acme", "failed", "FAILED", true);
  Report("acme", "pending", "PENDING", true);
  Report("acme", "silent", "SUCCESS", false);
  Report("acme", "stuck", "PROCESSING", false);
  Report("acme", "fine", "SUCCESS", true);
  EXPECT_EQ(Poll().emitted, 4);
}

TEST_F(Reconciler, S0_10_AllTenantsAreOneQuestion) {
  Report("acme", "c1", "FAILED", true);
  Report("bolt", "c1", "FAILED", true);
  EXPECT_EQ(Poll().emitted, 2);
}

TEST_F(Reconciler, S0_10_OneTenantReadsTheCallsOfAll) {
  for (int i = 0; i < 60; ++i) {
    Report(i < 3 ? "acme" : "bolt", "c" + std::to_string(i), "FAILED", true,
           std::chrono::minutes(100 - i));
  }
  const PollSummary one = Poll({.tenant = "acme"});
  EXPECT_EQ(one.emitted, 3);
  EXPECT_EQ(Ids(), (std::vector<std::string>{"acme#c0#1", "acme#c1#1", "acme#c2#1"}));
  // 60 entries of about 200 bytes in one status, and three statuses without any.
  EXPECT_GE(one.read_units, 3 * 0.5 + 1.5);
  EXPECT_EQ(Waiting(), 57U);
}

TEST_F(Reconciler, S0_10_AFilterOnTheSortKeyIsRefusedByTheDatabase) {
  const auto page = world_.endpoint().Query(
      {.table_name = "calls",
       .index_name = "ReconciliationIndex",
       .filter_expression = "contains(GSI_Recon_SK, :t)",
       .key_condition_expression = "GSI_Recon_PK = :p",
       .expression_attribute_values = ValueMap{{":p", "STATUS#FAILED"}, {":t", "#acme"}}});
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().name(), "ValidationException");
  EXPECT_NE(page.error().message().find("primary key attribute"), std::string::npos)
      << page.error().message();
}

TEST_F(Reconciler, S0_12_TheOldestComeFirstWithoutLossAcrossPages) {
  ReportMany(250);
  EXPECT_EQ(Poll({.page = 100}).emitted, 250);
  EXPECT_EQ(Ids(), Numbered(249, -1, -1));
}

TEST_F(Reconciler, S0_12_OrTheNewest) {
  ReportMany(250);
  EXPECT_EQ(Poll({.newest_first = true, .page = 100}).emitted, 250);
  EXPECT_EQ(Ids(), Numbered(0, 250, 1));
}

TEST_F(Reconciler, S0_12_PagesOfAnIndexThatNobodyChangesHoldEachCallOnce) {
  ReportMany(250);
  Poller poller(table(), *OpenSink(Path()), {.page = 100});
  std::vector<std::string> ids;
  const auto looked = poller.Look([&](const std::vector<Item>& entries) -> EntityResult<bool> {
    EXPECT_LE(entries.size(), 100U);
    for (const Item& entry : entries) ids.push_back(PayloadOf(entry.view()).id);
    return true;
  });
  ASSERT_TRUE(looked) << looked.error().message;
  EXPECT_EQ(ids, Numbered(249, -1, -1));
}

TEST_F(Reconciler, S0_13_EachCallIsInOneOfTenShardsForLife) {
  table_ = OpenTable({.shards = 10});
  ReportMany(200);
  std::map<std::string, std::string> shards;
  std::set<std::string> used;
  const auto shard_of = [](const Item& row) {
    const std::string key = Text(row, "GSI_Recon_PK");
    return key.substr(key.rfind('#') + 1);
  };
  for (const Item& row : Rows("ReconciliationIndex")) {
    used.insert(shard_of(row));
    EXPECT_TRUE(shards.emplace(Text(row, "CallId"), shard_of(row)).second);
  }
  EXPECT_EQ(used.size(), 10U);
  ReportMany(200, "PENDING");
  for (const Item& row : Rows("ReconciliationIndex")) {
    EXPECT_EQ(shards[Text(row, "CallId")], shard_of(row));
  }
  // All shards are asked, side by side, and merged by time.
  const UsedUnits before = table().used();
  EXPECT_EQ(Poll().emitted, 200);
  EXPECT_EQ(Ids(), Numbered(199, -1, -1, "#2"));
  const UsedUnits drained = table().used();
  EXPECT_EQ(Poll().read_units, 20);
  EXPECT_EQ(table().used().requests - drained.requests, 40U);
  EXPECT_GT(drained.requests - before.requests, 40U);
}

TEST_F(Reconciler, S0_19_AnEmittedCallIsMarkedAndStandsElsewhereInTheIndex) {
  Report("acme", "c1", "FAILED", false);
  world_.clock().Advance(std::chrono::minutes(5));
  EXPECT_EQ(Poll().emitted, 1);
  EXPECT_EQ(Lines(), std::vector<std::string>{
                         R"({"id":"acme#c1#1","TenantId":"acme","CallId":"c1",)"
                         R"("CallDateTime":"2026-02-28T07:00:00.000Z","AudioReceived":false,)"
                         R"("ProcessingStatus":"FAILED","Reasons":["AUDIO_MISSING","FAILED"],)"
                         R"("Attempt":1})"});
  const Item call = Stored("acme", "c1");
  EXPECT_EQ(Text(call, "GSI_Recon_PK"), "STATUS#EMITTED");
  EXPECT_EQ(Text(call, "GSI_Recon_SK"), "2026-02-28T08:05:00.000Z#acme");
  EXPECT_FALSE(call.Find("LeaseUntil"));
  EXPECT_EQ(IndexSize(), 1U);
  EXPECT_EQ(Poll().found, 0);
  EXPECT_EQ(world_.Audit(), "");
}

TEST_F(Reconciler, S0_19_ACallThatTurnsBadAgainIsEmittedAgain) {
  Report("acme", "c1", "PENDING", true);
  Poll();
  Report("acme", "c1", "PENDING", true);  // the same news again
  EXPECT_EQ(Poll().found, 0);
  Report("acme", "c1", "FAILED", true);
  EXPECT_EQ(Poll().emitted, 1);
  Report("acme", "c1", "SUCCESS", true);
  EXPECT_EQ(Poll().found, 0);
  EXPECT_EQ(Ids(), (std::vector<std::string>{"acme#c1#1", "acme#c1#2"}));
}

TEST_F(Reconciler, S0_19_ARoundThatIsStoppedGoesOnWhereItWas) {
  ReportMany(250);
  int batches = 0;
  EXPECT_EQ(Poll({.go_on = [&] { return ++batches <= 1; }}).emitted, 100);
  EXPECT_EQ(Waiting(), 150U);
  EXPECT_EQ(Poll().emitted, 150);
  EXPECT_EQ(Ids(), Numbered(249, -1, -1));
}

const auto kDies = [] { return false; };

TEST_F(Reconciler, S0_19_ALeasedCallIsLeftToItsPoller) {
  ReportMany(5);
  Poll({.after_leases = kDies});
  const PollSummary other = Poll();
  EXPECT_EQ(other.busy, 5);
  EXPECT_EQ(other.emitted, 0);
  EXPECT_TRUE(Lines().empty());
}

TEST_F(Reconciler, S0_19_AnExpiredLeaseIsTakenOver) {
  ReportMany(5);
  Poll({.after_leases = kDies});
  world_.clock().Advance(std::chrono::seconds(60));
  EXPECT_EQ(Poll().emitted, 5);
  EXPECT_EQ(Lines().size(), 5U);
  EXPECT_EQ(Text(Stored("acme", "c1"), "Attempts"), "2");
}

TEST_F(Reconciler, S0_19_DeathBetweenEmittingAndMarkingEmitsNothingTwice) {
  ReportMany(5);
  Poll({.after_delivery = kDies});
  ASSERT_EQ(Lines().size(), 5U);
  world_.clock().Advance(std::chrono::seconds(60));
  const PollSummary next = Poll();
  EXPECT_EQ(next.emitted, 0);
  EXPECT_EQ(next.there_already, 5);
  EXPECT_EQ(Lines().size(), 5U);
  EXPECT_EQ(Waiting(), 0U);
}

TEST_F(Reconciler, S0_19_WhoTakesOverGoesOnInTheFileOfTheFirst) {
  ReportMany(5);
  Poll({.after_delivery = kDies}, "first.jsonl");
  world_.clock().Advance(std::chrono::seconds(60));
  EXPECT_EQ(Poll({}, "second.jsonl").there_already, 5);
  EXPECT_EQ(Lines("first.jsonl").size(), 5U);
  EXPECT_TRUE(Lines("second.jsonl").empty());
}

TEST_F(Reconciler, S0_19_APollerThatOverslept_EmitsNothingThatAnotherHasEmitted) {
  ReportMany(5);
  PollSummary other;
  const PollSummary slow = Poll({.after_leases = [&] {
    world_.clock().Advance(std::chrono::minutes(2));
    other = Poll();
    return true;
  }});
  EXPECT_EQ(other.emitted, 5);
  EXPECT_EQ(slow.emitted, 0);
  EXPECT_EQ(slow.overtaken, 5);
  EXPECT_EQ(Lines().size(), 5U);
}

TEST_F(Reconciler, S0_19_AReportDuringEmissionIsNotLost) {
  Report("acme", "c1", "PENDING", true);
  const PollSummary first = Poll({.after_delivery = [&] {
    Report("acme", "c1", "FAILED", true);
    return true;
  }});
  EXPECT_EQ(first.overtaken, 1);
  EXPECT_EQ(Poll().emitted, 1);
  EXPECT_EQ(Ids(), (std::vector<std::string>{"acme#c1#1", "acme#c1#2"}));
}

TEST_F(Reconciler, S0_19_ACallThatIsMendedMeanwhileIsNotEmitted) {
  ReportMany(2);
  const std::vector<Item> entries = Rows("ReconciliationIndex");
  ASSERT_EQ(entries.size(), 2U);
  Report("acme", "c0", "SUCCESS", true);
  const LeaseTerms terms{.owner = "me", .sink = "file:/x"};
  for (const Item& entry : entries) {
    const auto leased = TakeLease(table(), entry.view(), terms);
    ASSERT_TRUE(leased);
    EXPECT_EQ(leased->has_value(), Text(entry, "CallId") == "c1");
  }
}

}  // namespace poller_test
}  // namespace stator::systems::reconciler
