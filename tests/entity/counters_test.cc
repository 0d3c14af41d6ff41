#include <gtest/gtest.h>

#include <thread>

#include "tests/entity/entity_fixture.h"

namespace stator::testing {
namespace counters_test {

const char* const kHabits = R"(
model: 1
tables: {things: {key: "pk str, sk str", indexes: {GSI1: {pk: gsi1pk str, sk: gsi1sk str, project: all}}}}
entities:
  Habit:
    table: things
    keys: {pk: "PATTERN#{chat}#{user}", sk: "{activity}", gsi1pk: "BY#{activity}", gsi1sk: "{user}"}
    attrs:
      chat: str 5 no=#
      user: str 5 no=#
      activity: str 9
      days: counters mon..sun
      hours: counters 0..23
      total: counter
      source: str 9 = learned
      seen: strset 20 opt
patterns:
  habits: {query: things, where: "Habit.chat = $c, Habit.user = $u", all: true, rate: 1/s}
)";

const Item kKey{{"chat", "1"}, {"user", "ann"}, {"activity", "dishes"}};
const Change kOnce{.add = {{"days.mon", 1}, {"hours.8", 1}, {"total", 1}}};

std::string Counter(const Item& item, std::string_view map, std::string_view name) {
  const auto value = item.Find(map)->Map().Find(name);
  return value ? value->N() : "(none)";
}

TEST(EntityCounters, StartWithTheFirstUpsert) {
  World world(kHabits);
  const auto first = world.entities().Upsert("Habit", kKey, kOnce);
  ASSERT_TRUE(first) << first.error().message;
  const auto second = world.entities().Upsert("Habit", kKey, kOnce);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(Counter(*second, "days", "mon"), "2");
  EXPECT_EQ(Text(*second, "total"), "2");
  EXPECT_EQ(Text(*second, "source"), "learned");
  EXPECT_EQ(Text(*second, "gsi1pk"), "BY#dishes");
  EXPECT_EQ(Text(*second, "chat"), "1");
  EXPECT_TRUE(world.Audit().empty());
}

TEST(EntityCounters, GrowMapsThatOlderItemsLack) {
  World world(kHabits);
  ASSERT_TRUE(world.database().PutItem({.table_name = "things",
                                        .item = Item{{"pk", "PATTERN#1#ann"},
                                                     {"sk", "dishes"},
                                                     {"chat", "1"},
                                                     {"user", "ann"},
                                                     {"activity", "dishes"}}}));
  const auto counted = world.entities().Upsert("Habit", kKey, kOnce);
  ASSERT_TRUE(counted) << counted.error().message;
  EXPECT_EQ(Counter(*counted, "hours", "8"), "1");
}

TEST(EntityCounters, LoseNothingToEachOther) {
  World world(kHabits);
  constexpr int kThreads = 8;
  constexpr int kTimes = 50;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        for (int j = 0; j < kTimes; ++j) {
          EXPECT_TRUE(world.entities().Upsert("Habit", kKey, kOnce));
        }
      });
    }
  }
  const auto item = world.entities().Get("Habit", kKey, {.strong = true});
  ASSERT_TRUE(item && *item);
  EXPECT_EQ(Text(**item, "total"), std::to_string(kThreads * kTimes));
  EXPECT_EQ(Counter(**item, "days", "mon"), std::to_string(kThreads * kTimes));
}

TEST(EntityCounters, StartInATransactionToo) {
  World world(kHabits);
  for (int i = 0; i < 2; ++i) {
    EntityTransaction both = world.entities().Begin();
    both.Upsert("Habit", kKey, kOnce);
    both.Upsert("Habit", Item{{"chat", "1"}, {"user", "bob"}, {"activity", "dishes"}},
                {.add = {{"total", 1}}});
    const auto counted = both.Commit();
    ASSERT_TRUE(counted) << counted.error().message;
  }
  const auto item = world.entities().Get("Habit", kKey, {.strong = true});
  ASSERT_TRUE(item && *item);
  EXPECT_EQ(Counter(**item, "hours", "8"), "2");
  EXPECT_EQ(Text(**item, "source"), "learned");
  EXPECT_TRUE(world.Audit().empty());
}

TEST(EntityCounters, AreNamedByTheModel) {
  World world(kHabits);
  const auto wrong = world.entities().Upsert("Habit", kKey, {.add = {{"days.funday", 1}}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "Habit.days has no counter `funday`");
  EXPECT_FALSE(world.entities().Upsert("Habit", kKey, {.add = {{"source", 1}}}));
}

TEST(EntitySets, GrowAndShrinkAndVanish) {
  World world(kHabits);
  const auto set = [](std::vector<std::string> members) {
    return AttributeValue::StringSet(members);
  };
  ASSERT_TRUE(world.entities().Upsert("Habit", kKey, {.add_to_set = {{"seen", set({"a", "b"})}}}));
  ASSERT_TRUE(world.entities().Update("Habit", kKey, {.remove_from_set = {{"seen", set({"a"})}}}));
  const auto left = world.entities().Get("Habit", kKey);
  EXPECT_EQ((*left)->Find("seen")->Set().size(), 1U);
  ASSERT_TRUE(world.entities().Update("Habit", kKey, {.remove_from_set = {{"seen", set({"b"})}}}));
  EXPECT_FALSE((*world.entities().Get("Habit", kKey))->Find("seen"));
}

}  // namespace counters_test
}  // namespace stator::testing
