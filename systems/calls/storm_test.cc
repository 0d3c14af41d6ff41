#include "systems/calls/storm.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/systems/calls_fixture.h"

namespace stator::systems::calls {
namespace storm_test {

using testing::At;
using testing::CallsWorld;
using testing::kNow;
using testing::StressTime;

using CallStorm = CallsWorld;

TEST_F(CallStorm, S1_12_AfterAStormOfConcurrentChangesTheAuditFindsNothing) {
  const auto report = RunStorm(book_, At(kNow), {.threads = 8, .duration = StressTime()});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->problems, std::vector<std::string>{});
  EXPECT_GT(report->reschedules, 0);
  EXPECT_GT(report->duplicates, 0);
  RecordProperty("changes", std::to_string(report->changes()));
  RecordProperty("conflicts", std::to_string(report->conflicts));
  EXPECT_EQ(Audit(), std::vector<std::string>{});
  EXPECT_EQ(Rows(), 2 * 24);  // the calls and their sentinels
}

TEST_F(CallStorm, S1_12_CallersNeverSetDerivedKeys) {
  const Call call = Schedule("c1", "ann", kNow);
  for (const char* name : {"sk", "userStatus"}) {
    Item attributes{
        {"userId", "ann"}, {"callId", "c2"}, {"providerId", "p1"}, {"scheduledFor", kNow}};
    attributes.Set(name, AttributeValue("by hand"));
    EXPECT_EQ(world_.entities().Create("Call", attributes).error().kind, EntityErrorKind::kInvalid);
    const Change change{.set = {{name, "by hand"}}};
    EXPECT_EQ(world_.entities().Update("Call", KeyOf(call), change).error().kind,
              EntityErrorKind::kInvalid);
  }
  EXPECT_TRUE(Audit().empty());
}

TEST_F(CallStorm, S1_12_TheAuditFindsWhatOthersHaveBroken) {
  Schedule("c1", "ann", kNow);
  const Item key{{"userId", "ann"}, {"sk", "1772265600000#c1"}};
  ASSERT_TRUE(world_.endpoint().UpdateItem(
      {.table_name = "Calls",
       .key = key,
       .update_expression = "SET #s = :s, scheduledFor = :t",
       .expression_attribute_names = NameMap{{"#s", "status"}},
       .expression_attribute_values = ValueMap{{":s", "COMPLETED"}, {":t", kNow + 7}}}));
  const auto flaws = Audit();
  ASSERT_GE(flaws.size(), 2U);
  EXPECT_EQ(flaws[0], "call c1: sk is 1772265600000#c1, must be 1772265600007#c1");
  EXPECT_EQ(flaws[1], "call c1: userStatus is ann#SCHEDULED, must be ann#COMPLETED");
}

TEST_F(CallStorm, S1_12_TheAuditFindsIdsThatAreHeldTwiceOrByNobody) {
  Schedule("c1", "ann", kNow);
  ASSERT_TRUE(world_.endpoint().PutItem({.table_name = "Calls",
                                         .item = Item{{"userId", "ben"},
                                                      {"sk", "1772265600000#c1"},
                                                      {"callId", "c1"},
                                                      {"providerId", "p1"},
                                                      {"scheduledFor", kNow},
                                                      {"status", "SCHEDULED"},
                                                      {"userStatus", "ben#SCHEDULED"},
                                                      {"version", 1}}}));
  const auto twice = Audit();
  ASSERT_EQ(twice.size(), 2U);  // here, and by the model
  EXPECT_EQ(twice[0], "2 calls have the id c1");
  EXPECT_NE(twice[1].find("unique value claimed twice"), std::string::npos) << twice[1];
  for (const char* user : {"ann", "ben"}) {
    ASSERT_TRUE(world_.endpoint().DeleteItem(
        {.table_name = "Calls", .key = Item{{"userId", user}, {"sk", "1772265600000#c1"}}}));
  }
  EXPECT_EQ(Audit().front(), "the id c1 is held, but no call has it");
}

TEST_F(CallStorm, S1_6_OfManyWhoScheduleOneIdAtDifferentTimesOneWins) {
  std::atomic<int> winners = 0;
  std::atomic<int> refused = 0;
  {
    std::vector<std::jthread> racers;
    for (int i = 0; i < 8; ++i) {
      racers.emplace_back([&, i] {
        const auto call = book_.Schedule({.call_id = "c1",
                                          .user_id = "user-" + std::to_string(i),
                                          .provider_id = "p1",
                                          .scheduled_for = At(kNow + i)});
        if (call) ++winners;
        if (!call && call.error().kind == EntityErrorKind::kNotUnique) ++refused;
      });
    }
  }
  EXPECT_EQ(winners, 1);
  EXPECT_EQ(refused, 7);
  EXPECT_TRUE(Audit().empty());
}

TEST_F(CallStorm, S1_11_OfManyWhoChangeOneVersionOneWins) {
  Schedule("c1", "ann", kNow);
  std::atomic<int> winners = 0;
  std::atomic<int> conflicts = 0;
  {
    std::vector<std::jthread> racers;
    for (int i = 0; i < 8; ++i) {
      racers.emplace_back([&, i] {
        const auto call = book_.Reschedule("c1", At(kNow + 1 + i), 1);
        if (call) ++winners;
        if (!call && call.error().kind == EntityErrorKind::kConflict) ++conflicts;
      });
    }
  }
  EXPECT_EQ(winners, 1);
  EXPECT_EQ(conflicts, 7);
  EXPECT_EQ((*book_.Find("c1"))->version, 2);
}

TEST_F(CallStorm, S1_11_WhoeverNamesNoVersionLooksAgainAndLosesNothing) {
  Schedule("c1", "ann", kNow);
  std::atomic<int> done = 0;
  {
    std::vector<std::jthread> writers;
    for (int i = 0; i < 4; ++i) {
      writers.emplace_back([&, i] {
        if (book_.ChangeProvider("c1", "p" + std::to_string(i))) ++done;
      });
    }
  }
  EXPECT_EQ(done, 4);
  EXPECT_EQ((*book_.Find("c1"))->version, 5);
}

}  // namespace storm_test
}  // namespace stator::systems::calls
