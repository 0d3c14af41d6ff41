#include "systems/homeops/talking/dialogue.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "systems/homeops/talking/chat.h"
#include "systems/homeops/talking/outbox.h"
#include "systems/program/text.h"
#include "tests/systems/homeops_fixture.h"

namespace stator::systems::homeops {
namespace dialogue_test {

using stator::testing::Text;

// People talk with the bot on a terminal; each has one of their own.
class Conversation : public HomeOps {
 protected:
  Conversation() : listener(world.entities(), classifier, Logger(), {{}, true}) {}

  // What the bot answers; several people may talk.
  std::string Tell(const std::string& text, std::int64_t user = 1,
                   const std::string& name = "Martin") {
    answer.clear();
    Chat chat(listener, world.entities(), {.chat = "hemma", .user = user, .name = name},
              [this](const std::string& said) { answer += said; });
    const auto taken = chat.Take(text);
    EXPECT_TRUE(taken) << (taken ? "" : taken.error().message);
    return answer.substr(0, answer.find('\n'));
  }
  std::string WhoLast(std::string_view activity) {
    Memory memory(world.entities(), listener.aliases());
    const auto who = memory.WhoLast("hemma", activity);
    return who && *who ? (*who)->name : "nobody";
  }

  Bot listener;
  std::string answer;  // the last one, with its buttons
};

TEST_F(Conversation, S4_Bot_QuestionsAreAnsweredInSwedish) {
  EXPECT_EQ(Tell("Har diskat"), "Noterat: diskning.");
  EXPECT_EQ(Tell("Varit på ICA", 2, "Anna"), "Noterat: handling.");
  EXPECT_EQ(Tell("Vem diskade senast?"), "Det var Martin, i dag kl. 09:00 (diskning).");
  EXPECT_EQ(Tell("Hur ofta har Martin diskat den här veckan?"),
            "Martin har gjort det en gång den här veckan (diskning).");
  world.clock().Advance(std::chrono::hours(24));
  EXPECT_EQ(Tell("När handlade Anna sist?"), "Anna gjorde det senast i går kl. 09:00 (handling).");
  EXPECT_EQ(Tell("När handlade jag sist?"),
            "Martin har inte gjort det än, vad jag vet (handling).");
  EXPECT_EQ(Tell("Vem tvättade senast?"), "Ingen har gjort det än, vad jag vet (tvätt).");
  EXPECT_EQ(Tell("Hur många gånger har vi handlat totalt?"),
            "Ni har gjort det en gång totalt (handling): Anna en gång.");
  EXPECT_EQ(Tell("När handlade Kalle sist?"), "Jag känner ingen som heter Kalle här.");
}

TEST_F(Conversation, SeveralDeedsOfOneMessageAreAllRecorded) {
  EXPECT_EQ(Tell("Har diskat, dammsugit och handlat"),
            "Noterat: diskning, dammsugning och handling.");
  for (const char* activity : {"diskning", "dammsugning", "handling"}) {
    EXPECT_EQ(WhoLast(activity), "Martin");
    EXPECT_EQ(Text(StoredHabit(activity), "totalCount"), "1");
  }
  // All three count for the same preference.
  EXPECT_EQ(Text(Stored("Preference", Item{{"userId", 1}, {"metric", "medium"}}), "count"), "3");
  EXPECT_EQ(Tell("Ångra"), "Ångrat: diskning, dammsugning och handling är borttaget.");
  EXPECT_EQ(WhoLast("dammsugning"), "nobody");
  EXPECT_EQ(world.Audit(), "");
}

TEST_F(Conversation, ActivitiesAreTaughtWithTheirWords) {
  EXPECT_EQ(Tell("Nu har jag klippt häcken"),
            "Vad är ”klippt häcken”? Välj, eller svara med en aktivitet.");
  Tell("häckklippning är en aktivitet: klippt häcken, klippte häcken");
  EXPECT_EQ(Tell("Nu har jag klippt häcken"), "Noterat: häckklippning.");
  EXPECT_EQ(Tell("Vem klippte häcken senast?"), "Det var Martin, i dag kl. 09:00 (häckklippning).");
  EXPECT_EQ(Tell("Ansat buskarna betyder häckklippning"),
            "Okej, ”ansat buskarna” betyder häckklippning här.");
  EXPECT_EQ(Tell("Har ansat buskarna"), "Noterat: häckklippning.");
  EXPECT_EQ(Tell("häckklippning är en aktivitet"), "häckklippning känner jag redan till.");
  // In this chat only.
  Message elsewhere = Say(1, "Har klippt häcken");
  elsewhere.chat = "stugan";
  EXPECT_EQ(Hear(elsewhere).decision.kind, "none");
  EXPECT_EQ(world.Audit(), "");
}

TEST_F(Conversation, ATaughtActivityCanBeTakenBack) {
  Tell("krattning är en aktivitet");
  EXPECT_EQ(Tell("ångra"), "Ångrat: jag har glömt krattning.");
  EXPECT_EQ(listener.household().Of("hemma").vocabulary.Find("krattning"), nullptr);
}

TEST_F(Conversation, ANewActivityTakesNoWordsFromOthers) {
  Tell("avslappning är en vila: tränat, mediterat");
  EXPECT_NE(answer.find("”tränat” (träning)"), std::string::npos) << answer;
  EXPECT_EQ(Tell("Har tränat"), "Noterat: träning.");
  EXPECT_EQ(Tell("Har mediterat"), "Noterat: avslappning.");
}

TEST_F(Conversation, ACorrectionMovesTheActivityAndAllCounts) {
  Tell("Har diskat kläderna");
  EXPECT_EQ(Tell("nej, jag menade tvätt"),
            "Noterat som tvätt. ”diskat kläderna” betyder tvätt här.");
  EXPECT_EQ(WhoLast("diskning"), "nobody");
  EXPECT_EQ(WhoLast("tvätt"), "Martin");
  EXPECT_EQ(Text(StoredHabit("diskning"), "totalCount"), "(none)");
  EXPECT_EQ(Text(StoredHabit("tvätt"), "totalCount"), "1");
  EXPECT_EQ(Text(Stored("Effort", Item{{"userId", 1}, {"activity", "tvätt"}}), "samples"), "1");
  // The phrase has learned, the verb has not.
  EXPECT_EQ(Tell("Har diskat kläderna"), "Noterat: tvätt.");
  EXPECT_EQ(Tell("Har diskat"), "Noterat: diskning.");
  EXPECT_EQ(world.Audit(), "");
}

TEST_F(Conversation, ACorrectionCanBeTakenBack) {
  Tell("Har diskat");
  Tell("Har diskat kläderna");
  const auto before = StoredHabit("diskning");
  Tell("nej, jag menade tvätt");
  EXPECT_EQ(Tell("ångra"), "Ångrat: det är diskning igen och jag har glömt ”diskat kläderna”.");
  EXPECT_EQ(WhoLast("tvätt"), "nobody");
  EXPECT_EQ(StoredHabit("diskning"), before);
  EXPECT_EQ(Text(Stored("Effort", Item{{"userId", 1}, {"activity", "diskning"}}), "samples"), "2");
  EXPECT_EQ(Tell("Har diskat kläderna"), "Noterat: diskning.");
  EXPECT_EQ(world.Audit(), "");
}

TEST_F(Conversation, ACommonVerbChangesItsMeaningOnlyAfterAsking) {
  Tell("Har diskat");
  EXPECT_EQ(Tell("nej, jag menade städning"),
            "Noterat som städning. Ska ”diskat” betyda städning för alla här i fortsättningen?");
  EXPECT_EQ(Tell("nej"), "Okej, då låter jag det vara.");
  EXPECT_EQ(Tell("Har diskat"), "Noterat: diskning.");
  Tell("nej, jag menade städning");
  EXPECT_EQ(Tell("ja"), "Okej, ”diskat” betyder städning här från och med nu.");
  EXPECT_EQ(Tell("Har diskat", 2, "Anna"), "Noterat: städning.");
  EXPECT_EQ(Tell("ångra"), "Ångrat: jag har glömt ”diskat”.");
  EXPECT_EQ(Tell("Har diskat"), "Noterat: diskning.");
}

TEST_F(Conversation, MuchCanBeTakenBackOneAfterTheOther) {
  for (int i = 0; i < 15; ++i) Tell("Har diskat");
  for (int i = 0; i < 15; ++i) EXPECT_EQ(Tell("ångra"), "Ångrat: diskning är borttaget.") << i;
  EXPECT_EQ(Tell("ångra"), "Det finns inget att ångra.");
  EXPECT_EQ(WhoLast("diskning"), "nobody");
  EXPECT_EQ(Text(StoredHabit("diskning"), "totalCount"), "(none)");
  EXPECT_EQ(world.Audit(), "");
}

TEST_F(Conversation, OneOfSeveralDeedsIsCorrectedByAsking) {
  Tell("Har diskat och handlat");
  EXPECT_EQ(Tell("nej, jag menade tvätt"), "Vilket av dem var tvätt?");
  Tell("diskning");
  EXPECT_EQ(WhoLast("tvätt"), "Martin");
  EXPECT_EQ(WhoLast("handling"), "Martin");
  EXPECT_EQ(WhoLast("diskning"), "nobody");
  EXPECT_EQ(world.Audit(), "");
}

TEST_F(Conversation, WordsThatNobodyKnowsAreExplainedAndCounted) {
  EXPECT_EQ(Tell("Nu har jag kört en maskin"),
            "Vad är ”kört en maskin”? Välj, eller svara med en aktivitet.");
  EXPECT_EQ(Tell("tvätt"), "Noterat som tvätt. ”kört en maskin” betyder tvätt här.");
  EXPECT_EQ(Text(StoredHabit("tvätt"), "totalCount"), "1");
  EXPECT_EQ(Tell("Har kört en maskin"), "Noterat: tvätt.");
  EXPECT_EQ(Text(StoredHabit("tvätt"), "totalCount"), "2");
}

TEST_F(Conversation, TwoMembersOfOneNameAreKeptApartAndAskedAbout) {
  Tell("Har handlat", 21, "Anna");
  world.clock().Advance(std::chrono::hours(2));
  Tell("Har handlat", 22, "Anna");
  EXPECT_EQ(Tell("När handlade Anna sist?"), "Det finns flera som heter Anna. Vem menar du?");
  EXPECT_NE(answer.find("[1] Anna (21)  [2] Anna (22)"), std::string::npos) << answer;
  EXPECT_EQ(Tell("Anna (21)"), "Anna (21) gjorde det senast i dag kl. 09:00 (handling).");
  EXPECT_EQ(Tell("Vem handlade senast?"), "Det var Anna (22), i dag kl. 11:00 (handling).");
  Memory memory(world.entities(), listener.aliases());
  EXPECT_EQ(memory.FindPeople("hemma", "anna")->size(), 2U);
  EXPECT_EQ(memory.FindPeople("hemma", "22")->size(), 1U);
}

TEST_F(Conversation, AMemberWhoIsRenamedStaysTheSame) {
  Tell("Har handlat", 21, "Anna");
  Tell("Hej", 21, "Anna Berg");
  Tell("Hej", 22, "Anna Ek");
  EXPECT_EQ(Tell("När handlade Anna Berg sist?"),
            "Anna Berg gjorde det senast i dag kl. 09:00 (handling).");
  EXPECT_EQ(Tell("När handlade Anna sist?"), "Det finns flera som heter Anna. Vem menar du?");
}

// A classifier that understands who is meant.
class SaysWho final : public Classifier {
 public:
  Reading Classify(std::string_view, const Vocabulary& vocabulary) const override {
    return {
        .deeds = {{.activity = "diskning", .phrase = "diskat", .who = vocabulary.people.front()}},
        .unknown = {}};
  }
};

TEST_F(Conversation, ADeedOfSomebodyElseIsTheirs) {
  const SaysWho says_who;
  Bot bot_that_hears(world.entities(), says_who, Logger(), {{}, true});
  Hear(Say(1, "Hej", kNow, 2));  // Anna
  Message message = Say(2, "Anna har diskat");
  EXPECT_EQ(bot_that_hears.Handle(message)->reply.text, "Noterat: diskning för Anna.");
  EXPECT_EQ(Text(StoredHabit("diskning", 2), "totalCount"), "1");
  EXPECT_EQ(WhoLast("diskning"), "Anna");
  // With two of them the bot asks, and records nothing until it knows.
  Message other = Say(3, "Hej", kNow, 7);
  other.name = "Anna";
  Hear(other);
  message.id = 4;
  EXPECT_EQ(bot_that_hears.Handle(message)->reply.text,
            "Det finns flera som heter Anna. Vem menar du?");
  EXPECT_EQ(Text(StoredHabit("diskning", 7), "totalCount"), "(none)");
  Message choice = Say(5, "");
  choice.button = "who:4:7";
  EXPECT_EQ(bot_that_hears.Handle(choice)->reply.text, "Noterat: diskning för Anna (7).");
  EXPECT_EQ(Text(StoredHabit("diskning", 7), "totalCount"), "1");
  EXPECT_EQ(bot_that_hears.Handle(choice)->reply.text, "Noterat: diskning för Anna (7).");
  EXPECT_EQ(Text(StoredHabit("diskning", 7), "totalCount"), "1");
}

TEST_F(Conversation, WhateverIsSaidTwiceHappensOnce) {
  for (const char* text : {"Har diskat kläderna", "nej, jag menade tvätt", "ångra",
                           "häckklippning är en aktivitet", "Har kört en bil betyder handling",
                           "Hur ofta har Martin diskat?", "Nu har jag kört en maskin", "tvätt"}) {
    Tell(text);
  }
  const auto before = State();
  const auto page = world.database().Scan({.table_name = "homeops-messages"});
  ASSERT_TRUE(page);
  for (std::size_t i = 0; i < page->items->size(); ++i) {
    const Item record = Item::FromView((*page->items)[i]);
    if (Text(record, "kind") == "said") continue;
    Message message = MessageOf(record);
    message.direct = true;
    EXPECT_TRUE(listener.Handle(message));
  }
  EXPECT_TRUE(State() == before);
}

TEST_F(Conversation, InAGroupTheBotAnswersQuestionsAlwaysAndDeedsNowAndThen) {
  std::int64_t id = 0;
  int answers = 0;
  for (int i = 0; i < 12; ++i) {
    const auto outcome = listener.Handle(Say(++id, "Har diskat", kNow + i * 600));
    if (!outcome->reply.text.empty()) ++answers;
  }
  EXPECT_EQ(answers, 10);
  EXPECT_FALSE(listener.Handle(Say(++id, "Vem diskade senast?", kNow + 8000))->reply.text.empty());
  EXPECT_TRUE(listener.Handle(Say(++id, "Ja", kNow + 8001))->reply.text.empty());
  EXPECT_TRUE(listener.Handle(Say(++id, "Haha", kNow + 8002))->reply.text.empty());
}

TEST_F(Conversation, HabitsAreWrittenAsTheSeedReadsThem) {
  Tell("Har diskat");
  EXPECT_EQ(Text(StoredHabit("diskning"), "lastSeen"), "2026-02-28T08:00:00.000Z");
  // A number of older data is understood and replaced.
  ASSERT_TRUE(Send("UpdateItem", R"({"TableName": "homeops",
      "Key": {"pk": {"S": "PATTERN#hemma#1"}, "sk": {"S": "diskning"}},
      "UpdateExpression": "SET lastSeen = :n", "ExpressionAttributeValues": {":n": {"N": "5"}}})"));
  Memory memory(world.entities(), listener.aliases());
  EXPECT_EQ(memory.HabitsOf("hemma", 1)->front().last_seen, 5);
  Tell("Har diskat");
  EXPECT_EQ(Text(StoredHabit("diskning"), "lastSeen"), "2026-02-28T08:00:00.000Z");
  EXPECT_EQ(Text(StoredHabit("diskning"), "totalCount"), "2");
}

// --- the outbox

class Outgoing : public Conversation {
 protected:
  Sent Deliver(Sent sent) {
    Outbox outbox(world.entities());
    const auto result = outbox.Deliver(message, [&](const Message&, const homeops::Reply& reply) {
      said.push_back(reply.text);
      return sent;
    });
    EXPECT_TRUE(result);
    return result ? *result : Sent();
  }
  std::string AnswerState() { return Text(Stored("Message", KeyOf(message)), "answerState"); }

  const Message message = Say(1, "Har diskat");
  std::vector<std::string> said;
};

TEST_F(Outgoing, AnswersAreWrittenBeforeTheyAreSentAndSentOnce) {
  ASSERT_TRUE(listener.Handle(message));
  EXPECT_EQ(AnswerState(), "pending");
  Deliver({.state = Sent::State::kArrived, .message_id = 2});
  EXPECT_EQ(AnswerState(), "sent");
  // The message comes again.
  ASSERT_TRUE(listener.Handle(message));
  Deliver({.state = Sent::State::kArrived, .message_id = 3});
  EXPECT_EQ(said, std::vector<std::string>{"Noterat: diskning."});
}

TEST_F(Outgoing, AnswersThatHaveSurelyNotArrivedAreSentAgain) {
  ASSERT_TRUE(listener.Handle(message));
  EXPECT_EQ(Deliver({.state = Sent::State::kNotSent}).state, Sent::State::kNotSent);
  EXPECT_EQ(AnswerState(), "pending");
  Deliver({.state = Sent::State::kArrived, .message_id = 2});
  EXPECT_EQ(said.size(), 2U);
}

TEST_F(Outgoing, AnswersThatMayHaveArrivedAreNotSentAgain) {
  ASSERT_TRUE(listener.Handle(message));
  Deliver({.state = Sent::State::kUnsure});
  EXPECT_EQ(AnswerState(), "unsure");
  Deliver({.state = Sent::State::kArrived, .message_id = 2});
  EXPECT_EQ(said.size(), 1U);
}

TEST_F(Outgoing, AnswersWhoseSenderDiedAreNotSentAgain) {
  ASSERT_TRUE(listener.Handle(message));
  ASSERT_TRUE(
      world.entities().Update("Message", KeyOf(message), {.set = {{"answerState", "sending"}}}));
  EXPECT_EQ(Deliver({.state = Sent::State::kArrived}).state, Sent::State::kUnsure);
  EXPECT_TRUE(said.empty());
  EXPECT_EQ(AnswerState(), "unsure");
}

TEST_F(Outgoing, AnswersThatMayHaveArrivedAreListedAndSentAgainIfAPersonWantsIt) {
  const Message other = Say(2, "Har handlat");
  for (const Message& one : {other, message}) ASSERT_TRUE(listener.Handle(one));
  const auto open = [&] {
    const auto records = OpenAnswers(world.endpoint(), "");
    EXPECT_TRUE(records);
    std::vector<std::string> states;
    for (const Item& record : *records) {
      states.push_back(
          fmt::format("{} {}", NumberOf(record, "messageId"), TextOf(record, "answerState")));
    }
    return states;
  };
  Deliver({.state = Sent::State::kUnsure});
  EXPECT_EQ(open(), (std::vector<std::string>{"1 unsure", "2 pending"}));

  ASSERT_TRUE(Outbox(world.entities()).Reopen(message));
  Deliver({.state = Sent::State::kArrived, .message_id = 3});
  EXPECT_EQ(said.size(), 2U);
  EXPECT_EQ(open(), std::vector<std::string>{"2 pending"});
  // What has arrived is not sent again.
  ASSERT_TRUE(Outbox(world.entities()).Reopen(message));
  EXPECT_EQ(AnswerState(), "sent");
}

}  // namespace dialogue_test
}  // namespace stator::systems::homeops
