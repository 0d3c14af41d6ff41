#include <gtest/gtest.h>

#include <set>

#include "tests/entity/entity_fixture.h"

namespace stator::testing {
namespace reads_test {

constexpr std::int64_t kAt = 1'772'265'600'000;

void AddCalls(World& world, int count, bool urgent = false) {
  for (int i = 0; i < count; ++i) {
    Item call = Call("ann", "c" + std::to_string(i), kAt + i);
    call.Set("providerId", AttributeValue("p1"));
    call.Set("urgent", AttributeValue(urgent));
    const auto created = world.entities().Create("Call", call);
    ASSERT_TRUE(created) << created.error().message;
  }
}

TEST(EntityGet, FindsAnItemByTheSourcesOfItsKey) {
  World world;
  AddCalls(world, 1);
  const auto item = world.entities().Get("Call", Call("ann", "c0", kAt));
  ASSERT_TRUE(item && *item);
  EXPECT_EQ(Text(**item, "providerId"), "p1");
  const auto none = world.entities().Get("Call", Call("ann", "c9", kAt));
  EXPECT_TRUE(none && !*none);
}

TEST(EntityGet, HidesWhatHasExpired) {
  World world;
  Item call = Call("ann", "c1", kAt);
  call.Set("expires", AttributeValue(kAt / 1000 + 60));
  ASSERT_TRUE(world.entities().Create("Call", call));
  const Item key = Call("ann", "c1", kAt);
  ASSERT_TRUE(*world.entities().Get("Call", key));
  // Not yet deleted, for the sweeper sleeps until it is told of the turn; but never shown.
  world.clock().Advance(std::chrono::seconds(61));
  EXPECT_FALSE(*world.entities().Get("Call", key));
  EXPECT_TRUE(world.entities().All("timeline", {{"u", "ann"}})->empty());
}

TEST(EntityQuery, TurnsPagesWithACursor) {
  World world;
  AddCalls(world, 8);
  std::vector<std::string> seen;
  PageOptions options;
  int pages = 0;
  do {
    const auto page = world.entities().Query("by_provider", {{"p", "p1"}}, options);
    ASSERT_TRUE(page) << page.error().message;
    for (const Item& item : page->items) seen.push_back(Text(item, "callId"));
    options.cursor = page->cursor;
    ++pages;
  } while (!options.cursor.empty() && pages < 10);
  EXPECT_EQ(seen, (std::vector<std::string>{"c7", "c6", "c5", "c4", "c3", "c2", "c1", "c0"}));
}

TEST(EntityQuery, RefusesACursorOfAnotherQuestion) {
  World world;
  AddCalls(world, 8);
  const auto page = world.entities().Query("by_provider", {{"p", "p1"}});
  ASSERT_TRUE(page);
  for (const std::string& cursor : {page->cursor, std::string("abc"), std::string("AAAA")}) {
    const auto other = world.entities().Query("timeline", {{"u", "ann"}}, {.cursor = cursor});
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().kind, EntityErrorKind::kInvalid);
  }
}

TEST(EntityQuery, BoundsARangeWithinAKeyExactly) {
  World world;
  AddCalls(world, 8);
  const auto items =
      world.entities().All("range", {{"u", "ann"}, {"from", kAt + 2}, {"to", kAt + 5}});
  ASSERT_TRUE(items) << items.error().message;
  std::vector<std::string> ids;
  for (const Item& item : *items) ids.push_back(Text(item, "callId"));
  EXPECT_EQ(ids, (std::vector<std::string>{"c3", "c4", "c5"}));
}

TEST(EntityQuery, FindsTheNextOfAStatus) {
  World world;
  AddCalls(world, 4);
  const auto next = world.entities().First("next", {{"u", "ann"}, {"from", kAt + 2}});
  ASSERT_TRUE(next && *next);
  EXPECT_EQ(Text(**next, "callId"), "c2");
  const auto none = world.entities().First("next", {{"u", "ann"}, {"from", kAt + 9}});
  EXPECT_TRUE(none && !*none);
}

TEST(EntityQuery, MergesShardsInOrderAndResumes) {
  World world;
  AddCalls(world, 23, true);
  EXPECT_EQ(world.CountRows("Calls", "open"), 23);
  std::vector<std::string> seen;
  PageOptions options;
  do {
    const auto page = world.entities().Query("urgent", {{"from", kAt + 3}}, options);
    ASSERT_TRUE(page) << page.error().message;
    EXPECT_LE(page->items.size(), 5U);
    for (const Item& item : page->items) seen.push_back(Text(item, "callId"));
    options.cursor = page->cursor;
  } while (!options.cursor.empty());
  std::vector<std::string> wanted;
  for (int i = 3; i < 23; ++i) wanted.push_back("c" + std::to_string(i));
  EXPECT_EQ(seen, wanted);
  std::set<std::string> shards;
  for (const Item& item : world.Items("Calls")) shards.insert(Text(item, "openPk"));
  EXPECT_EQ(shards.size(), 4U);
  EXPECT_EQ(*world.entities().Count("urgent", {{"from", kAt}}), 23);
}

TEST(EntityQuery, ReadsOfManyShardsNotMuchMoreThanItReturns) {
  World world;
  AddCalls(world, 800, true);
  const auto page = world.entities().Query("urgent", {{"from", kAt}}, {.limit = 100});
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_EQ(page->items.size(), 100U);
  // A hundred of each of the four shards would take more than twice as much.
  EXPECT_LE(page->read_units, 5);
}

const char* const kFeedModel = R"(
model: 1
tables:
  feed:
    key: "pk str, sk str"
    indexes:
      byTime: {pk: timePk str, sk: timeSk str, project: all, shards: {n: 4, by: author}}
entities:
  Post:
    table: feed
    keys: {pk: "POST#{id}", sk: "POST", timePk: "TIME#{shard}", timeSk: "{at:013d}#POST#{id}"}
    attrs: {id: str 5 no=#, author: str 5, at: num epoch_ms}
  Photo:
    table: feed
    keys: {pk: "PHOTO#{id}", sk: "PHOTO", timePk: "TIME#{shard}", timeSk: "{at:013d}#PHOTO#{id}"}
    attrs: {id: str 5 no=#, author: str 5, at: num epoch_ms}
  Draft:
    table: feed
    keys: {pk: "DRAFT#{id}", sk: "DRAFT"}
    attrs: {id: str 5 no=#, author: str 5, at: num epoch_ms}
patterns:
  all: {query: feed.byTime, where: "at >= $from", order: asc, page: 50, rate: 1/s}
  of_author: {query: feed.byTime, where: "author = $a, at >= $from", order: asc, page: 50, rate: 1/s}
  photos: {query: feed.byTime, of: Photo, where: "at >= $from", order: asc, page: 50, rate: 1/s}
)";

void AddToFeed(World& world) {
  for (int i = 0; i < 12; ++i) {
    const char* const entity = i % 3 == 0 ? "Photo" : i % 3 == 1 ? "Post" : "Draft";
    const auto created =
        world.entities().Create(entity, Item{{"id", std::to_string(i)},
                                             {"author", "a" + std::to_string(i % 4)},
                                             {"at", 1'772'265'600'000 + i}});
    ASSERT_TRUE(created) << created.error().message;
  }
}

std::vector<std::string> AskFeed(World& world, std::string_view pattern,
                                 const PatternParameters& parameters) {
  const auto items = world.entities().All(pattern, parameters);
  EXPECT_TRUE(items) << items.error().message;
  std::vector<std::string> ids;
  for (const Item& item : *items) ids.push_back(Text(item, "id"));
  return ids;
}

TEST(EntityQuery, WithoutAnEntityGivesAllThatShareTheIndex) {
  World world(kFeedModel);
  AddToFeed(world);
  EXPECT_EQ(AskFeed(world, "all", {{"from", kAt + 1}}),
            (std::vector<std::string>{"1", "3", "4", "6", "7", "9", "10"}));
  EXPECT_EQ(AskFeed(world, "photos", {{"from", kAt}}),
            (std::vector<std::string>{"0", "3", "6", "9"}));
  EXPECT_EQ(*world.entities().Count("all", {{"from", kAt + 1}}), 7);
}

TEST(EntityQuery, AsksOneShardWhenItIsKnown) {
  World world(kFeedModel);
  AddToFeed(world);
  const std::uint64_t before = world.entities().used().requests;
  EXPECT_EQ(AskFeed(world, "of_author", {{"a", "a1"}, {"from", kAt}}),
            (std::vector<std::string>{"1", "9"}));
  EXPECT_EQ(world.entities().used().requests - before, 1U);
}

TEST(EntityQuery, PagesUntilAMatchIsFound) {
  World world;
  AddCalls(world, 300);
  ASSERT_TRUE(
      world.entities().Update("Call", Call("ann", "c299", kAt + 299), {.set = {{"note", "Rare"}}}));
  const auto found = world.entities().First("noted", {{"u", "ann"}, {"n", "rare"}});
  ASSERT_TRUE(found && *found);
  EXPECT_EQ(Text(**found, "callId"), "c299");
}

TEST(EntityQuery, SaysWhichParameterIsMissing) {
  World world;
  const auto page = world.entities().Query("timeline");
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().message, "pattern `timeline` needs the parameter $u");
  EXPECT_EQ(world.entities().Query("nothing").error().message,
            "the model has no pattern `nothing`");
}

TEST(EntityCache, AnswersFromMemoryUntilItsTimeIsOver) {
  World world(R"(
model: 1
tables: {things: {key: "pk str, sk str"}}
entities:
  Alias:
    table: things
    keys: {pk: "ALIAS#{chat}", sk: "{alias}"}
    attrs: {chat: str 5, alias: str 9, activity: str 9}
patterns:
  aliases: {query: things, where: Alias.chat = $c, all: true, cache: 5m per_process, rate: 1/s}
)");
  Entities& entities = world.entities();
  const auto add = [&](const char* alias) {
    ASSERT_TRUE(entities.Create("Alias", Item{{"chat", "1"}, {"alias", alias}, {"activity", "x"}}));
  };
  add("a");
  EXPECT_EQ(entities.All("aliases", {{"c", "1"}})->size(), 1U);
  add("b");
  EXPECT_EQ(entities.All("aliases", {{"c", "1"}})->size(), 1U);
  world.clock().Advance(std::chrono::minutes(5));
  EXPECT_EQ(entities.All("aliases", {{"c", "1"}})->size(), 2U);
  add("c");
  entities.ForgetCached("aliases");
  EXPECT_EQ(entities.All("aliases", {{"c", "1"}})->size(), 3U);
}

// ---- `of: [A, B]`

constexpr const char* kAccounts = R"(model: 1
tables:
  app:
    key: PK str, SK str
    indexes:
      GSI1: {pk: GSI1PK str, sk: GSI1SK str, project: all, overloaded: true}
entities:
  Account:
    table: app
    keys: {PK: "ACCOUNT#{name}", SK: ACCOUNT, GSI1PK: "ACCOUNT#{name}", GSI1SK: "ACCOUNT#{name}"}
    attrs: {name: str 20 no=#}
  Repository:
    table: app
    keys: {PK: "REPO#{owner}#{repo}", SK: REPO, GSI1PK: "ACCOUNT#{owner}", GSI1SK: "REPO#{repo}"}
    attrs: {owner: str 20 no=#, repo: str 20 no=#}
patterns:
  account_and_repositories: {query: app.GSI1, of: [Account, Repository], where: "Account.name = $n, Repository.owner = $n", all: true}
  repositories: {query: app.GSI1, of: Repository, where: owner = $n, all: true}
)";

TEST(EntityQuery, ReturnsTheSeveralEntitiesThatAPatternNames) {
  World world(kAccounts);
  for (const char* name : {"ann", "ben"}) {
    ASSERT_TRUE(world.entities().Create("Account", Item{{"name", name}}));
    for (const char* repo : {"docs", "engine"}) {
      ASSERT_TRUE(world.entities().Create("Repository", Item{{"owner", name}, {"repo", repo}}));
    }
  }
  const auto all = world.entities().All("account_and_repositories", {{"n", "ann"}});
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->size(), 3U);
  EXPECT_EQ(Text((*all)[0], "name"), "ann");
  EXPECT_EQ(Text((*all)[1], "repo"), "docs");
  EXPECT_EQ(Text((*all)[2], "repo"), "engine");
  EXPECT_EQ(world.entities().All("repositories", {{"n", "ann"}})->size(), 2U);
}

// The times of both stand first in their sort keys, so that a range holds for both.
TEST(EntityQuery, KeepsTheRangeThatTheSortKeysOfSeveralEntitiesShare) {
  World world(R"(model: 1
tables:
  app:
    key: PK str, SK str
    indexes: {GSI1: {pk: GSI1PK str, sk: GSI1SK str, project: all, overloaded: true}}
entities:
  Order:
    table: app
    keys: {PK: "ORDER#{id}", SK: ORDER, GSI1PK: EVENTS, GSI1SK: "{at}#ORDER#{id}"}
    attrs: {id: str 8 no=#, at: str iso_s}
  Visit:
    table: app
    keys: {PK: "VISIT#{id}", SK: VISIT, GSI1PK: EVENTS, GSI1SK: "{at}#VISIT#{id}"}
    attrs: {id: str 8 no=#, at: str iso_s}
patterns:
  between: {query: app.GSI1, of: [Order, Visit], where: "at >= $from, at < $to", all: true}
)");
  for (const char* entity : {"Order", "Visit"}) {
    for (const char* day : {"01", "02", "03"}) {
      const std::string at = std::string("2026-02-") + day + "T08:00:00Z";
      ASSERT_TRUE(world.entities().Create(entity, Item{{"id", day}, {"at", at}}));
    }
  }
  const auto found = world.entities().All(
      "between", {{"from", "2026-02-02T00:00:00Z"}, {"to", "2026-02-03T00:00:00Z"}});
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 2U);
  EXPECT_EQ(Text((*found)[0], "GSI1SK"), "2026-02-02T08:00:00Z#ORDER#02");
  EXPECT_EQ(Text((*found)[1], "GSI1SK"), "2026-02-02T08:00:00Z#VISIT#02");
}

}  // namespace reads_test
}  // namespace stator::testing
