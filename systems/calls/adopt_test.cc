// Items that the design's own PutItem wrote: without a version, and without a sentinel.
#include <gtest/gtest.h>

#include "stator/live.h"
#include "tests/systems/calls_fixture.h"
#include "tests/systems/failing_endpoint.h"

namespace stator::systems::calls {
namespace adopt_test {

using testing::At;
using testing::CallsWorld;
using testing::kNow;
using testing::Text;

class SeedItems : public CallsWorld {
 protected:
  // As section 4 of the design creates them.
  void Put(const std::string& call, const std::string& user, std::int64_t at = kNow) {
    const auto put = world_.endpoint().PutItem(
        {.table_name = "Calls",
         .item = Item{{"userId", user},
                      {"sk", *SortKey(At(at), call)},
                      {"callId", call},
                      {"providerId", "p1"},
                      {"status", "SCHEDULED"},
                      {"scheduledFor", at},
                      {"userStatus", UserStatus(user, "SCHEDULED")}},
         .condition_expression = "attribute_not_exists(userId) AND attribute_not_exists(sk)"});
    ASSERT_TRUE(put) << put.error().message();
  }

  AuditModelReport AuditAndFix() {
    const auto report =
        AuditModel(world_.endpoint(), world_.model(), {.fix = true, .clock = &world_.clock()});
    EXPECT_TRUE(report) << (report ? "" : report.error().message());
    return report.value_or(AuditModelReport());
  }
};

TEST_F(SeedItems, S1_11_CanBeChangedAtOnceInEveryWay) {
  using Change = std::function<EntityResult<Call>(const ExpectedVersion&)>;
  const Change changes[] = {
      [&](const auto& version) { return book_.Complete("c1", version); },
      [&](const auto& version) { return book_.Reschedule("c1", At(kNow + 5), version); },
      [&](const auto& version) { return book_.Reassign("c1", "ben", version); },
      [&](const auto& version) { return book_.ChangeProvider("c1", "p2", version); },
  };
  for (const Change& change : changes) {
    for (const ExpectedVersion& expected : {ExpectedVersion(), ExpectedVersion(0)}) {
      Put("c1", "ann");
      EXPECT_EQ((*book_.Find("c1"))->version, 0);
      const auto changed = change(expected);
      ASSERT_TRUE(changed) << changed.error().message;
      EXPECT_EQ(changed->version, 1);
      // Now it has one, and 0 is stale.
      const auto stale = book_.ChangeProvider("c1", "p3", 0);
      ASSERT_FALSE(stale);
      EXPECT_EQ(stale.error().message, "Call has version 1, expected 0");
      ASSERT_TRUE(book_.Cancel("c1", 1));
    }
  }
  Put("c1", "ann");
  EXPECT_EQ(book_.ChangeProvider("c1", "p2", 1).error().message, "Call has version 0, expected 1");
  EXPECT_TRUE(book_.Cancel("c1", 0));
  EXPECT_EQ(Rows(), 0);
}

TEST_F(SeedItems, S1_6_GetTheirVersionsAndSentinelsInBulk) {
  Schedule("ours", "ann", kNow);
  for (int i = 0; i < 30; ++i) Put("c" + std::to_string(i), "ann", kNow + i);
  EXPECT_FALSE(Audit().empty());
  const AuditModelReport report = AuditAndFix();
  EXPECT_TRUE(report.clean()) << report.flaws.front();
  EXPECT_EQ(report.mended, 60);
  EXPECT_TRUE(Audit().empty());
  EXPECT_EQ(AuditAndFix().mended, 0);
  EXPECT_EQ((*book_.Find("c7"))->version, 1);
  EXPECT_EQ((*book_.Find("ours"))->version, 1);
  const auto again = book_.Schedule(
      {.call_id = "c7", .user_id = "ben", .provider_id = "p1", .scheduled_for = At(kNow + 99)});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().kind, EntityErrorKind::kNotUnique);
}

TEST_F(SeedItems, S1_6_AnIdThatTwoItemsClaimIsReportedAndLeftToPeople) {
  Put("c1", "ann");
  Put("c1", "ben", kNow + 1);
  Put("c2", "ann");
  const AuditModelReport report = AuditAndFix();
  ASSERT_EQ(report.flaws.size(), 2U);
  EXPECT_NE(report.flaws[0].find("nothing holds"), std::string::npos) << report.flaws[0];
  EXPECT_NE(report.flaws[1].find("unique value claimed twice: Call, 1 items"), std::string::npos)
      << report.flaws[1];
  for (const char* part : {"\"ann\"", "\"ben\"", "UNIQUE#Call#callId#c1"}) {
    EXPECT_NE(report.flaws[1].find(part), std::string::npos) << report.flaws[1];
  }
  EXPECT_FALSE(Stored("UNIQUE#Call#callId#c1", "UNIQUE#Call#callId#c1"));
  EXPECT_TRUE(Stored("UNIQUE#Call#callId#c2", "UNIQUE#Call#callId#c2"));
  // One of the two goes, and the id is kept unique.
  ASSERT_TRUE(world_.endpoint().DeleteItem(
      {.table_name = "Calls",
       .key = Item{{"userId", "ben"}, {"sk", *SortKey(At(kNow + 1), "c1")}}}));
  const auto audit =
      AuditCalls(world_.endpoint(), world_.model(), {.clock = &world_.clock(), .fix = true});
  ASSERT_TRUE(audit) << audit.error().message();
  EXPECT_TRUE(audit->clean());
  EXPECT_EQ(audit->mended, 1);
}

TEST_F(SeedItems, AnEmptyProviderIsRefusedAsEveryOtherEmptyValue) {
  const auto empty = book_.Schedule(
      {.call_id = "c1", .user_id = "ann", .provider_id = "", .scheduled_for = At(kNow)});
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().kind, EntityErrorKind::kInvalid);
  EXPECT_EQ(empty.error().message, "Call.providerId is empty: it is a key of byProvider");
  for (const auto& [call, user] : {std::pair("", "ann"), std::pair("c1", "")}) {
    const auto refused = book_.Schedule(
        {.call_id = call, .user_id = user, .provider_id = "p1", .scheduled_for = At(kNow)});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, EntityErrorKind::kInvalid) << refused.error().message;
  }
  Schedule("c1", "ann", kNow);
  EXPECT_EQ(book_.ChangeProvider("c1", "").error().kind, EntityErrorKind::kInvalid);
  EXPECT_EQ(book_.Reassign("c1", "").error().kind, EntityErrorKind::kInvalid);
  EXPECT_EQ(Rows(), 2);
}

// Cancels every transaction, for the reasons that a test gives.
class CancellingEndpoint final : public testing::ForwardingEndpoint {
 public:
  CancellingEndpoint(Endpoint& behind, std::vector<CancellationReason> reasons)
      : ForwardingEndpoint(behind), reasons_(std::move(reasons)) {}
  Result<TransactWriteItemsResponse> TransactWriteItems(const TransactWriteItemsRequest&) override {
    return std::unexpected(Error::TransactionCanceled(reasons_));
  }

 private:
  std::vector<CancellationReason> reasons_;
};

TEST_F(SeedItems, ACancelledTransactionIsToldInWords) {
  const CancellationReason none;
  const std::pair<std::vector<CancellationReason>, std::string> cases[] = {
      {{none, {.code = "TransactionConflict", .message = "Transaction is ongoing for the item"}},
       "nothing was written: others are writing the same items; try again"},
      {{{.code = "ValidationError", .message = "Item size has exceeded 400 KB"}, none},
       "nothing was written: Item size has exceeded 400 KB"},
      {{{.code = "ThrottlingError", .message = "Throughput exceeds"},
        {.code = "ThrottlingError", .message = "Throughput exceeds"}},
       "nothing was written: Throughput exceeds"},
      {{{.code = "ProvisionedThroughputExceeded"}, none},
       "nothing was written: ProvisionedThroughputExceeded"},
      {{none, none}, "nothing was written, and the store does not say why; try again"},
  };
  Schedule("c1", "ann", kNow);
  for (const auto& [reasons, words] : cases) {
    CancellingEndpoint endpoint(world_.endpoint(), reasons);
    Entities entities(endpoint, world_.model(), {.clock = &world_.clock(), .conflict_retries = 0});
    CallBook book(entities);
    const std::vector<EntityResult<Call>> results = {
        book.Schedule(
            {.call_id = "c2", .user_id = "a", .provider_id = "p", .scheduled_for = At(kNow)}),
        book.Reschedule("c1", At(kNow + 5), 1), book.Cancel("c1", 1)};
    for (const auto& result : results) {
      ASSERT_FALSE(result);
      EXPECT_EQ(result.error().message.find("Transaction"), std::string::npos)
          << result.error().message;
    }
    EXPECT_EQ(results[0].error().message, words);
  }
}

}  // namespace adopt_test
}  // namespace stator::systems::calls
