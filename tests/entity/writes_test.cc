#include <gtest/gtest.h>

#include "tests/entity/entity_fixture.h"

namespace stator::testing {
namespace writes_test {

constexpr std::int64_t kAt = 1'772'265'600'000;
const Item kKey{{"userId", "ann"}, {"scheduledFor", kAt}, {"callId", "c1"}};

TEST(EntityCreate, DerivesEveryKeyAndStartsTheMachine) {
  World world;
  const auto item = world.entities().Create("Call", Call("ann", "c1", kAt));
  ASSERT_TRUE(item) << item.error().message;
  EXPECT_EQ(Text(*item, "sk"), "1772265600000#c1");
  EXPECT_EQ(Text(*item, "userStatus"), "ann#SCHEDULED");
  EXPECT_EQ(Text(*item, "version"), "1");
  EXPECT_EQ(Text(*item, "changedAt"), "1772265600000");
  EXPECT_FALSE(item->Find("openPk"));  // not urgent
  EXPECT_TRUE(world.Audit().empty());
}

TEST(EntityCreate, RefusesASecondItemWithTheSameKey) {
  World world;
  ASSERT_TRUE(world.entities().Create("Call", Call("ann", "c1", kAt)));
  const auto again = world.entities().Create("Call", Call("ann", "c1", kAt));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().kind, EntityErrorKind::kExists);
}

TEST(EntityCreate, KeepsUniqueValuesUniqueAcrossKeys) {
  World world;
  ASSERT_TRUE(world.entities().Create("Call", Call("ann", "c1", kAt)));
  const auto other = world.entities().Create("Call", Call("bob", "c1", kAt + 1));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind, EntityErrorKind::kNotUnique);
  EXPECT_EQ(world.Items("Calls").size(), 1U);
}

TEST(EntityCreate, RefusesWhatBreaksTheModel) {
  World world;
  const std::vector<std::pair<Item, std::string>> cases = {
      {Call("a#b", "c1", kAt), "contains '#'"},
      {Call("ann", "c1", kAt / 1000), "seconds, where the model has milliseconds"},
      {Call("ann", "c1", -5), "before 1970"},
      {Item{{"userId", "ann"}, {"callId", "c1"}}, "needs `scheduledFor`"},
      {Item{{"userId", 7}, {"callId", "c1"}, {"scheduledFor", kAt}}, "type N"},
      {Item{{"userId", "ann"}, {"callId", "c1"}, {"scheduledFor", kAt}, {"sk", "x"}}, "kept by"},
      {Item{{"userId", "ann"}, {"callId", "c1"}, {"scheduledFor", kAt}, {"colour", "red"}},
       "no attribute `colour`"},
      {Item{{"userId", "ann"}, {"callId", "c1"}, {"scheduledFor", kAt}, {"status", "COMPLETED"}},
       "cannot start as COMPLETED"},
  };
  for (const auto& [item, message] : cases) {
    const auto created = world.entities().Create("Call", item);
    ASSERT_FALSE(created) << message;
    EXPECT_EQ(created.error().kind, EntityErrorKind::kInvalid);
    EXPECT_NE(created.error().message.find(message), std::string::npos) << created.error().message;
  }
  EXPECT_EQ(world.CountRows("Calls"), 0);
}

TEST(EntityMove, SetsTheStateItsStampAndTheDerivedKeyTogether) {
  World world;
  ASSERT_TRUE(world.entities().Create("Call", Call("ann", "c1", kAt)));
  world.clock().Advance(std::chrono::hours(1));
  const auto done = world.entities().Move("Call", kKey, "complete");
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(Text(*done, "status"), "COMPLETED");
  EXPECT_EQ(Text(*done, "userStatus"), "ann#COMPLETED");
  EXPECT_EQ(Text(*done, "changedAt"), std::to_string(kAt + 3'600'000));
  EXPECT_EQ(Text(*done, "version"), "2");
  EXPECT_TRUE(world.Audit().empty());
}

TEST(EntityMove, IsRefusedFromAnotherState) {
  World world;
  ASSERT_TRUE(world.entities().Create("Call", Call("ann", "c1", kAt)));
  ASSERT_TRUE(world.entities().Move("Call", kKey, "complete"));
  const auto again = world.entities().Move("Call", kKey, "complete");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().kind, EntityErrorKind::kConflict);
  EXPECT_EQ(again.error().message, "Call is COMPLETED; complete starts from SCHEDULED");
}

TEST(EntityMove, NeedsToBeToldWhichEnd) {
  World world;
  ASSERT_TRUE(world.entities().Create("Call", Call("ann", "c1", kAt)));
  EXPECT_EQ(world.entities().Move("Call", kKey, "close").error().kind, EntityErrorKind::kInvalid);
  const auto missed = world.entities().Move("Call", kKey, "close", {}, "MISSED");
  ASSERT_TRUE(missed) << missed.error().message;
  EXPECT_EQ(Text(*missed, "status"), "MISSED");
}

TEST(EntityMove, OfAnItemThatIsGoneCreatesNothing) {
  World world;
  const auto moved = world.entities().Move("Call", kKey, "complete");
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().kind, EntityErrorKind::kMissing);
  EXPECT_EQ(world.CountRows("Calls"), 0);
}

TEST(EntityUpdate, PutsAnItemIntoItsSparseIndexAndTakesItOutAgain) {
  World world;
  ASSERT_TRUE(world.entities().Create("Call", Call("ann", "c1", kAt)));
  EXPECT_EQ(world.CountRows("Calls", "open"), 0);
  const auto urgent = world.entities().Update("Call", kKey, {.set = {{"urgent", true}}});
  ASSERT_TRUE(urgent) << urgent.error().message;
  EXPECT_TRUE(urgent->Find("openPk"));
  EXPECT_EQ(world.CountRows("Calls", "open"), 1);
  ASSERT_TRUE(world.entities().Move("Call", kKey, "complete"));
  EXPECT_EQ(world.CountRows("Calls", "open"), 0);
  EXPECT_TRUE(world.Audit().empty());
}

TEST(EntityUpdate, RefusesKeysAndStates) {
  World world;
  ASSERT_TRUE(world.entities().Create("Call", Call("ann", "c1", kAt)));
  const auto key = world.entities().Update("Call", kKey, {.set = {{"scheduledFor", kAt + 1}}});
  EXPECT_EQ(key.error().message, "Call.scheduledFor is part of the primary key: use Rekey");
  const auto state = world.entities().Update("Call", kKey, {.set = {{"status", "COMPLETED"}}});
  EXPECT_EQ(state.error().message, "Call.status is the state of a machine: use Move");
  const auto derived = world.entities().Update("Call", kKey, {.set = {{"userStatus", "x"}}});
  EXPECT_EQ(derived.error().message, "Call.userStatus is kept by the model and cannot be set");
}

TEST(EntityUpdate, ChecksTheVersionThatTheCallerHasSeen) {
  World world;
  ASSERT_TRUE(world.entities().Create("Call", Call("ann", "c1", kAt)));
  const WriteOptions first{.expected_version = 1};
  ASSERT_TRUE(world.entities().Update("Call", kKey, {.set = {{"providerId", "p1"}}}, first));
  const auto stale = world.entities().Update("Call", kKey, {.set = {{"providerId", "p2"}}}, first);
  ASSERT_FALSE(stale);
  EXPECT_EQ(stale.error().kind, EntityErrorKind::kConflict);
  EXPECT_EQ(stale.error().message, "Call has version 2, expected 1");
}

TEST(EntityUpdate, MovesTheSentinelWhenAUniqueValueChanges) {
  World world(R"(
model: 1
tables: {users: {key: pk str}}
entities:
  User:
    table: users
    keys: {pk: "USER#{name}"}
    attrs: {name: str 10, email: str 20}
    unique: [email]
    version: version
patterns: {}
)");
  Entities& users = world.entities();
  ASSERT_TRUE(users.Create("User", Item{{"name", "ann"}, {"email", "a@x"}}));
  ASSERT_TRUE(users.Create("User", Item{{"name", "bob"}, {"email", "b@x"}}));
  const auto taken = users.Update("User", Item{{"name", "bob"}}, {.set = {{"email", "a@x"}}});
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().kind, EntityErrorKind::kNotUnique);
  ASSERT_TRUE(users.Update("User", Item{{"name", "ann"}}, {.set = {{"email", "c@x"}}}));
  const auto moved = users.Update("User", Item{{"name", "bob"}}, {.set = {{"email", "a@x"}}});
  ASSERT_TRUE(moved) << moved.error().message;
  EXPECT_EQ(*moved, **users.Get("User", Item{{"name", "bob"}}));
  ASSERT_TRUE(users.Delete("User", Item{{"name", "ann"}}));
  ASSERT_TRUE(users.Create("User", Item{{"name", "eve"}, {"email", "c@x"}}));
  EXPECT_EQ(world.CountRows("users"), 4);  // two users, two sentinels
}

TEST(EntityUpdate, HoldsOnlyIfTheGivenConditionDoes) {
  World world;
  ASSERT_TRUE(world.entities().Create("Call", Call("ann", "c1", kAt)));
  WriteOptions options{.only_if = "providerId = $p", .parameters = {{"p", "p1"}}};
  const auto refused = world.entities().Update("Call", kKey, {.set = {{"urgent", true}}}, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, EntityErrorKind::kConflict);
  ASSERT_TRUE(world.entities().Update("Call", kKey, {.set = {{"providerId", "p1"}}}));
  EXPECT_TRUE(world.entities().Update("Call", kKey, {.set = {{"urgent", true}}}, options));
}

TEST(EntityRekey, MovesTheItemInOneTransaction) {
  World world;
  ASSERT_TRUE(world.entities().Create("Call", Call("ann", "c1", kAt)));
  const auto moved = world.entities().Rekey("Call", kKey, {.set = {{"scheduledFor", kAt + 5}}});
  ASSERT_TRUE(moved) << moved.error().message;
  EXPECT_EQ(Text(*moved, "sk"), "1772265600005#c1");
  EXPECT_EQ(Text(*moved, "version"), "2");
  ASSERT_EQ(world.Items("Calls").size(), 1U);
  EXPECT_TRUE(world.Audit().empty());
  // The unique value is still taken, by the same item.
  EXPECT_EQ(world.entities().Create("Call", Call("bob", "c1", kAt)).error().kind,
            EntityErrorKind::kNotUnique);
}

TEST(EntityRekey, RefusesAPlaceThatIsTaken) {
  World world;
  ASSERT_TRUE(world.entities().Create("Call", Call("ann", "c1", kAt)));
  const auto stays = world.entities().Rekey("Call", kKey, {.set = {{"providerId", "p"}}});
  EXPECT_EQ(stays.error().message, "the key of Call stays the same: use Update");
}

TEST(EntityDelete, ReturnsTheItemAndFreesItsUniqueValue) {
  World world;
  ASSERT_TRUE(world.entities().Create("Call", Call("ann", "c1", kAt)));
  const auto gone = world.entities().Delete("Call", kKey);
  ASSERT_TRUE(gone) << gone.error().message;
  EXPECT_EQ(Text(*gone, "callId"), "c1");
  EXPECT_EQ(world.CountRows("Calls"), 0);
  EXPECT_EQ(world.entities().Delete("Call", kKey).error().kind, EntityErrorKind::kMissing);
  EXPECT_TRUE(world.entities().Create("Call", Call("bob", "c1", kAt)));
}

TEST(EntityValues, AreNormalisedOnTheWayIn) {
  World world;
  Item call = Call("ann", "c1", kAt);
  call.Set("note", AttributeValue("  DISKA Å\xCC\x88 "));  // a decomposed letter
  const auto item = world.entities().Create("Call", call);
  ASSERT_TRUE(item) << item.error().message;
  EXPECT_EQ(Text(*item, "note").substr(0, 6), "diska ");
  EXPECT_EQ(Text(*item, "note").back() == ' ', false);
}

}  // namespace writes_test
}  // namespace stator::testing
