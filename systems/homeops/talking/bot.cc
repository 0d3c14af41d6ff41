#include "systems/homeops/talking/bot.h"

#include <fmt/format.h>

#include <algorithm>

#include "systems/homeops/understanding/intent.h"
#include "systems/program/items.h"

namespace stator::systems::homeops {
namespace {

constexpr std::size_t kDeedsMax = 8;        // of one message
constexpr std::size_t kAnswerWordsMax = 4;  // longer messages do not answer what the bot asked

bool NeedsAbout(const Decision& decision) {
  const std::string& kind = decision.kind;
  return kind == "clarification" || kind == "undo" || kind == "yes" || kind == "no";
}

// Chatter speaks of nothing that the bot knows.
bool MayNamePeople(const Message& message, const Vocabulary& vocabulary) {
  return !MentionsIn(WordsOf(message.text), vocabulary).empty() ||
         IntentOf(message, vocabulary).has_value();
}

}  // namespace

Bot::Bot(Entities& entities, const Classifier& classifier, BotLog log, BotOptions options)
    : entities_(entities),
      classifier_(classifier),
      log_(std::move(log)),
      options_(options),
      household_(entities, options.aliases),
      recorder_(entities),
      context_(entities),
      dialogue_(entities, household_, recorder_) {}

void Bot::Failed(const Message& message, std::string_view step, const EntityError& error,
                 Outcome& outcome) {
  outcome.failures.push_back(fmt::format("{}: {}", step, error.message));
  if (log_) {
    log_(fmt::format("message {} of {}: {}", message.id, message.chat, outcome.failures.back()));
  }
}

void Bot::Charge(std::string_view stage, UsedUnits& before, Outcome& outcome) const {
  const UsedUnits now = entities_.used();
  outcome.costs.push_back(
      {stage, now.read - before.read, now.write - before.write, now.requests - before.requests});
  before = now;
}

EntityResult<Outcome> Bot::Handle(const Message& message) {
  Outcome outcome;
  UsedUnits used = entities_.used();
  auto record = Save(message, outcome);
  if (!record) return std::unexpected(record.error());
  Charge("save", used, outcome);
  if (auto met = household_.people().Meet(message); !met) {
    Failed(message, "member", met.error(), outcome);
  }
  Charge("member", used, outcome);
  Knowledge known = household_.Of(message.chat);
  Charge("aliases", used, outcome);
  const bool may_name = MayNamePeople(message, known.vocabulary);
  if (may_name || options_.reads_members_always) household_.AddPeople(message.chat, known);
  for (const auto& [part, error] : known.failures) Failed(message, part, error, outcome);
  Charge("member", used, outcome);
  record = Decide(message, *std::move(record), known, outcome);
  if (!record) return std::unexpected(record.error());
  Charge("decide", used, outcome);
  // The answer to a question may name nobody and still be about somebody.
  if (outcome.decision.kind != "none" && known.people.empty()) {
    household_.AddPeople(message.chat, known);
  }

  const Heard heard{message, outcome.decision, *record, known};
  if (record->Find("answer")) {
    outcome.responded = true;
    outcome.reply = {TextOf(*record, "answer"), ButtonsOf(*record)};
  }
  if (record->Find("undoneAt") && outcome.decision.is_done()) return outcome;
  const std::string& kind = outcome.decision.kind;
  if (kind == "none" || kind == "unclear" || outcome.decision.is_done()) {
    Record(heard, outcome);
  } else if (kind != "said" && !outcome.responded) {
    Converse(heard, outcome);
  }
  return outcome;
}

EntityResult<Item> Bot::Save(const Message& message, Outcome& outcome) {
  auto saved = entities_.Create("Message", RecordOf(message));
  if (saved || saved.error().kind != EntityErrorKind::kExists) return saved;
  outcome.repeated = true;
  if (saved.error().item) return *std::move(saved.error().item);
  auto stored = entities_.Get("Message", KeyOf(message), {.strong = true});
  if (!stored) return std::unexpected(stored.error());
  if (!*stored) return saved;  // deleted meanwhile: to be delivered again
  return **std::move(stored);
}

EntityResult<Item> Bot::Decide(const Message& message, Item record, const Knowledge& known,
                               Outcome& outcome) {
  if (const auto decided = DecisionOf(record)) {
    outcome.decision = *decided;
    return record;
  }
  auto decision = Understand(message, known);
  if (!decision) return std::unexpected(decision.error());
  auto written = entities_.Update("Message", KeyOf(message), {.set = AttributesOf(*decision)},
                                  {.only_if = "kind missing"});
  if (written) {
    outcome.decision = *std::move(decision);
    return written;
  }
  // Another worker has decided; its word stands.
  if (written.error().kind != EntityErrorKind::kConflict || !written.error().item) return written;
  const auto decided = DecisionOf(*written.error().item);
  if (!decided) return written;
  outcome.decision = *decided;
  return *std::move(written.error().item);
}

EntityResult<Decision> Bot::Understand(const Message& message, const Knowledge& known) {
  const bool may_answer = options_.is_listened_to && message.button.empty() &&
                          WordsOf(message.text).size() <= kAnswerWordsMax;
  if (may_answer) {
    auto answer = context_.AnswerIn(message, known.vocabulary);
    if (!answer) return std::unexpected(answer.error());
    if (*answer) return **std::move(answer);
  }
  auto asked = IntentOf(message, known.vocabulary);
  if (asked && asked->about == 0 && NeedsAbout(*asked)) {
    const auto about = context_.AboutOf(message, *asked);
    if (!about) return std::unexpected(about.error());
    asked->about = *about;
    // A yes that answers nothing is just a word.
    const bool is_word = asked->kind == "yes" || asked->kind == "no";
    if (*about == 0 && is_word) asked.reset();
  }
  if (asked) return *std::move(asked);
  return UnderstandDeeds(message, known);
}

EntityResult<Decision> Bot::UnderstandDeeds(const Message& message, const Knowledge& known) const {
  Reading reading = classifier_.Classify(message.text, known.vocabulary);
  Decision decision{.deeds = std::move(reading.deeds), .phrase = std::move(reading.unknown)};
  if (decision.deeds.size() > kDeedsMax) decision.deeds.resize(kDeedsMax);
  if (decision.deeds.empty()) return decision;
  decision.phrase.clear();
  decision.kind = decision.deeds.front().recovery ? "recovery" : "chore";
  for (Deed& deed : decision.deeds) {
    if (deed.who.empty()) continue;
    const auto meant = Called(known.people, deed.who);
    if (meant.size() == 1) deed.user = meant.front().user;
    if (meant.size() > 1) decision.kind = "unclear";
    if (meant.empty()) deed.who.clear();
  }
  return decision;
}

// What it says to a message that tells nothing; mostly nothing.
Reply Bot::AnswerToNothing(const Message& message, const Decision& decision) const {
  if (!options_.is_listened_to) return {};
  if (!decision.phrase.empty()) return AskWhat(message, decision);
  if (!message.direct || message.text.empty()) return {};
  return {.text =
              "Det tolkar jag inte som något som är gjort. Skriv ”hjälp”, så berättar jag vad "
              "jag kan.",
          .buttons = {}};
}

void Bot::Record(const Heard& heard, Outcome& outcome) {
  const auto& [message, decision, record, known] = heard;
  UsedUnits used = entities_.used();
  Reply reply;
  if (decision.kind == "unclear") {
    return Say(message, AskWho(message, decision, known.people), outcome);
  }
  if (decision.is_done()) {
    for (const EntityError& error : recorder_.Save(message, decision, known.people)) {
      Failed(message, "activity", error, outcome);
    }
    Charge("activity", used, outcome);
    if (options_.is_listened_to) reply = Noted(message, decision, known.people);
  } else {
    reply = AnswerToNothing(message, decision);
    if (reply.text.empty()) return;
  }
  const bool was_answered = outcome.responded;
  const Lesson lesson = recorder_.Learn(message, decision, record, reply);
  Charge("learn", used, outcome);
  for (const StepFailure& failure : lesson.failures) {
    Failed(message, NameOf(failure.step), failure.error, outcome);
  }
  if (was_answered) return;
  outcome.responded = lesson.responded;
  if (lesson.responded) outcome.reply = std::move(reply);
}

void Bot::Converse(const Heard& heard, Outcome& outcome) {
  if (heard.decision.kind == "start") OpenDirectMessages(heard.message, outcome);
  // Nobody waits for an answer to a question of the past.
  const bool only_asks = heard.decision.kind == "question" || heard.decision.kind == "help" ||
                         heard.decision.kind == "start";
  if (only_asks && !options_.is_listened_to) return;
  auto reply = dialogue_.Answer(heard);
  if (!reply) {
    Failed(heard.message, heard.decision.kind, reply.error(), outcome);
    reply = Reply{.text = "Något gick fel hos mig. Försök igen om en stund."};
  }
  Say(heard.message, *reply, outcome);
}

void Bot::Say(const Message& message, const Reply& reply, Outcome& outcome) {
  if (!options_.is_listened_to || reply.text.empty()) return;
  auto written = entities_.Update("Message", KeyOf(message), {.set = AttributesOf(reply)},
                                  {.only_if = "answer missing"});
  if (!written) {
    // Another worker has answered.
    if (written.error().kind == EntityErrorKind::kConflict) return;
    return Failed(message, "answer", written.error(), outcome);
  }
  outcome.responded = true;
  outcome.reply = reply;
}

void Bot::OpenDirectMessages(const Message& message, Outcome& outcome) {
  // An earlier message that comes late does not turn the time back.
  const auto started = entities_.Upsert(
      "DmStatus", Item{{"userId", message.user}}, {.set = {{"since", message.at}}},
      {.only_if = "since missing or since <= $at", .parameters = {{"at", message.at}}});
  if (started || started.error().kind == EntityErrorKind::kConflict) return;
  Failed(message, "direct messages", started.error(), outcome);
}

}  // namespace stator::systems::homeops
