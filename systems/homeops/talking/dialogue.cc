#include "systems/homeops/talking/dialogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "systems/homeops/talking/phrasing.h"
#include "systems/homeops/understanding/intent.h"
#include "systems/homeops/understanding/question.h"

namespace stator::systems::homeops {

Reply Noted(const Message& message, const Decision& decision, const std::vector<Member>& people) {
  std::vector<std::string> mine;
  std::vector<std::string> others;
  for (const Deed& deed : decision.deeds) {
    if (UserOf(message, deed) == message.user) {
      mine.push_back(deed.activity);
      continue;
    }
    const auto person = std::ranges::find(people, deed.user, &Member::user);
    others.push_back(fmt::format("{} för {}", deed.activity,
                                 person == people.end() ? deed.who : NameAmong(people, *person)));
  }
  mine.insert(mine.end(), others.begin(), others.end());
  return {.text = fmt::format("Noterat: {}.", ListText(mine)), .buttons = {UndoButton(message.id)}};
}

Reply AskWhat(const Message& message, const Decision& decision) {
  Reply reply{
      .text = fmt::format("Vad är ”{}”? Välj, eller svara med en aktivitet.", decision.phrase),
      .buttons = {}};
  for (const char* activity : {"tvätt", "städning", "diskning", "matlagning", "handling"}) {
    reply.buttons.push_back(MeanButton(message.id, 1, activity));
  }
  reply.buttons.push_back({"Inget av dem", fmt::format("no:{}", message.id)});
  return reply;
}

Reply AskWho(const Message& message, const Decision& decision, const std::vector<Member>& people) {
  for (const Deed& deed : decision.deeds) {
    if (deed.who.empty() || deed.user != 0) continue;
    return AskWhichPerson(message.id, deed.who, Called(people, deed.who), people);
  }
  return {};
}

EntityResult<Reply> Dialogue::Answer(const Heard& heard) {
  const std::string& kind = heard.decision.kind;
  if (kind == "question") return AnswerQuestion(heard, heard.message, std::nullopt);
  if (kind == "choice") return Choose(heard);
  if (kind == "activity") return TeachActivity(heard);
  if (kind == "start") return Reply{.text = "Hej! Jag minns vem som gör vad hemma.\n" + HelpText()};
  if (kind == "help") return Reply{.text = HelpText()};
  return corrections_.Answer(heard);
}

EntityResult<Reply> Dialogue::AnswerQuestion(const Heard& heard, const Message& asked,
                                             std::optional<std::int64_t> chosen) {
  const auto question = QuestionIn(asked.text, heard.known.vocabulary, asked.at);
  if (!question) return Reply{.text = "Frågan förstod jag inte."};
  return answers_.Answer(asked, *question, heard.known, chosen);
}

EntityResult<Reply> Dialogue::Choose(const Heard& heard) {
  auto about = context_.Find(heard.message, heard.decision.about);
  if (!about) return std::unexpected(about.error());
  if (!*about) return Reply{.text = "Det meddelandet hittar jag inte längre."};
  Told& told = **about;
  if (told.decision.kind == "question") {
    return AnswerQuestion(heard, told.message, heard.decision.user);
  }
  if (told.decision.kind != "unclear" && !heard.record.Find("actedAt")) {
    return Reply{.text = "Det är redan klart."};
  }
  Decision decision = told.decision;
  for (Deed& deed : decision.deeds) {
    const KnownActivity* activity = heard.known.vocabulary.Find(deed.activity);
    deed.recovery = activity != nullptr && activity->recovery;
    if (!deed.who.empty() && deed.user == 0) deed.user = heard.decision.user;
  }
  decision.kind = decision.deeds.front().recovery ? "recovery" : "chore";
  if (auto done = recorder_.Redecide(told, decision, "unclear", heard.message); !done) {
    return std::unexpected(done.error());
  }
  recorder_.Complete(told, heard.known.people);
  Reply reply = Noted(told.message, told.decision, heard.known.people);
  reply.buttons = {UndoButton(heard.message.id)};
  return reply;
}

EntityResult<Reply> Dialogue::TeachActivity(const Heard& heard) {
  auto activity = TaughtActivity(heard.message.text);
  if (!activity) return Reply{.text = "Det förstod jag inte."};
  const Vocabulary& vocabulary = heard.known.vocabulary;
  const bool was_taught = heard.record.Find("actedAt").has_value();
  const std::string known = vocabulary.CanonicalOf(activity->name);
  if (!known.empty() && known != activity->name) {
    return Reply{.text = fmt::format("”{}” är redan ett ord för {}.", activity->name, known)};
  }
  // What already means something else is not taken from it by the way.
  std::set<std::string> taken;
  std::erase_if(activity->forms, [&](const std::string& form) {
    const std::string meaning = vocabulary.CanonicalOf(form);
    if (!meaning.empty() && meaning != activity->name) {
      taken.insert(fmt::format("”{}” ({})", form, meaning));
    }
    return !meaning.empty() && !was_taught;
  });
  if (!known.empty() && activity->forms.empty() && !was_taught) {
    return Reply{.text = fmt::format("{} känner jag redan till.", activity->name)};
  }
  if (!was_taught) {
    const auto taught = household_.activities().Teach(*activity, vocabulary, heard.message);
    if (!taught) return std::unexpected(taught.error());
  }
  std::string text = fmt::format("Okej, nu känner jag till {}", activity->name);
  if (!activity->forms.empty()) text += fmt::format(" ({})", ListText(activity->forms));
  text += fmt::format(". Lär mig fler ord med ”… betyder {}”.", activity->name);
  if (!taken.empty()) {
    text += fmt::format(" De här orden betyder redan något annat: {}.",
                        ListText({taken.begin(), taken.end()}));
  }
  return Reply{.text = text, .buttons = {UndoButton(heard.message.id)}};
}

}  // namespace stator::systems::homeops
