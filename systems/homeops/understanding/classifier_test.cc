#include "systems/homeops/understanding/classifier.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "systems/homeops/upkeep/ingest.h"
#include "systems/homeops/upkeep/log_generator.h"

namespace stator::systems::homeops {
namespace classifier_test {

Reading Of(std::string_view text, const std::vector<Alias>& aliases = {}) {
  return VocabularyClassifier().Classify(text, {.aliases = aliases});
}

// The only deed of a text, or one without a name.
Deed DeedOf(std::string_view text, const std::vector<Alias>& aliases = {}) {
  const Reading reading = Of(text, aliases);
  return reading.deeds.size() == 1 ? reading.deeds.front() : Deed();
}

using Words = std::vector<std::string>;

Words ActivitiesOf(std::string_view text) {
  Words activities;
  for (const Deed& deed : Of(text).deeds) activities.push_back(deed.activity);
  return activities;
}

TEST(Words, S4_21_AreTheSameHoweverTheyAreWritten) {
  EXPECT_EQ(Normalised("  Har DISKAT,  nu! "), "har diskat nu");
  EXPECT_EQ(Normalised("TVÄTT"), "tvätt");
  EXPECT_EQ(Normalised("tva\xCC\x88tt"), "tvätt");
  EXPECT_EQ(Normalised("a#b"), "a b");
}

TEST(Vocabulary, S4_21_DiskaAndDiskningAreOne) {
  for (const char* word : {"diska", "Diskade", "DISKNING", " diskat "}) {
    EXPECT_EQ(Vocabulary().CanonicalOf(word), "diskning") << word;
  }
  EXPECT_EQ(Vocabulary().CanonicalOf("jonglera"), "");
}

TEST(Classifier, TellsDeedsFromWishesPlansQuestionsAndDenials) {
  EXPECT_EQ(DeedOf("Har diskat").activity, "diskning");
  EXPECT_TRUE(DeedOf("Tränat på lunchen").recovery);
  for (const char* text : {"Kan någon diska?", "Ska diska sen", "Har inte diskat",
                           "Vem diskade senast?", "Måste tvätta imorgon", "Hej", ""}) {
    EXPECT_TRUE(Of(text).deeds.empty()) << text;
  }
}

TEST(Classifier, WhatTheHouseholdTaughtOutranksWhatIsBuiltIn) {
  const std::vector<Alias> aliases = {{"disken", "städning", 3, "learned"}};
  EXPECT_EQ(DeedOf("Disken är klar", aliases).activity, "städning");
  EXPECT_EQ(DeedOf("Disken är klar").activity, "diskning");
}

TEST(Classifier, AliasesMatchWholeWordsOnly) {
  const std::vector<Alias> aliases = {{"pant", "pantning", 0, "seed"}};
  EXPECT_EQ(DeedOf("Tog pant till affären", aliases).activity, "pantning");
  EXPECT_TRUE(Of("Elefantpanter", aliases).deeds.empty());
}

TEST(Classifier, KeepsThePhraseItCouldNotUnderstand) {
  const Reading reading = Of("Nu har jag fejat på vinden");
  EXPECT_TRUE(reading.deeds.empty());
  EXPECT_EQ(reading.unknown, "fejat på vinden");
}

TEST(Classifier, FindsEveryDeedOfAMessageOnce) {
  EXPECT_EQ(ActivitiesOf("Har diskat, dammsugit och städat"),
            (std::vector<std::string>{"diskning", "dammsugning", "städning"}));
  EXPECT_EQ(ActivitiesOf("Har diskat disken"), std::vector<std::string>{"diskning"});
}

TEST(Classifier, GoesByTheVocabularyOfTheChat) {
  Vocabulary vocabulary;
  vocabulary.activities.push_back({"häckklippning", false, 4, {"klippt häcken"}});
  const Reading reading = VocabularyClassifier().Classify("Har klippt häcken", vocabulary);
  ASSERT_EQ(reading.deeds.size(), 1U);
  EXPECT_EQ(reading.deeds.front().activity, "häckklippning");
  EXPECT_EQ(reading.deeds.front().effort, 4);
  EXPECT_TRUE(Of("Har klippt häcken").deeds.empty());
}

TEST(Swedish, KnowsTheFormsOfVerbs) {
  const auto has = [](std::string_view word, const VerbForm& form) {
    const auto forms = VerbFormsOf(word);
    return std::ranges::find(forms, form) != forms.end();
  };
  EXPECT_TRUE(has("diskade", {"diska", Tense::kPast}));
  EXPECT_TRUE(has("dammsög", {"dammsuga", Tense::kPast}));
  EXPECT_TRUE(has("storstädat", {"städa", Tense::kSupine}));
  EXPECT_TRUE(has("hängd", {"hänga", Tense::kParticiple}));
  EXPECT_FALSE(has("diskar", {"diska", Tense::kPast}));
  EXPECT_FALSE(has("misshandlade", {"handla", Tense::kPast}));
}

TEST(Swedish, FormsOfANounHaveAStemInCommon) {
  for (const auto& [a, b] :
       std::vector<std::pair<std::string, std::string>>{{"disk", "disken"},
                                                        {"läxa", "läxorna"},
                                                        {"badkar", "badkaret"},
                                                        {"fönster", "fönstren"}}) {
    const auto of_a = NounStems(a);
    EXPECT_NE(std::ranges::find_first_of(of_a, NounStems(b)), of_a.end()) << a << " " << b;
  }
}

TEST(Swedish, SlipsAreSlipsOfTheKeyboardOnly) {
  EXPECT_TRUE(IsSlipOf("tvättadw", "tvättade"));  // the key beside it
  EXPECT_TRUE(IsSlipOf("hadnlade", "handlade"));  // changed places
  EXPECT_TRUE(IsSlipOf("dammmsög", "dammsög"));   // one too many
  EXPECT_TRUE(IsSlipOf("stadade", "städade"));    // no dots
  EXPECT_FALSE(IsSlipOf("skattade", "skottade"));
  EXPECT_FALSE(IsSlipOf("hörde", "körde"));
}

TEST(Classifier, MendsSlipsButNotWordsOfTheirOwn) {
  EXPECT_EQ(DeedOf("Hadnlade på vägen").activity, "handling");
  EXPECT_EQ(DeedOf("stadade hallen").activity, "städning");
  EXPECT_TRUE(Of("Gillade filmen").deeds.empty());
  EXPECT_TRUE(Of("skattade bort lönen").deeds.empty());
}

TEST(Classifier, SaysWhoDidIt) {
  const Vocabulary household{.aliases = {}, .people = {"anna", "martin nordlund"}};
  const auto who = [&](std::string_view text) {
    std::string names;
    for (const Deed& deed : VocabularyClassifier().Classify(text, household).deeds) {
      names += (deed.who.empty() ? "jag" : deed.who) + ":" + deed.activity + " ";
    }
    return names;
  };
  EXPECT_EQ(who("Anna har diskat"), "anna:diskning ");
  EXPECT_EQ(who("Igår dammsög Martin"), "martin nordlund:dammsugning ");
  EXPECT_EQ(who("Det var Anna som handlade"), "anna:handling ");
  EXPECT_EQ(who("Anna har lagat mat och diskat, jag har tvättat"),
            "anna:matlagning anna:diskning jag:tvätt ");
  EXPECT_EQ(who("Hämtade Anna på dagis"), "jag:hämtning ");
  EXPECT_EQ(who("Var ute och gick en promenad med Anna"), "jag:promenad ");
  EXPECT_EQ(who("Tack Anna för att du städade!"), "anna:städning ");
  EXPECT_EQ(who("Anna och Martin har städat"), "martin nordlund:städning anna:städning ");
  for (const char* text :
       {"Grannen har klippt gräset", "Hon diskade igår", "Anna har gjort alla sina läxor",
        "Mormor har bakat", "Har du diskat", "Tack för att du diskade", "Kalle har städat"}) {
    EXPECT_EQ(who(text), "") << text;
  }
}

TEST(Classifier, EachClauseIsJudgedAlone) {
  EXPECT_EQ(ActivitiesOf("Har diskat men inte hunnit dammsuga"), Words{"diskning"});
  EXPECT_EQ(ActivitiesOf("Har diskat, kan du ta soporna?"), Words{"diskning"});
  EXPECT_EQ(ActivitiesOf("Disk, tvätt och sopor klart"), (Words{"diskning", "tvätt", "sopor"}));
  EXPECT_EQ(ActivitiesOf("Hann handla, ska laga mat sen"), Words{"handling"});
  for (const char* text :
       {"Disk, tvätt och sopor kvar", "Skulle ha diskat", "Om jag hade diskat",
        "\"Har diskat\" sa han", "Diskar imorgon", "Tvätten är klar om en timme",
        "Anna diskar alltid", "Jag tror Anna diskade", "Boken handlade om en katt",
        "Tvättade händerna", "Jag bad honom städa"}) {
    EXPECT_EQ(ActivitiesOf(text), Words{}) << text;
  }
}

TEST(Classifier, TaughtWordsAreInflectedToo) {
  const std::vector<Alias> aliases = {{"fejat på vinden", "städning", 1, "learned"}};
  EXPECT_EQ(DeedOf("Fejade på vinden igår", aliases).activity, "städning");
  EXPECT_TRUE(Of("Feja på vinden är tråkigt", aliases).deeds.empty());
}

TEST(Classifier, HostileTextIsOnlyText) {
  for (const std::string& text :
       {std::string(4000, 'a'), std::string("\xFF\xFE\xC3"), std::string(2000, '?'),
        std::string("*|* @barn"), std::string(1000, ' ') + "\"", std::string("\xF0\x9F")}) {
    EXPECT_TRUE(Of(text).deeds.empty());
  }
}

TEST(Classifier, EffortFollowsTheWords) {
  EXPECT_EQ(DeedOf("Städat").effort, 4);
  EXPECT_EQ(DeedOf("Städat hela huset, jättejobbigt").effort, 5);
  EXPECT_EQ(DeedOf("Städat lite").effort, 3);
}

TEST(LogGenerator, GivesTheSameLogForTheSameSeed) {
  const auto lines = [](std::uint64_t seed) {
    std::string text;
    for (const Message& message : GenerateLog({.seed = seed, .messages = 300})) {
      text += LineOf(message) + "\n";
    }
    return text;
  };
  EXPECT_EQ(lines(5), lines(5));
  EXPECT_NE(lines(5), lines(6));
}

TEST(LogGenerator, IsInOrderAcrossTheChangeOfTheClocks) {
  const auto log = GenerateLog({});
  ASSERT_EQ(log.size(), 2000U);
  EXPECT_LT(log.front().at, 1'774'746'000);
  EXPECT_GT(log.back().at, 1'774'746'000);
  std::int64_t done = 0;
  for (std::size_t i = 1; i < log.size(); ++i) {
    EXPECT_LE(log[i - 1].at, log[i].at + 200);  // an answer comes a little later than the next line
    if (log[i].expected != "none") ++done;
  }
  EXPECT_GT(done, 450);
  EXPECT_LT(done, 800);
}

TEST(LogGenerator, LinesReadBackAsTheyWere) {
  std::string text = "\n";
  const auto log = GenerateLog({.messages = 200});
  for (const Message& message : log) text += LineOf(message) + "\n";
  std::istringstream in(text);
  std::vector<std::string> problems;
  const auto read = ReadLog(in, problems);
  EXPECT_TRUE(problems.empty());
  ASSERT_EQ(read.size(), log.size());
  for (std::size_t i = 0; i < log.size(); ++i) EXPECT_EQ(LineOf(read[i]), LineOf(log[i]));
}

TEST(Log, LinesThatAreNoMessagesAreNamed) {
  std::istringstream in("{\"chatId\":\"a\",\"messageId\":1}\nnot json\n[1]\n" +
                        std::string(70'000, 'x') + "\n");
  std::vector<std::string> problems;
  EXPECT_TRUE(ReadLog(in, problems).empty());
  ASSERT_EQ(problems.size(), 4U);
  EXPECT_EQ(problems[0], "line 1: its timestamp is not a time since 1970");
  EXPECT_EQ(problems[3], "line 4: it is over 64 KB");
}

TEST(ActivityId, IsAUlidThatFollowsFromTheMessage) {
  const Message message{.chat = "hemma", .id = 7, .user = 1, .name = "Ann", .at = 1'772'265'600};
  EXPECT_EQ(ActivityIdOf(message).size(), 26U);
  EXPECT_EQ(ActivityIdOf(message), ActivityIdOf(message));
  Message later = message;
  later.at += 1;
  EXPECT_LT(ActivityIdOf(message), ActivityIdOf(later));
  Message other = message;
  other.id = 8;
  EXPECT_NE(ActivityIdOf(message), ActivityIdOf(other));
}

}  // namespace classifier_test
}  // namespace stator::systems::homeops
