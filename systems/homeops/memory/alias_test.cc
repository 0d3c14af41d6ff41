#include <gtest/gtest.h>

#include <set>

#include "systems/homeops/understanding/classifier.h"
#include "tests/systems/homeops_fixture.h"

namespace stator::systems::homeops {
namespace alias_test {

using stator::testing::Text;

class Aliases : public HomeOps {
 protected:
  void Teach(std::string_view phrase, std::string_view activity) {
    const auto taught = bot.aliases().Teach("hemma", phrase, activity);
    ASSERT_TRUE(taught) << taught.error().message;
  }
  // 100 aliases of 300 bytes each.
  void FillTo30KB() {
    for (int i = 0; i < 100; ++i) {
      std::string alias = "alias nummer " + std::to_string(100 + i) + " ";
      alias += std::string(40 - alias.size(), 'x');
      ASSERT_TRUE(world.entities().Create("Alias", Item{{"chatId", "hemma"},
                                                        {"alias", alias},
                                                        {"canonicalActivity", "diskning"},
                                                        {"source", "learned"},
                                                        {"learnedFrom", 1'000'000 + i}}));
    }
  }
};

TEST_F(Aliases, S4_3_OneQueryGivesAllAliasesOfAChat) {
  ASSERT_TRUE(bot.aliases().LoadSeeds("hemma"));
  ASSERT_TRUE(bot.aliases().LoadSeeds("stugan"));
  const std::uint64_t before = world.entities().used().requests;
  const auto aliases = bot.aliases().Of("hemma");
  ASSERT_TRUE(aliases);
  EXPECT_EQ(aliases->size(), SeedAliases().size());
  EXPECT_EQ(world.entities().used().requests - before, 1U);
}

TEST_F(Aliases, S4_4_ThirtyKilobytesCostFourUnitsNotEight) {
  FillTo30KB();
  ReadUnits();
  ASSERT_EQ(bot.aliases().Of("hemma")->size(), 100U);
  const double units = ReadUnits();
  EXPECT_GE(units, 3.0);
  EXPECT_LE(units, 4.0);
}

TEST_F(Aliases, S4_6_ThirtyKilobytesAreOnePage) {
  FillTo30KB();
  const auto page = world.entities().Query("aliases", {{"chat", "hemma"}});
  ASSERT_TRUE(page);
  EXPECT_EQ(page->items.size(), 100U);
  EXPECT_TRUE(page->cursor.empty());
}

TEST_F(Aliases, S4_7_AreRememberedForFiveMinutesAndNoLonger) {
  Teach("a b", "tvätt");
  ASSERT_EQ(bot.aliases().Of("hemma")->size(), 1U);
  ASSERT_TRUE(world.entities().Create(
      "Alias", Item{{"chatId", "hemma"}, {"alias", "c d"}, {"canonicalActivity", "tvätt"}}));
  world.clock().Advance(std::chrono::minutes(5) - std::chrono::milliseconds(1));
  ReadUnits();
  EXPECT_EQ(bot.aliases().Of("hemma")->size(), 1U);
  EXPECT_EQ(ReadUnits(), 0);
  world.clock().Advance(std::chrono::milliseconds(1));
  EXPECT_EQ(bot.aliases().Of("hemma")->size(), 2U);
}

TEST_F(Aliases, S4_7_AnotherProcessRemembersItsOwn) {
  const auto others = world.MoreEntities();
  AliasBook elsewhere(*others);
  ASSERT_EQ(elsewhere.Of("hemma")->size(), 0U);
  ASSERT_EQ(bot.aliases().Of("hemma")->size(), 0U);
  Teach("a b", "tvätt");
  EXPECT_EQ(bot.aliases().Of("hemma")->size(), 1U);  // who teaches it sees it
  EXPECT_EQ(elsewhere.Of("hemma")->size(), 0U);      // others within five minutes
  world.clock().Advance(std::chrono::minutes(5));
  EXPECT_EQ(elsewhere.Of("hemma")->size(), 1U);
}

TEST_F(Aliases, S4_8_StartAsSeedsWithoutConfirmations) {
  ASSERT_TRUE(bot.aliases().LoadSeeds("hemma"));
  const Item alias = StoredAlias("pant");
  EXPECT_EQ(Text(alias, "confirmations"), "0");
  EXPECT_EQ(Text(alias, "source"), "seed");
}

TEST_F(Aliases, S4_8_SeedsThatAreMissingComeLaterAndWhatWasTaughtStays) {
  Teach("pant", "handling");
  ASSERT_TRUE(bot.aliases().LoadSeeds("hemma"));
  EXPECT_EQ(bot.aliases().Of("hemma")->size(), SeedAliases().size());
  EXPECT_EQ(Text(StoredAlias("pant"), "canonicalActivity"), "handling");
}

TEST_F(Aliases, S4_8_AreLearnedFromClarificationsAndConfirmed) {
  Hear(Say(1, "Nu har jag kört en maskin"));
  Hear(Reply(2, 1, "Nej, jag menade tvätt"));
  const Item alias = StoredAlias("kört en maskin");
  EXPECT_EQ(Text(alias, "canonicalActivity"), "tvätt");
  EXPECT_EQ(Text(alias, "source"), "learned");
  EXPECT_EQ(Text(alias, "learnedFrom"), "2");
  EXPECT_EQ(Text(alias, "confirmations"), "1");
  EXPECT_EQ(Hear(Say(3, "Har kört en maskin")).decision.activity(), "tvätt");
  Hear(Reply(4, 3, "Ja, precis"));
  EXPECT_EQ(Text(StoredAlias("kört en maskin"), "confirmations"), "2");
  // The same answers once more.
  Hear(Reply(4, 3, "Ja, precis"));
  Hear(Reply(2, 1, "Nej, jag menade tvätt"));
  EXPECT_EQ(Text(StoredAlias("kört en maskin"), "confirmations"), "2");
}

TEST_F(Aliases, S4_8_ACorrectionTakesOver) {
  Teach("plockat i köket", "diskning");
  EXPECT_EQ(Hear(Say(1, "Har plockat i köket")).decision.activity(), "diskning");
  Hear(Reply(2, 1, "Nej, jag menade städning"));
  const Item alias = StoredAlias("plockat i köket");
  EXPECT_EQ(Text(alias, "canonicalActivity"), "städning");
  EXPECT_EQ(Text(alias, "confirmations"), "1");
  EXPECT_EQ(Hear(Say(3, "Har plockat i köket")).decision.activity(), "städning");
  EXPECT_EQ(world.Audit(), "");
}

TEST_F(Aliases, S4_9_OneAliasIsAGetItemOfHalfAUnit) {
  FillTo30KB();
  Teach("kört en maskin", "tvätt");
  ReadUnits();
  const auto alias = bot.aliases().Find("hemma", "Kört EN maskin!");
  ASSERT_TRUE(alias && *alias);
  EXPECT_EQ((*alias)->activity, "tvätt");
  EXPECT_EQ(ReadUnits(), 0.5);
}

TEST_F(Aliases, S4_10_AreFoundByWhatTheyMean) {
  ASSERT_TRUE(bot.aliases().LoadSeeds("hemma"));
  ASSERT_TRUE(bot.aliases().LoadSeeds("stugan"));
  Teach("kört en maskin", "tvätt");
  const auto found = bot.aliases().For("hemma", "tvätt");
  ASSERT_TRUE(found) << found.error().message;
  std::set<std::string> names;
  for (const Alias& alias : *found) names.insert(alias.alias);
  EXPECT_EQ(names, (std::set<std::string>{"hängt upp kläder", "kört en maskin", "vikt kläder"}));
}

TEST_F(Aliases, S4_11_AnOverrideMovesTheIndexEntryWithTwoWrites) {
  Teach("kört en maskin", "tvätt");
  const auto units = [&](const Change& change) {
    const double before = world.entities().used().write;
    EXPECT_TRUE(world.entities().Update(
        "Alias", Item{{"chatId", "hemma"}, {"alias", "kört en maskin"}}, change));
    return world.entities().used().write - before;
  };
  EXPECT_EQ(units({.set = {{"canonicalActivity", "diskning"}}}), 3);  // the item, and two entries
  EXPECT_EQ(units({.add = {{"confirmations", 1}}}), 2);               // the item, and its entry
  EXPECT_TRUE(bot.aliases().For("hemma", "tvätt")->empty());
  EXPECT_EQ(bot.aliases().For("hemma", "diskning")->size(), 1U);
}

TEST_F(Aliases, S4_12_OtherEntitiesOnTheIndexStayOut) {
  Teach("kört en maskin", "tvätt");
  // What a later phase may put there, with keys as close as they can be.
  for (const char* pk : {"SCHEDULE#hemma", "ALIASES_BY_ACTIVITY#hemma2", "ALIASES_BY_ACTIVITY#"}) {
    ASSERT_TRUE(world.endpoint().PutItem(
        {.table_name = "homeops",
         .item = Item{{"pk", pk}, {"sk", "x"}, {"gsi1pk", pk}, {"gsi1sk", "tvätt"}}}));
  }
  const auto found = bot.aliases().For("hemma", "tvätt");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->size(), 1U);
}

TEST_F(Aliases, S4_12_OneChatDoesNotLearnFromAnother) {
  Teach("kört en maskin", "tvätt");
  Message message = Say(1, "Har kört en maskin");
  message.chat = "stugan";
  EXPECT_EQ(Hear(message).decision.kind, "none");
}

}  // namespace alias_test
}  // namespace stator::systems::homeops
