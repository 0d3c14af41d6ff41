#include <gtest/gtest.h>

#include "tests/systems/calls_fixture.h"

namespace stator::systems::calls {
namespace writes_test {

using testing::At;
using testing::CallsWorld;
using testing::Ids;
using testing::kNow;
using testing::Text;

using CallWrites = CallsWorld;

TEST_F(CallWrites, S1_1_AStoredCallHasTheAttributesAndKeysOfTheDesign) {
  Schedule("c1", "ann", kNow, "p1");
  const auto item = Stored("ann", "1772265600000#c1");
  ASSERT_TRUE(item);
  EXPECT_EQ(Text(*item, "callId"), "c1");
  EXPECT_EQ(Text(*item, "providerId"), "p1");
  EXPECT_EQ(Text(*item, "status"), "SCHEDULED");
  EXPECT_EQ(item->Find("scheduledFor")->type(), Type::kN);
  EXPECT_EQ(Text(*item, "scheduledFor"), "1772265600000");
  EXPECT_EQ(Text(*item, "userStatus"), "ann#SCHEDULED");
}

TEST_F(CallWrites, S1_6_OneAttributeInTheConditionIsEnough) {
  const auto put = [&](const std::string& condition) {
    return world_.endpoint().PutItem({.table_name = "Calls",
                                      .item = Item{{"userId", "ann"}, {"sk", "x"}},
                                      .condition_expression = condition});
  };
  ASSERT_TRUE(put("attribute_not_exists(userId)"));
  for (const char* condition : {"attribute_not_exists(userId)",
                                "attribute_not_exists(userId) AND attribute_not_exists(sk)"}) {
    const auto again = put(condition);
    ASSERT_FALSE(again) << condition;
    EXPECT_EQ(again.error().code(), ErrorCode::kConditionalCheckFailed);
  }
}

TEST_F(CallWrites, S1_6_TheConditionAloneLetsOneIdInTwice) {
  for (const char* sk : {"1772265600000#c1", "1772269200000#c1"}) {
    const auto put = world_.endpoint().PutItem(
        {.table_name = "Calls",
         .item = Item{{"userId", "ann"}, {"sk", sk}, {"callId", "c1"}},
         .condition_expression = "attribute_not_exists(userId) AND attribute_not_exists(sk)"});
    ASSERT_TRUE(put) << put.error().message();
  }
  const auto found =
      world_.endpoint().Query({.table_name = "Calls",
                               .index_name = "byCallId",
                               .key_condition_expression = "callId = :c",
                               .expression_attribute_values = ValueMap{{":c", "c1"}}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->count, 2);
}

TEST_F(CallWrites, S1_6_ASentinelInTheSameTransactionMakesTheIdUnique) {
  Schedule("c1", "ann", kNow);
  EXPECT_TRUE(Stored("UNIQUE#Call#callId#c1", "UNIQUE#Call#callId#c1"));
  for (const char* user : {"ann", "ben"}) {
    const auto again = book_.Schedule({.call_id = "c1",
                                       .user_id = user,
                                       .provider_id = "p2",
                                       .scheduled_for = At(kNow + 3'600'000)});
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().kind, EntityErrorKind::kNotUnique);
  }
  EXPECT_EQ(Rows("byCallId"), 1);
  ASSERT_TRUE(book_.Reschedule("c1", At(kNow + 5)));
  EXPECT_EQ(Rows(), 2);  // the call and its sentinel, which stays where it is
  ASSERT_TRUE(book_.Cancel("c1"));
  EXPECT_EQ(Rows(), 0);
  Schedule("c1", "ben", kNow);
}

TEST_F(CallWrites, S1_7_StatusAndUserStatusChangeInOneConditionalUpdate) {
  Schedule("c1", "ann", kNow);
  world_.clock().Advance(std::chrono::minutes(40));
  const auto before = world_.entities().used().requests;
  const auto done = book_.Complete("c1");
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(world_.entities().used().requests - before, 2U);  // the lookup and one update
  EXPECT_EQ(done->completed_at, At(kNow + 2'400'000));
  const auto item = Stored("ann", "1772265600000#c1");
  EXPECT_EQ(Text(*item, "status"), "COMPLETED");
  EXPECT_EQ(Text(*item, "userStatus"), "ann#COMPLETED");
  const auto again = book_.Complete("c1");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().kind, EntityErrorKind::kConflict);
}

TEST_F(CallWrites, S1_7_StatusWithoutAnAliasIsAReservedWord) {
  const auto refused = world_.endpoint().UpdateItem(
      {.table_name = "Calls",
       .key = Item{{"userId", "ann"}, {"sk", "x"}},
       .update_expression = "SET status = :s, userStatus = :u",
       .expression_attribute_values = ValueMap{{":s", "COMPLETED"}, {":u", "ann#COMPLETED"}}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kValidation);
  EXPECT_NE(refused.error().message().find("reserved keyword: status"), std::string::npos)
      << refused.error().message();
}

TEST_F(CallWrites, S1_7_OneOfTheTwoAloneIsRefused) {
  const Call call = Schedule("c1", "ann", kNow);
  for (const char* name : {"status", "userStatus"}) {
    const auto changed =
        world_.entities().Update("Call", KeyOf(call), {.set = {{name, "COMPLETED"}}});
    ASSERT_FALSE(changed) << name;
    EXPECT_EQ(changed.error().kind, EntityErrorKind::kInvalid);
  }
  EXPECT_EQ(Text(*Stored("ann", "1772265600000#c1"), "status"), "SCHEDULED");
}

TEST_F(CallWrites, S1_8_AnUpdateOfTheSortKeyIsRefused) {
  const Call call = Schedule("c1", "ann", kNow);
  const auto raw = world_.endpoint().UpdateItem(
      {.table_name = "Calls",
       .key = Item{{"userId", "ann"}, {"sk", "1772265600000#c1"}},
       .update_expression = "SET sk = :s",
       .expression_attribute_values = ValueMap{{":s", "1772269200000#c1"}}});
  ASSERT_FALSE(raw);
  EXPECT_NE(
      raw.error().message().find("Cannot update attribute sk. This attribute is part of the key"),
      std::string::npos)
      << raw.error().message();
  const auto by_entity =
      world_.entities().Update("Call", KeyOf(call), {.set = {{"scheduledFor", kNow + 1}}});
  ASSERT_FALSE(by_entity);
  EXPECT_NE(by_entity.error().message.find("use Rekey"), std::string::npos);
}

TEST_F(CallWrites, S1_8_ReschedulingPutsTheNewItemAndDeletesTheOld) {
  Schedule("c1", "ann", kNow);
  const auto moved = book_.Reschedule("c1", At(kNow + 3'600'000));
  ASSERT_TRUE(moved) << moved.error().message;
  EXPECT_FALSE(Stored("ann", "1772265600000#c1"));
  EXPECT_TRUE(Stored("ann", "1772269200000#c1"));
  EXPECT_EQ(Rows("byUserStatus"), 1);
  EXPECT_TRUE(Audit().empty());
}

TEST_F(CallWrites, S1_8_ATakenPlaceLeavesEverythingAsItWas) {
  Schedule("c1", "ann", kNow);
  ASSERT_TRUE(world_.endpoint().PutItem(
      {.table_name = "Calls", .item = Item{{"userId", "ann"}, {"sk", "1772269200000#c1"}}}));
  const auto moved = book_.Reschedule("c1", At(kNow + 3'600'000), 1);
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().kind, EntityErrorKind::kExists);
  EXPECT_TRUE(Stored("ann", "1772265600000#c1"));
  EXPECT_FALSE(Stored("ann", "1772269200000#c1")->Find("callId"));
}

TEST_F(CallWrites, S1_8_ACompletedCallIsNotRescheduled) {
  Schedule("c1", "ann", kNow);
  ASSERT_TRUE(book_.Complete("c1"));
  const auto moved = book_.Reschedule("c1", At(kNow + 1));
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().kind, EntityErrorKind::kConflict);
}

TEST_F(CallWrites, S1_9_ReassigningRecomputesUserStatusInBothStates) {
  Schedule("c1", "ann", kNow);
  Schedule("c2", "ann", kNow + 1);
  ASSERT_TRUE(book_.Complete("c2"));
  ASSERT_TRUE(book_.Reassign("c1", "ben"));
  ASSERT_TRUE(book_.Reassign("c2", "ben"));
  EXPECT_EQ(Text(*Stored("ben", "1772265600000#c1"), "userStatus"), "ben#SCHEDULED");
  EXPECT_EQ(Text(*Stored("ben", "1772265600001#c2"), "userStatus"), "ben#COMPLETED");
  EXPECT_FALSE(Stored("ann", "1772265600000#c1"));
  EXPECT_EQ((*book_.Next("ben", At(kNow)))->call_id, "c1");
  EXPECT_FALSE(*book_.Next("ann", At(kNow)));
  EXPECT_TRUE(Audit().empty());
}

TEST_F(CallWrites, S1_10_AProviderChangeIsOneUpdateThatMovesTheIndexEntry) {
  Schedule("c1", "ann", kNow, "p1");
  const auto before = world_.entities().used().requests;
  const auto changed = book_.ChangeProvider("c1", "p2");
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(world_.entities().used().requests - before, 2U);  // the lookup and one update
  EXPECT_TRUE(book_.OfProvider("p1")->calls.empty());
  EXPECT_EQ(Ids(book_.OfProvider("p2")->calls), std::vector<std::string>{"c1"});
}

TEST_F(CallWrites, S1_11_AStaleWriterGetsAConflict) {
  Schedule("c1", "ann", kNow);
  ASSERT_TRUE(book_.ChangeProvider("c1", "p2", 1));
  const std::vector<EntityResult<Call>> stale = {
      book_.ChangeProvider("c1", "p3", 1), book_.Reschedule("c1", At(kNow + 9), 1),
      book_.Reassign("c1", "ben", 1), book_.Complete("c1", 1), book_.Cancel("c1", 1)};
  for (const auto& result : stale) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, EntityErrorKind::kConflict);
    EXPECT_EQ(result.error().message, "Call has version 2, expected 1");
  }
  // Also when the call has another key by now.
  ASSERT_TRUE(book_.Reschedule("c1", At(kNow + 1), 2));
  EXPECT_EQ(book_.Reschedule("c1", At(kNow + 2), 2).error().message,
            "Call has version 3, expected 2");
}

TEST_F(CallWrites, S1_13_TimesAndUsersThatBreakTheKeysAreRefused) {
  const auto schedule = [&](const std::string& user, std::int64_t at) {
    return book_.Schedule(
        {.call_id = "c1", .user_id = user, .provider_id = "p1", .scheduled_for = At(at)});
  };
  for (const auto& refused : {schedule("ann", -1), schedule("ann", 10'000'000'000'000),
                              schedule("a#nn", kNow), schedule("ann", kNow / 1000)}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, EntityErrorKind::kInvalid);
  }
  EXPECT_EQ(Rows(), 0);
  EXPECT_TRUE(schedule("ann", 9'999'999'999'999));
  EXPECT_FALSE(book_.Reassign("c1", "b#n"));
  EXPECT_FALSE(book_.Reschedule("c1", At(-1)));
  EXPECT_TRUE(Audit().empty());
}

}  // namespace writes_test
}  // namespace stator::systems::calls
