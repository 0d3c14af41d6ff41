#include "systems/homeops/understanding/question.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "systems/homeops/memory/stockholm.h"
#include "systems/homeops/talking/phrasing.h"
#include "systems/homeops/talking/reply.h"
#include "systems/homeops/understanding/intent.h"

namespace stator::systems::homeops {
namespace question_test {

constexpr std::int64_t kSaturday = 1'772'265'600;  // 2026-02-28 09:00 in Stockholm

const Vocabulary& Words() {
  static const Vocabulary kWords{.aliases = {{"varit på ica", "handling", 0, "seed"}},
                                 .people = {"anna", "anna berg", "martin"}};
  return kWords;
}

std::optional<Question> Of(std::string_view text) { return QuestionIn(text, Words(), kSaturday); }

std::string IntentOfText(std::string_view text, bool direct = false) {
  const auto decision = IntentOf({.text = std::string(text), .direct = direct}, Words());
  return decision ? decision->kind + ":" + decision->meant + ":" + decision->phrase : "";
}

TEST(QuestionTexts, AreUnderstoodAsPeopleWriteThem) {
  ASSERT_TRUE(Of("Vem diskade senast?"));
  EXPECT_EQ(Of("Vem diskade senast?")->kind, Question::Kind::kWhoLast);
  EXPECT_EQ(Of("vem var det som dammsög sist")->activity, "dammsugning");
  EXPECT_EQ(Of("När handlade Anna sist?")->kind, Question::Kind::kWhenLast);
  EXPECT_EQ(Of("När handlade Anna sist?")->name, "anna");
  EXPECT_EQ(Of("När handlade Anna Berg sist?")->name, "anna berg");
  EXPECT_TRUE(Of("När diskade jag senast?")->is_about_me);
  EXPECT_EQ(Of("Hur ofta har Martin diskat den här veckan?")->kind, Question::Kind::kHowOften);
  EXPECT_EQ(Of("Hur ofta har Martin diskat den här veckan?")->name, "martin");
  EXPECT_EQ(Of("Hur många gånger har vi varit på ICA i år?")->activity, "handling");
  EXPECT_EQ(Of("Hur många gånger har vi varit på ICA i år?")->name, "");
  EXPECT_EQ(Of("Vem har städat mest förra veckan?")->kind, Question::Kind::kWhoMost);
  EXPECT_EQ(Of("När handlade Kalle sist?")->name, "kalle");
  EXPECT_EQ(Of("Vem jonglerade senast?")->activity, "");
  EXPECT_EQ(Of("Har någon diskat?")->period.name, "i dag");
}

TEST(QuestionTexts, WishesPlansAndOtherQuestionsAreNot) {
  for (const char* text :
       {"Kan någon diska?", "Vem kan diska?", "När ska vi städa?", "Har diskat", "Vem är det?",
        "Har du diskat?", "När jag diskade gick en tallrik sönder", "Hur mår du?"}) {
    EXPECT_FALSE(Of(text)) << text;
  }
}

TEST(QuestionTexts, PeriodsBeginAndEndInStockholm) {
  const auto period = [](std::string_view when) {
    const Period found = Of(fmt::format("Hur ofta har vi diskat {}?", when))->period;
    return StockholmText(found.from) + " - " + StockholmText(found.to);
  };
  EXPECT_EQ(period("den här veckan"), "2026-02-23 00:00 - 2026-02-28 09:00");
  EXPECT_EQ(period("förra veckan"), "2026-02-16 00:00 - 2026-02-22 23:59");
  EXPECT_EQ(period("i dag"), "2026-02-28 00:00 - 2026-02-28 09:00");
  EXPECT_EQ(period("igår"), "2026-02-27 00:00 - 2026-02-27 23:59");
  EXPECT_EQ(period("den här månaden"), "2026-02-01 00:00 - 2026-02-28 09:00");
  EXPECT_EQ(period("i januari"), "2026-01-01 00:00 - 2026-01-31 23:59");
  EXPECT_EQ(period("i mars"), "2025-03-01 00:00 - 2025-03-31 23:59");
  EXPECT_EQ(period("senaste 3 dagarna"), "2026-02-25 09:00 - 2026-02-28 09:00");
  EXPECT_EQ(period("i år"), "2026-01-01 00:00 - 2026-02-28 09:00");
  EXPECT_EQ(Of("Hur ofta har vi diskat?")->period.from, 0);
}

TEST(Intents, AreTakenFromWhatPeopleSay) {
  EXPECT_EQ(IntentOfText("Nej, jag menade tvätt"), "clarification:tvätt:");
  EXPECT_EQ(IntentOfText("fel, det var städning"), "clarification:städning:");
  EXPECT_EQ(IntentOfText("Nej, jag menade något annat"), "");
  EXPECT_EQ(IntentOfText("Nej, jag menade jonglering", true), "clarification::jonglering");
  EXPECT_EQ(IntentOfText("Ångra"), "undo::");
  EXPECT_EQ(IntentOfText("Ja, precis"), "yes::");
  EXPECT_EQ(IntentOfText("nä"), "no::");
  EXPECT_EQ(IntentOfText("/start"), "start::");
  EXPECT_EQ(IntentOfText("hjälp"), "help::");
  EXPECT_EQ(IntentOfText("Häckklippning är en aktivitet"), "activity:häckklippning:");
  EXPECT_EQ(IntentOfText("\"kört en maskin\" betyder tvätt"), "alias:tvätt:kört en maskin");
  for (const char* text : {"Har diskat", "Det är en fin dag", "Jag är en vän av ordning", ""}) {
    EXPECT_EQ(IntentOfText(text), "") << text;
  }
}

TEST(Intents, AnActivityComesWithItsWords) {
  const auto taught =
      TaughtActivity("Häckklippning är en aktivitet: klippt häcken och klippte häcken");
  ASSERT_TRUE(taught);
  EXPECT_EQ(taught->name, "häckklippning");
  EXPECT_FALSE(taught->recovery);
  EXPECT_EQ(taught->forms.front(), "klippt häcken");
  EXPECT_EQ(taught->forms[1], "klippte häcken");
  EXPECT_EQ(TaughtActivity("Ny aktivitet: krattning")->forms,
            (std::vector<std::string>{"kratta", "krattat", "krattade"}));
  EXPECT_TRUE(TaughtActivity("Meditation är en vila")->recovery);
  EXPECT_FALSE(TaughtActivity("Det här är inte en aktivitet"));
  EXPECT_FALSE(TaughtActivity(std::string(60, 'x') + " är en aktivitet"));
}

TEST(Buttons, SayWhatTheyDoInAtMost64Bytes) {
  const Button longest = MeanButton(9'223'372'036'854'775'807, 1, std::string(34, 'x'));
  EXPECT_LE(longest.does.size(), kButtonBytesMax);
  const auto decision = DecisionOfButton(longest.does);
  ASSERT_TRUE(decision);
  EXPECT_EQ(decision->kind, "clarification");
  EXPECT_EQ(decision->about, 9'223'372'036'854'775'807);
  EXPECT_EQ(decision->deed, 1U);
  EXPECT_EQ(DecisionOfButton(WhoButton(-7, 5'000'000'000, "Anna").does)->user, 5'000'000'000);
  EXPECT_EQ(DecisionOfButton(UndoButton(-7).does)->about, -7);
  for (const char* text : {"", "undo", "undo:x", "mean:1:2", "boom:1", "who:1:"}) {
    EXPECT_FALSE(DecisionOfButton(text)) << text;
  }
}

TEST(Phrasing, SaysWhenAsPeopleDo) {
  const auto when = [](const char* date) {
    return WhenText(*FromStockholm(date, 18, 5), kSaturday);
  };
  EXPECT_EQ(WhenText(kSaturday - 60, kSaturday), "i dag kl. 08:59");
  EXPECT_EQ(when("2026-02-27"), "i går kl. 18:05");
  EXPECT_EQ(when("2026-02-24"), "i tisdags kl. 18:05");
  EXPECT_EQ(when("2026-02-20"), "20 februari kl. 18:05");
  EXPECT_EQ(when("2025-12-03"), "3 december 2025 kl. 18:05");
  EXPECT_EQ(TimesText(0), "inte en enda gång");
  EXPECT_EQ(TimesText(1), "en gång");
  EXPECT_EQ(ListText({"a", "b", "c"}), "a, b och c");
}

}  // namespace question_test
}  // namespace stator::systems::homeops
