#include <gtest/gtest.h>

#include "tests/systems/calls_fixture.h"

namespace stator::systems::calls {
namespace reads_test {

using testing::At;
using testing::CallsWorld;
using testing::Ids;
using testing::kNow;

using Names = std::vector<std::string>;
constexpr std::int64_t kHour = 3'600'000;

class CallReads : public CallsWorld {
 protected:
  // Seven calls an hour apart around now, of ann; one of ben; the first three completed.
  void Fill() {
    for (int i = 1; i <= 7; ++i) {
      Schedule("c" + std::to_string(i), "ann", kNow + (i - 4) * kHour, i % 2 == 0 ? "p2" : "p1");
    }
    Schedule("b1", "ben", kNow, "p1");
    for (const char* id : {"c1", "c2", "c3"}) ASSERT_TRUE(book_.Complete(id));
  }

  // All pages, and how many there were.
  template <class Read>
  std::pair<Names, int> Pages(Read read) {
    PageOptions options{.limit = 2, .cursor = {}, .descending = {}};
    std::pair<Names, int> all;
    do {
      const auto page = read(options);
      EXPECT_TRUE(page) << (page ? "" : page.error().message);
      if (!page) break;
      for (const std::string& id : Ids(page->calls)) all.first.push_back(id);
      ++all.second;
      options.cursor = page->cursor;
    } while (!options.cursor.empty() && all.second < 20);
    return all;
  }
};

TEST_F(CallReads, S1_3_TheTimelineOfAUserIsInTheOrderOfTimeBothWays) {
  Fill();
  EXPECT_EQ(Ids(book_.ReadTimeline("ann", Timeline::kAll)->calls),
            (Names{"c1", "c2", "c3", "c4", "c5", "c6", "c7"}));
  const PageOptions newest{.limit = {}, .cursor = {}, .descending = true};
  EXPECT_EQ(Ids(book_.ReadTimeline("ann", Timeline::kAll, newest)->calls),
            (Names{"c7", "c6", "c5", "c4", "c3", "c2", "c1"}));
}

TEST_F(CallReads, S1_3_ACallIsFoundByItsId) {
  Fill();
  const auto found = book_.Find("c5");
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->user_id, "ann");
  EXPECT_EQ((*found)->scheduled_for, At(kNow + kHour));
  EXPECT_FALSE(*book_.Find("c9"));
}

TEST_F(CallReads, S1_3_TheCallsOfAProviderComeNewestFirst) {
  Fill();
  EXPECT_EQ(Ids(book_.OfProvider("p1")->calls), (Names{"c7", "c5", "b1", "c3", "c1"}));
}

TEST_F(CallReads, S1_3_UpcomingAndCompletedGoBothWays) {
  Fill();
  const PageOptions oldest{.limit = {}, .cursor = {}, .descending = false};
  const PageOptions newest{.limit = {}, .cursor = {}, .descending = true};
  const auto read = [&](Timeline which, const PageOptions& options) {
    return Ids(book_.ReadTimeline("ann", which, options)->calls);
  };
  EXPECT_EQ(read(Timeline::kUpcoming, {}), (Names{"c4", "c5", "c6", "c7"}));
  EXPECT_EQ(read(Timeline::kUpcoming, newest), (Names{"c7", "c6", "c5", "c4"}));
  EXPECT_EQ(read(Timeline::kCompleted, {}), (Names{"c3", "c2", "c1"}));
  EXPECT_EQ(read(Timeline::kCompleted, oldest), (Names{"c1", "c2", "c3"}));
}

TEST_F(CallReads, S1_3_CursorsGoThroughEveryTimelineWithoutLossOrRepetition) {
  Fill();
  const auto timeline = [&](Timeline which) {
    return Pages(
        [&](const PageOptions& options) { return book_.ReadTimeline("ann", which, options); });
  };
  EXPECT_EQ(timeline(Timeline::kAll).first, (Names{"c1", "c2", "c3", "c4", "c5", "c6", "c7"}));
  EXPECT_EQ(timeline(Timeline::kUpcoming).first, (Names{"c4", "c5", "c6", "c7"}));
  EXPECT_EQ(timeline(Timeline::kCompleted).first, (Names{"c3", "c2", "c1"}));
  const auto provider =
      Pages([&](const PageOptions& options) { return book_.OfProvider("p1", options); });
  EXPECT_EQ(provider.first, (Names{"c7", "c5", "b1", "c3", "c1"}));
  EXPECT_GE(provider.second, 3);
}

TEST_F(CallReads, S1_3_ACursorOfAnotherQuestionIsRefused) {
  Fill();
  const PageOptions two{.limit = 2, .cursor = {}, .descending = {}};
  const std::string cursor = book_.ReadTimeline("ann", Timeline::kAll, two)->cursor;
  ASSERT_FALSE(cursor.empty());
  const PageOptions resumed{.limit = 2, .cursor = cursor, .descending = {}};
  EXPECT_FALSE(book_.ReadTimeline("ben", Timeline::kAll, resumed));
  EXPECT_FALSE(book_.OfProvider("p1", resumed));
}

TEST_F(CallReads, S1_4_NextIsTheFirstScheduledCallFromNowOn) {
  Fill();
  EXPECT_EQ((*book_.Next("ann", At(kNow)))->call_id, "c4");  // at this very millisecond
  EXPECT_EQ((*book_.Next("ann", At(kNow + 1)))->call_id, "c5");
  EXPECT_EQ((*book_.Next("ann", At(0)))->call_id, "c4");  // earlier ones are completed
  EXPECT_FALSE(*book_.Next("ann", At(kNow + 4 * kHour)));
  const double before = world_.entities().used().read;
  ASSERT_TRUE(book_.Next("ann", At(kNow)));
  EXPECT_EQ(world_.entities().used().read - before, 0.5);  // Limit 1
}

class NextByHand : public CallReads {
 protected:
  Result<QueryResponse> Next(const AttributeValue& now) {
    return world_.endpoint().Query(
        {.table_name = "Calls",
         .index_name = "byUserStatus",
         .limit = 1,
         .scan_index_forward = true,
         .key_condition_expression = "userStatus = :u AND sk >= :now",
         .expression_attribute_values = ValueMap{{":u", "ann#SCHEDULED"}, {":now", now}}});
  }
};

TEST_F(NextByHand, S1_4_NowAsANumberIsATypeError) {
  Schedule("past", "ann", kNow - kHour);
  const auto refused = Next(AttributeValue(kNow));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kValidation);
  EXPECT_NE(refused.error().message().find("Condition parameter type does not match schema type"),
            std::string::npos)
      << refused.error().message();
}

TEST_F(NextByHand, S1_4_NowInSecondsReturnsThePast) {
  Schedule("past", "ann", kNow - kHour);
  Schedule("future", "ann", kNow + kHour);
  const auto first = [](const Result<QueryResponse>& page) {
    return testing::Text(Item::FromView((*page->items)[0]), "callId");
  };
  EXPECT_EQ(first(Next(AttributeValue("1772265600"))), "future");  // by luck: the same digits
  EXPECT_EQ(first(Next(AttributeValue("0001772265600"))), "past");
  EXPECT_EQ(first(Next(AttributeValue("1772265600000"))), "future");
  // The book takes a point of time, which has no unit to get wrong.
  EXPECT_EQ((*book_.Next("ann", At(kNow)))->call_id, "future");
}

TEST_F(CallReads, S1_5_LastCompletedGoesByScheduledTime) {
  Schedule("early", "ann", kNow - 2 * kHour);
  Schedule("late", "ann", kNow - kHour);
  ASSERT_TRUE(book_.Complete("late"));
  world_.clock().Advance(std::chrono::hours(1));
  ASSERT_TRUE(book_.Complete("early"));
  const auto last = book_.Last("ann");
  ASSERT_TRUE(last && *last);
  EXPECT_EQ((*last)->call_id, "late");
  EXPECT_LT((*last)->completed_at, (*book_.Find("early"))->completed_at);
}

TEST_F(CallReads, S1_19_AStrongReadOfAnIndexIsAnError) {
  Fill();
  for (const char* index : {"byCallId", "byProvider", "byUserStatus"}) {
    const std::string key = index == std::string("byCallId")     ? "callId"
                            : index == std::string("byProvider") ? "providerId"
                                                                 : "userStatus";
    const auto refused =
        world_.endpoint().Query({.table_name = "Calls",
                                 .index_name = index,
                                 .consistent_read = true,
                                 .key_condition_expression = key + " = :v",
                                 .expression_attribute_values = ValueMap{{":v", "x"}}});
    ASSERT_FALSE(refused) << index;
    EXPECT_EQ(refused.error().message(),
              "Consistent reads are not supported on global secondary indexes");
  }
}

}  // namespace reads_test
}  // namespace stator::systems::calls
