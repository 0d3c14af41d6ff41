#include "engine/write/transaction.h"

#include <gtest/gtest.h>

#include <future>

#include "engine/catalog/row_key.h"
#include "engine/engine.h"
#include "engine/testing/held_store.h"
#include "engine/write/transaction_token.h"

namespace stator {
namespace transaction_test {

using Answer = std::future<Result<TransactionOutcome>>;

class TransactionTest : public ::testing::Test {
 protected:
  TransactionTest() { Open(); }
  ~TransactionTest() override { held_.LetGo(); }

  void Open(bool strict = false) {
    engine_.reset();
    Result<std::unique_ptr<Engine>> opened = Engine::Open(
        held_.MakeStore(),
        {.region = "eu-west-1", .account = "1", .clock = &clock_, .strict_conflicts = strict});
    ASSERT_TRUE(opened) << opened.error().message();
    engine_ = *std::move(opened);
    if (engine_->catalog().Find("T")) return;
    Table table;
    table.name = "T";
    table.keys.hash = {{"pk", ScalarType::kS}};
    table.attribute_definitions = {{"pk", ScalarType::kS}, {"state", ScalarType::kS}};
    Index index{.number = table.next_index_number++, .name = "byState", .global = true};
    index.keys.hash = {{"state", ScalarType::kS}};
    CompleteIndex(table.keys, index);
    table.indexes.push_back(std::move(index));
    ASSERT_TRUE(engine_->catalog().Add(std::move(table)));
  }
  TablePtr Current() { return engine_->catalog().Find("T"); }

  TransactionAction Action(ItemWrite::Kind kind, Item item) {
    TransactionAction action;
    action.write.kind = kind;
    action.write.table = Current();
    action.write.item = std::move(item);
    action.write.want_units = true;
    return action;
  }
  TransactionAction Put(std::string_view pk, int n = 0) {
    return Action(ItemWrite::Kind::kPut, Item{{"pk", pk}, {"n", n}});
  }
  TransactionAction PutNew(std::string_view pk) {
    TransactionAction action = Put(pk);
    Placeholders none(nullptr, nullptr, Wording::kClassic);
    action.write.condition =
        Condition::Parse("attribute_not_exists(pk)", ExpressionKind::kCondition, none).value();
    return action;
  }
  // Adds one to n.
  TransactionAction Increment(std::string_view pk) {
    TransactionAction action = Action(ItemWrite::Kind::kUpdate, Item{{"pk", pk}});
    const ValueMap values{{":one", 1}};
    Placeholders placeholders(nullptr, &values, Wording::kClassic);
    action.write.update = Update::Parse("ADD n :one", placeholders).value();
    return action;
  }

  Answer Start(std::vector<TransactionAction> actions,
               std::optional<TransactionToken> token = std::nullopt) {
    std::promise<Result<TransactionOutcome>> promise;
    Answer answer = promise.get_future();
    engine_->Transact({.actions = std::move(actions), .token = std::move(token)},
                      [promise = std::move(promise)](Result<TransactionOutcome> outcome) mutable {
                        promise.set_value(std::move(outcome));
                      });
    return answer;
  }
  Result<TransactionOutcome> Run(std::vector<TransactionAction> actions,
                                 std::optional<TransactionToken> token = std::nullopt) {
    return Start(std::move(actions), std::move(token)).get();
  }
  template <class... Actions>
  static std::vector<TransactionAction> List(Actions... actions) {
    std::vector<TransactionAction> list;
    (list.push_back(std::move(actions)), ...);
    return list;
  }

  std::optional<std::int64_t> N(std::string_view pk) {
    const auto item = engine_->ReadItem(*Current(), Item{{"pk", pk}}.view()).value();
    return item ? item->Find("n")->AsInt64() : std::nullopt;
  }
  std::size_t TokenRows() {
    std::size_t rows = 0;
    EXPECT_TRUE(held_.rows().Scan({std::string(1, kTokenSpace), std::string(1, kTokenSpace + 1)},
                                  Direction::kForward, [&](std::string_view, std::string_view) {
                                    ++rows;
                                    return true;
                                  }));
    return rows;
  }

  HeldRows held_;
  ManualClock clock_{TimeMs(std::chrono::hours(1000))};
  std::unique_ptr<Engine> engine_;
};

std::vector<std::string> Codes(const Result<TransactionOutcome>& outcome) {
  std::vector<std::string> codes;
  if (outcome) return codes;
  for (const auto& reason : outcome.error().cancellation_reasons()) codes.push_back(reason.code);
  return codes;
}

TEST_F(TransactionTest, AllActionsHappenAndAreCounted) {
  ASSERT_TRUE(Run(List(Put("a", 1), Put("b", 2))));
  const Item gone{{"pk", "a"}};
  ASSERT_TRUE(Run(List(Increment("b"), Action(ItemWrite::Kind::kDelete, gone), Put("c"))));
  EXPECT_EQ(N("a"), std::nullopt);
  EXPECT_EQ(N("b"), 3);
  EXPECT_EQ(N("c"), 0);
  EXPECT_EQ(Current()->counts->items, 2);
}

TEST_F(TransactionTest, NothingHappensWhenOneActionFailsAndEachTellsItsReason) {
  ASSERT_TRUE(Run(List(Put("a", 1), Put("b", 2))));
  const auto outcome = Run(List(Put("a", 9), PutNew("b"), PutNew("c"), PutNew("a2")));
  EXPECT_EQ(Codes(outcome),
            (std::vector<std::string>{"None", "ConditionalCheckFailed", "None", "None"}));
  EXPECT_EQ(N("a"), 1);
  EXPECT_EQ(N("c"), std::nullopt);
}

TEST_F(TransactionTest, AnActionThatIsNotValidIsTheOnlyReason) {
  ASSERT_TRUE(Run(List(Put("a", 1))));
  TransactionAction refused;
  refused.refused = Error::Validation("wrong");
  const auto outcome = Run(List(PutNew("a"), Put("b"), std::move(refused), PutNew("a")));
  EXPECT_EQ(Codes(outcome), (std::vector<std::string>{"None", "None", "ValidationError", "None"}));
  EXPECT_EQ(outcome.error().cancellation_reasons()[2].message, "wrong");
  EXPECT_EQ(N("b"), std::nullopt);
}

TEST_F(TransactionTest, AnInsertOfAnItemThatIsThereIsCalledDuplicateItem) {
  ASSERT_TRUE(Run(List(Put("a"))));
  TransactionAction insert = PutNew("a");
  insert.is_insert = true;
  EXPECT_EQ(Codes(Run(List(std::move(insert)))), std::vector<std::string>{"DuplicateItem"});
}

TEST_F(TransactionTest, ATableThatIsGoneIsTheErrorOfTheWhole) {
  auto actions = List(Put("a"));
  ASSERT_TRUE(engine_->catalog().Drop(Current()->number));
  EXPECT_EQ(Run(std::move(actions)).error().code(), ErrorCode::kResourceNotFound);
}

TEST_F(TransactionTest, UnitsAreDoubledOnTheTableAndNotOnIndexes) {
  const Item indexed{{"pk", "a"}, {"state", "OPEN"}};
  const auto outcome = Run(List(Action(ItemWrite::Kind::kPut, indexed),
                                Action(ItemWrite::Kind::kCheck, Item{{"pk", "b"}})));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->units[0].table, 2);
  EXPECT_EQ(outcome->units[0].global_indexes.at(0).second, 1);
  EXPECT_EQ(outcome->units[1].table, 2);
}

TEST_F(TransactionTest, ItemsOfMoreThanFourMegabytesTogetherAreRefused) {
  std::vector<TransactionAction> actions;
  for (int i = 0; i < 11; ++i) {
    actions.push_back(Action(ItemWrite::Kind::kPut,
                             Item{{"pk", std::to_string(i)}, {"v", std::string(400'000, 'x')}}));
  }
  EXPECT_EQ(Run(std::move(actions)).error().code(), ErrorCode::kValidation);
  EXPECT_EQ(Current()->counts->items, 0);
}

TEST_F(TransactionTest, ATokenMakesItHappenOnceAlsoAcrossARestart) {
  const TransactionToken token{.token = "t", .request = "r"};
  ASSERT_TRUE(Run(List(Increment("a")), token));
  for (const bool reopened : {false, true}) {
    if (reopened) Open();
    const auto again = Run(List(Increment("a")), token);
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->is_replay);
    EXPECT_EQ(again->units.at(0).table, 2);
  }
  EXPECT_EQ(N("a"), 1);
  const TransactionToken other{.token = "t", .request = "other"};
  EXPECT_EQ(Run(List(Increment("a")), other).error().code(),
            ErrorCode::kIdempotentParameterMismatch);
}

TEST_F(TransactionTest, EqualTransactionsThatRunTogetherHappenOnce) {
  const TransactionToken token{.token = "t", .request = "r"};
  held_.Hold();
  Answer first = Start(List(Increment("a")), token);
  Answer second = Start(List(Increment("a")), token);
  held_.LetGo();
  EXPECT_FALSE(first.get().value().is_replay);
  EXPECT_TRUE(second.get().value().is_replay);
  EXPECT_EQ(N("a"), 1);
}

TEST_F(TransactionTest, ACancelledTransactionLeavesItsTokenFree) {
  const TransactionToken token{.token = "t", .request = "r"};
  ASSERT_TRUE(Run(List(Put("a"))));
  ASSERT_FALSE(Run(List(PutNew("a")), token));
  EXPECT_EQ(TokenRows(), 0U);
  ASSERT_TRUE(Run(List(Action(ItemWrite::Kind::kDelete, Item{{"pk", "a"}}))));
  const auto again = Run(List(PutNew("a")), token);
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->is_replay);
}

TEST_F(TransactionTest, ATokenIsForgottenAfterTenMinutes) {
  const TransactionToken token{.token = "t", .request = "r"};
  ASSERT_TRUE(Run(List(Increment("a")), token));
  clock_.Advance(std::chrono::minutes(10) - std::chrono::milliseconds(1));
  EXPECT_TRUE(Run(List(Increment("a")), token).value().is_replay);
  clock_.Advance(std::chrono::milliseconds(1));
  const TransactionToken other{.token = "t", .request = "other"};
  EXPECT_FALSE(Run(List(Increment("a")), other).value().is_replay);
  EXPECT_EQ(N("a"), 2);
  EXPECT_EQ(TokenRows(), 2U);
  clock_.Advance(std::chrono::minutes(10));
  engine_->background().WakeDuties();
  engine_->background().WaitUntilIdle();
  EXPECT_EQ(TokenRows(), 0U);
}

TEST_F(TransactionTest, WithoutStrictConflictsTransactionsWaitForEachOther) {
  held_.Hold();
  Answer first = Start(List(Increment("a"), Increment("b")));
  Answer second = Start(List(Increment("b"), Increment("c")));
  EXPECT_FALSE(engine_->IsInTransaction(*Current(), Item{{"pk", "a"}}.view()));
  held_.LetGo();
  EXPECT_TRUE(first.get());
  EXPECT_TRUE(second.get());
  EXPECT_EQ(N("b"), 2);
}

TEST_F(TransactionTest, StrictConflictsRefuseWhoMeetsARunningTransaction) {
  Open(/*strict=*/true);
  const TransactionToken token{.token = "t", .request = "r"};
  held_.Hold();
  Answer first = Start(List(Increment("a"), Increment("b")), token);
  EXPECT_EQ(Codes(Run(List(Increment("c"), Increment("b")))),
            (std::vector<std::string>{"None", "TransactionConflict"}));
  EXPECT_EQ(Run(List(Increment("c")), token).error().code(), ErrorCode::kTransactionInProgress);
  EXPECT_TRUE(engine_->IsInTransaction(*Current(), Item{{"pk", "a"}}.view()));
  EXPECT_FALSE(engine_->IsInTransaction(*Current(), Item{{"pk", "c"}}.view()));

  std::vector<ItemWrite> writes;
  writes.push_back(Put("a").write);
  std::promise<Result<std::vector<WriteOutcome>>> single;
  engine_->WriteItems(std::move(writes), [&](Result<std::vector<WriteOutcome>> outcomes) {
    single.set_value(std::move(outcomes));
  });
  EXPECT_EQ(single.get_future().get().error().code(), ErrorCode::kTransactionConflict);

  // Another item is free, and so are these two once the transaction is answered.
  Answer apart = Start(List(Increment("d")));
  held_.LetGo();
  EXPECT_TRUE(first.get());
  EXPECT_TRUE(apart.get());
  EXPECT_TRUE(Run(List(Increment("c"), Increment("b"))));
  EXPECT_EQ(N("b"), 2);
}

TEST_F(TransactionTest, ACancelledTransactionGivesItsItemsFreeAgain) {
  Open(/*strict=*/true);
  ASSERT_TRUE(Run(List(Put("a"))));
  ASSERT_FALSE(Run(List(PutNew("a"), Put("b"))));
  EXPECT_TRUE(Run(List(Put("a"), Put("b"))));
}

TEST(ItemClaims, AClaimedKeyIsRefusedUntilItIsReleased) {
  ItemClaims claims;
  std::vector<bool> taken;
  std::optional<ItemClaims::Claim> first = claims.TryClaim({"a", "b"}, taken);
  ASSERT_TRUE(first);
  EXPECT_TRUE(claims.IsClaimed("a"));
  EXPECT_FALSE(claims.TryClaim({"c", "b"}, taken));
  EXPECT_EQ(taken, (std::vector<bool>{false, true}));
  // A refused claim leaves nothing behind.
  EXPECT_FALSE(claims.IsClaimed("c"));
  first->Release();
  EXPECT_FALSE(claims.IsClaimed("a"));
  EXPECT_TRUE(claims.TryClaim({"c", "b"}, taken));
}

TEST(ItemClaims, AClaimThatMovesIsReleasedOnce) {
  ItemClaims claims;
  std::vector<bool> taken;
  {
    ItemClaims::Claim kept;
    {
      ItemClaims::Claim claim = *claims.TryClaim({"a"}, taken);
      kept = std::move(claim);
    }
    EXPECT_TRUE(claims.IsClaimed("a"));
  }
  EXPECT_FALSE(claims.IsClaimed("a"));
}

}  // namespace transaction_test
}  // namespace stator
