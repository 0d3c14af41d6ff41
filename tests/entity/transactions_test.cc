#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/entity/entity_fixture.h"

namespace stator::testing {
namespace transactions_test {

constexpr std::int64_t kAt = 1'772'265'600'000;

TEST(EntityTransaction, WritesAllOrNothing) {
  World world;
  ASSERT_TRUE(world.entities().Create("Call", Call("ann", "c1", kAt)));
  EntityTransaction both = world.entities().Begin();
  both.Create("Call", Call("ann", "c2", kAt + 1));
  both.Move("Call", Call("ann", "c1", kAt), "complete");
  const auto done = both.Commit();
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(world.Items("Calls").size(), 2U);

  EntityTransaction again = world.entities().Begin();
  again.Create("Call", Call("ann", "c3", kAt + 2));
  again.Move("Call", Call("ann", "c1", kAt), "complete");
  const auto refused = again.Commit();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, EntityErrorKind::kConflict);
  EXPECT_EQ(world.Items("Calls").size(), 2U);
  EXPECT_TRUE(world.Audit().empty());
}

TEST(EntityTransaction, IsOneRequestHoweverManyTablesItWritesTo) {
  World world(R"(
model: 1
tables:
  notes: {key: id str}
  pages: {key: id str}
entities:
  Note: {table: notes, attrs: {id: str 4}}
  Page: {table: pages, attrs: {id: str 4}}
)");
  const UsedUnits before = world.entities().used();
  EntityTransaction both = world.entities().Begin();
  both.Create("Note", Item{{"id", "n"}});
  both.Create("Page", Item{{"id", "p"}});
  ASSERT_TRUE(both.Commit());
  const UsedUnits after = world.entities().used();
  EXPECT_EQ(after.write - before.write, 4);
  EXPECT_EQ(after.requests - before.requests, 1U);
}

TEST(EntityTransaction, ReportsTheFirstMistakeAndSendsNothing) {
  World world;
  EntityTransaction wrong = world.entities().Begin();
  wrong.Create("Call", Call("ann", "c1", kAt));
  wrong.Create("Call", Call("a#n", "c2", kAt));
  const auto refused = wrong.Commit();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, EntityErrorKind::kInvalid);
  EXPECT_EQ(world.CountRows("Calls"), 0);
}

TEST(EntityTransaction, ChecksWithoutWriting) {
  World world;
  ASSERT_TRUE(world.entities().Create("Call", Call("ann", "c1", kAt)));
  EntityTransaction guarded = world.entities().Begin();
  guarded.Check("Call", Call("ann", "c1", kAt), {.only_if = "status = COMPLETED"});
  guarded.Create("Call", Call("bob", "c2", kAt));
  const auto refused = guarded.Commit();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "Call: `status = COMPLETED` does not hold");
}

TEST(EntityMove, OfManyRacersOneWins) {
  World world;
  ASSERT_TRUE(world.entities().Create("Call", Call("ann", "c1", kAt)));
  std::atomic<int> winners = 0;
  {
    std::vector<std::jthread> racers;
    for (int i = 0; i < 10; ++i) {
      racers.emplace_back([&] {
        if (world.entities().Move("Call", Call("ann", "c1", kAt), "complete")) ++winners;
      });
    }
  }
  EXPECT_EQ(winners, 1);
}

TEST(EntityRekey, OfManyWhoMoveAnItemToOnePlaceOneWinsAndNobodyIsToldOfAnother) {
  for (int round = 0; round < 20; ++round) {
    World world;
    ASSERT_TRUE(world.entities().Create("Call", Call("ann", "c1", kAt)));
    std::atomic<int> winners = 0;
    std::atomic<int> taken = 0;
    {
      std::vector<std::jthread> racers;
      for (int i = 0; i < 8; ++i) {
        racers.emplace_back([&] {
          const auto moved =
              world.entities().Rekey("Call", Call("ann", "c1", kAt), {.set = {{"userId", "bob"}}});
          if (moved) ++winners;
          if (!moved && moved.error().kind == EntityErrorKind::kExists) ++taken;
        });
      }
    }
    EXPECT_EQ(winners, 1);
    EXPECT_EQ(taken, 0);
  }
}

}  // namespace transactions_test
}  // namespace stator::testing
