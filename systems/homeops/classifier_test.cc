#include "systems/homeops/classifier.h"

#include <gtest/gtest.h>

#include "systems/homeops/bot.h"
#include "systems/homeops/log_generator.h"

namespace stator::systems::homeops {
namespace classifier_test {

Decision Of(std::string_view text, bool is_reply = false, const std::vector<Alias>& aliases = {}) {
  return VocabularyClassifier().Classify(text, is_reply, aliases);
}

TEST(Words, S4_21_AreTheSameHoweverTheyAreWritten) {
  EXPECT_EQ(Normalised("  Har DISKAT,  nu! "), "har diskat nu");
  EXPECT_EQ(Normalised("TVÄTT"), "tvätt");
  EXPECT_EQ(Normalised("tva\xCC\x88tt"), "tvätt");
  EXPECT_EQ(Normalised("a#b"), "a b");
}

TEST(Vocabulary, S4_21_DiskaAndDiskningAreOne) {
  for (const char* word : {"diska", "Diskade", "DISKNING", " diskat "}) {
    EXPECT_EQ(CanonicalOf(word), "diskning") << word;
  }
  EXPECT_EQ(CanonicalOf("jonglera"), "");
}

TEST(Classifier, TellsDeedsFromWishesPlansQuestionsAndDenials) {
  EXPECT_EQ(Of("Har diskat").activity, "diskning");
  EXPECT_EQ(Of("Tränat på lunchen").kind, "recovery");
  for (const char* text : {"Kan någon diska?", "Ska diska sen", "Har inte diskat",
                           "Vem diskade senast?", "Måste tvätta imorgon", "Hej", ""}) {
    EXPECT_EQ(Of(text).kind, "none") << text;
  }
}

TEST(Classifier, WhatTheHouseholdTaughtOutranksWhatIsBuiltIn) {
  const std::vector<Alias> aliases = {{"disken", "städning", 3, "learned"}};
  EXPECT_EQ(Of("Disken är klar", false, aliases).activity, "städning");
  EXPECT_EQ(Of("Disken är klar").activity, "diskning");
}

TEST(Classifier, AliasesMatchWholeWordsOnly) {
  const std::vector<Alias> aliases = {{"pant", "pantning", 0, "seed"}};
  EXPECT_EQ(Of("Tog pant till affären", false, aliases).activity, "pantning");
  EXPECT_EQ(Of("Elefantpanter", false, aliases).kind, "none");
}

TEST(Classifier, KeepsThePhraseItCouldNotUnderstand) {
  const Decision decision = Of("Nu har jag fejat på vinden");
  EXPECT_EQ(decision.kind, "none");
  EXPECT_EQ(decision.phrase, "fejat på vinden");
}

TEST(Classifier, AnswersAreClarifications) {
  EXPECT_EQ(Of("Nej, jag menade tvätt", true).activity, "tvätt");
  EXPECT_EQ(Of("Ja, precis", true).kind, "clarification");
  EXPECT_EQ(Of("Nej, jag menade något annat", true).kind, "none");
  EXPECT_EQ(Of("Ja, precis").kind, "none");
}

TEST(Classifier, EffortFollowsTheWords) {
  EXPECT_EQ(Of("Städat").effort, 4);
  EXPECT_EQ(Of("Städat hela huset, jättejobbigt").effort, 5);
  EXPECT_EQ(Of("Städat lite").effort, 3);
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
  std::istringstream in("{\"chatId\":\"a#b\",\"messageId\":1}\nnot json\n[1]\n" +
                        std::string(70'000, 'x') + "\n");
  std::vector<std::string> problems;
  EXPECT_TRUE(ReadLog(in, problems).empty());
  ASSERT_EQ(problems.size(), 4U);
  EXPECT_EQ(problems[0], "line 1: its chatId contains '#'");
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
