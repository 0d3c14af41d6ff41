// Pollers that meet, and pollers that die.
#include <gtest/gtest.h>

#include "tests/systems/reconciler_fixture.h"

namespace stator::systems::reconciler {
namespace lease_test {

using testing::Text;

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
  EXPECT_EQ(IndexSize(), 0U);
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
  Poller poller(entities(), *OpenSink(Path()), {});
  const auto page = poller.Peek("");
  ASSERT_TRUE(page && page->items.size() == 2);
  Report("acme", "c0", "SUCCESS", true);
  const LeaseTerms terms{.owner = "me", .sink = "file:/x"};
  for (const Item& entry : page->items) {
    const auto leased = TakeLease(entities(), entry.view(), terms);
    ASSERT_TRUE(leased);
    EXPECT_EQ(leased->has_value(), Text(entry, "CallId") == "c1");
  }
}

}  // namespace lease_test
}  // namespace stator::systems::reconciler
