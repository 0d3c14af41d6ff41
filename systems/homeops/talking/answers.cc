#include "systems/homeops/talking/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "systems/homeops/talking/phrasing.h"

namespace stator::systems::homeops {
namespace {

constexpr std::size_t kPeopleMax = 8;

// The name as it was typed, with a capital letter.
std::string Capitalised(std::string_view name) {
  std::string text(name);
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
  // å, ä and ö.
  if (text.size() > 1 && text[0] == '\xC3' && static_cast<unsigned char>(text[1]) >= 0xA0) {
    text[1] = static_cast<char>(static_cast<unsigned char>(text[1]) - 0x20);
  }
  return text;
}

// Who did it how often, the most diligent first.
std::vector<std::pair<Member, std::int64_t>> CountByPerson(const std::vector<DoneActivity>& done) {
  std::map<std::int64_t, std::pair<std::string, std::int64_t>> counts;
  for (const DoneActivity& one : done) {
    auto& [name, count] = counts[one.user];
    name = one.name;
    ++count;
  }
  std::vector<std::pair<Member, std::int64_t>> sorted;
  sorted.reserve(counts.size());
  for (const auto& [user, count] : counts) sorted.push_back({{user, count.first}, count.second});
  std::ranges::stable_sort(sorted, std::greater<>(),
                           [](const auto& entry) { return entry.second; });
  return sorted;
}

}  // namespace

struct Answers::Asked {
  const Message& message;
  const Question& question;
  const std::vector<Member>& people;

  std::string Name(const Member& person) const { return NameAmong(people, person); }
};

Reply AskWhichPerson(std::int64_t message, std::string_view name,
                     const std::vector<Member>& candidates, const std::vector<Member>& people) {
  Reply reply{.text = fmt::format("Det finns flera som heter {}. Vem menar du?", Capitalised(name)),
              .buttons = {}};
  for (const Member& person : candidates) {
    if (reply.buttons.size() == kPeopleMax) break;
    reply.buttons.push_back(WhoButton(message, person.user, NameAmong(people, person)));
  }
  return reply;
}

EntityResult<Reply> Answers::Answer(const Message& message, const Question& question,
                                    const Knowledge& known, std::optional<std::int64_t> chosen) {
  if (question.activity.empty()) {
    return Reply{.text =
                     "Vilken aktivitet menar du? Den känner jag inte till. Lär mig den med "
                     "”… är en aktivitet”."};
  }
  const Asked asked{message, question, known.people};
  if (question.kind == Question::Kind::kWhoLast) return WhoLast(asked);
  if (question.kind == Question::Kind::kWhoMost) return WhoMost(asked);
  const bool asks_when = question.kind == Question::Kind::kWhenLast;
  if (!chosen && question.is_about_me) chosen = message.user;
  if (!chosen && question.name.empty()) return asks_when ? WhoLast(asked) : HowOftenAll(asked);
  std::vector<Member> meant = Called(known.people, question.name);
  if (chosen) meant = Called(known.people, std::to_string(*chosen));
  if (meant.empty()) {
    return Reply{.text =
                     fmt::format("Jag känner ingen som heter {} här.", Capitalised(question.name))};
  }
  if (meant.size() > 1) return AskWhichPerson(message.id, question.name, meant, known.people);
  return asks_when ? WhenLast(asked, meant.front()) : HowOften(asked, meant.front());
}

EntityResult<Reply> Answers::WhoLast(const Asked& asked) {
  const std::string& activity = asked.question.activity;
  const auto last = memory_.WhoLast(asked.message.chat, activity);
  if (!last) return std::unexpected(last.error());
  if (!*last)
    return Reply{.text = fmt::format("Ingen har gjort det än, vad jag vet ({}).", activity)};
  return Reply{.text =
                   fmt::format("Det var {}, {} ({}).", asked.Name({(*last)->user, (*last)->name}),
                               WhenText((*last)->at, asked.message.at), activity)};
}

EntityResult<Reply> Answers::WhenLast(const Asked& asked, const Member& person) {
  const std::string& activity = asked.question.activity;
  const auto last = memory_.WhenLast(asked.message.chat, person.user, activity);
  if (!last) return std::unexpected(last.error());
  if (!*last) {
    return Reply{.text = fmt::format("{} har inte gjort det än, vad jag vet ({}).",
                                     asked.Name(person), activity)};
  }
  return Reply{.text = fmt::format("{} gjorde det senast {} ({}).", asked.Name(person),
                                   WhenText((*last)->at, asked.message.at), activity)};
}

EntityResult<Reply> Answers::HowOften(const Asked& asked, const Member& person) {
  const Question& question = asked.question;
  const auto count = memory_.HowOften(asked.message.chat, person.user, question.activity,
                                      question.period.from, question.period.to);
  if (!count) return std::unexpected(count.error());
  return Reply{.text = fmt::format("{} har gjort det {} {} ({}).", asked.Name(person),
                                   TimesText(*count), question.period.name, question.activity)};
}

EntityResult<Reply> Answers::HowOftenAll(const Asked& asked) {
  const Question& question = asked.question;
  const auto done = memory_.DoneIn(asked.message.chat, question.activity, question.period.from,
                                   question.period.to);
  if (!done) return std::unexpected(done.error());
  std::string text = fmt::format("Ni har gjort det {} {} ({})", TimesText(std::ssize(*done)),
                                 question.period.name, question.activity);
  std::vector<std::string> parts;
  for (const auto& [person, count] : CountByPerson(*done)) {
    if (parts.size() == kPeopleMax) break;
    parts.push_back(fmt::format("{} {}", asked.Name(person), TimesText(count)));
  }
  if (!parts.empty()) text += ": " + ListText(parts);
  return Reply{.text = text + "."};
}

EntityResult<Reply> Answers::WhoMost(const Asked& asked) {
  const Question& question = asked.question;
  const auto done = memory_.DoneIn(asked.message.chat, question.activity, question.period.from,
                                   question.period.to);
  if (!done) return std::unexpected(done.error());
  const auto counts = CountByPerson(*done);
  if (counts.empty()) {
    return Reply{.text = fmt::format("Ingen har gjort det {}, vad jag vet ({}).",
                                     question.period.name, question.activity)};
  }
  std::vector<std::string> best;
  for (const auto& [person, count] : counts) {
    if (count == counts.front().second) best.push_back(asked.Name(person));
  }
  return Reply{.text = fmt::format("Det är {}, {} {} ({}).", ListText(best),
                                   TimesText(counts.front().second), question.period.name,
                                   question.activity)};
}

}  // namespace stator::systems::homeops
