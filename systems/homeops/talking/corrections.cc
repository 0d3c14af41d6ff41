#include "systems/homeops/talking/corrections.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "systems/homeops/talking/phrasing.h"
#include "systems/program/items.h"

namespace stator::systems::homeops {
namespace {

// True if the words are nobody's own: an activity's name or one of its forms.
bool IsCommon(const Vocabulary& vocabulary, std::string_view phrase) {
  if (vocabulary.Find(phrase) != nullptr) return true;
  if (std::ranges::find(vocabulary.aliases, phrase, &Alias::alias) != vocabulary.aliases.end()) {
    return false;
  }
  return !vocabulary.CanonicalOf(phrase).empty();
}

// The words that shall mean something else after a correction; empty if that would have to change a
// common word.
std::string PhraseToTeach(const Vocabulary& vocabulary, const Told& told, const Deed& deed) {
  if (!IsCommon(vocabulary, deed.phrase)) return deed.phrase;
  if (told.decision.deeds.size() > 1) return {};
  const std::string telling = TellingPhrase(told.message.text, vocabulary.people);
  const bool is_longer =
      telling.size() > deed.phrase.size() && ContainsPhrase(WordsOf(telling), WordsOf(deed.phrase));
  return is_longer && !IsCommon(vocabulary, telling) ? telling : std::string();
}

Reply UnknownActivityReply(std::string_view name) {
  return {
      .text = fmt::format("Jag känner inte till ”{}”. Skriv ”{} är en aktivitet”, så lär jag mig "
                          "den.",
                          name, name),
      .buttons = {}};
}

Reply AskAboutWord(const Heard& heard, std::string_view phrase, std::string_view activity,
                   std::string_view before) {
  return {.text = fmt::format("{}Ska ”{}” betyda {} för alla här i fortsättningen?", before, phrase,
                              activity),
          .buttons = YesAndNo(heard.message.id)};
}

// Which of several deeds was meant.
Reply AskWhichDeed(const Told& told, std::string_view meant) {
  Reply reply{.text = fmt::format("Vilket av dem var {}?", meant), .buttons = {}};
  for (std::size_t i = 0; i < told.decision.deeds.size(); ++i) {
    reply.buttons.push_back(
        MeanButton(told.message.id, i + 1, meant, told.decision.deeds[i].activity));
  }
  return reply;
}

// What is as it was before a correction or a lesson.
std::string UndoneText(const Item& undone) {
  std::vector<std::string> parts;
  const std::string moved_from = TextOf(undone, "movedFrom");
  if (!moved_from.empty()) parts.push_back(fmt::format("det är {} igen", moved_from));
  const std::string taught = TextOf(undone, "taught");
  const std::string before = TextOf(undone, "taughtBefore");
  if (!taught.empty() && before.empty()) {
    parts.push_back(fmt::format("jag har glömt ”{}”", taught));
  } else if (!taught.empty()) {
    parts.push_back(fmt::format("”{}” betyder {} igen", taught, before));
  }
  return parts.empty() ? "Ångrat." : fmt::format("Ångrat: {}.", ListText(parts));
}

}  // namespace

std::string TellingPhrase(std::string_view text, const std::vector<std::string>& people) {
  static constexpr std::array<std::string_view, 12> kSayNothing = {
      "nu",       "har",   "jag",  "vi",   "precis", "och",
      "äntligen", "klart", "idag", "just", "så",     "också"};
  std::vector<std::string> words = WordsOf(text);
  std::erase_if(words, [&](const std::string& word) {
    return std::ranges::find(kSayNothing, word) != kSayNothing.end() ||
           std::ranges::find(people, word) != people.end();
  });
  if (words.size() < 2 || words.size() > 4) return {};
  std::string phrase = fmt::to_string(fmt::join(words, " "));
  return phrase.size() <= 40 ? phrase : std::string();
}

EntityResult<Reply> Corrections::Answer(const Heard& heard) {
  const std::string& kind = heard.decision.kind;
  if (kind == "clarification") return Clarify(heard);
  if (kind == "yes") return Agree(heard);
  if (kind == "no") return Disagree(heard);
  if (kind == "alias") return TeachAlias(heard);
  if (kind == "undo") return Undo(heard);
  return Reply::Nothing();
}

EntityResult<void> Corrections::Apply(const Heard& heard, Told& told, std::size_t deed,
                                      const KnownActivity& meant) {
  if (told.decision.kind == "none") {
    Decision decision{.kind = meant.recovery ? "recovery" : "chore"};
    decision.deeds.push_back({.activity = meant.name,
                              .recovery = meant.recovery,
                              .phrase = told.decision.phrase,
                              .effort = meant.effort,
                              .confidence = 95});
    if (auto done = recorder_.Redecide(told, decision, "none", heard.message); !done) return done;
    recorder_.Complete(told, heard.known.people);
    return {};
  }
  recorder_.Complete(told, heard.known.people);
  Deed to = told.decision.deeds[deed];
  if (to.activity == meant.name) return {};
  to.activity = meant.name;
  to.recovery = meant.recovery;
  to.effort = meant.effort;
  to.confidence = 95;
  return recorder_.Move(told, deed, to, heard.message);
}

EntityResult<Reply> Corrections::Clarify(const Heard& heard) {
  const Decision& decision = heard.decision;
  const Vocabulary& vocabulary = heard.known.vocabulary;
  const KnownActivity* meant = vocabulary.Find(decision.meant);
  if (meant == nullptr) {
    if (decision.phrase == "jag" || !Called(heard.known.people, decision.phrase).empty()) {
      return Reply{.text =
                       "Vem som gjorde det kan jag inte ändra. Skriv ”ångra”, och sedan vem som "
                       "gjorde vad."};
    }
    return UnknownActivityReply(decision.meant.empty() ? decision.phrase : decision.meant);
  }
  auto about = context_.Find(heard.message, decision.about);
  if (!about) return std::unexpected(about.error());
  const bool has_deeds = *about && !(*about)->decision.deeds.empty();
  const bool has_words = *about && !(*about)->decision.phrase.empty();
  if (!has_deeds && !has_words) {
    return Reply{.text =
                     "Jag vet inte vilket meddelande du menar. Svara på det, så rättar jag det."};
  }
  Told& told = **about;
  if (told.record.Find("undoneAt")) return Reply{.text = "Det meddelandet är redan ångrat."};
  std::size_t deed = decision.deed;
  if (deed == 0 && told.decision.deeds.size() > 1) return AskWhichDeed(told, meant->name);
  deed = deed == 0 ? 0 : deed - 1;
  if (has_deeds && deed >= told.decision.deeds.size()) return Reply{.text = "Det finns inte."};

  if (auto applied = Apply(heard, told, deed, *meant); !applied) {
    return std::unexpected(applied.error());
  }
  const Deed& changed = told.decision.deeds[deed];
  const std::string phrase = PhraseToTeach(vocabulary, told, changed);
  const std::string done = fmt::format("Noterat som {}. ", meant->name);
  if (phrase.empty()) {
    // The name of an activity stays its name.
    if (vocabulary.Find(changed.phrase) != nullptr) {
      return Reply{.text = done.substr(0, done.size() - 1),
                   .buttons = {UndoButton(heard.message.id)}};
    }
    return AskAboutWord(heard, changed.phrase, meant->name, done);
  }
  const auto taught =
      household_.aliases().Teach(heard.message.chat, phrase, meant->name, &heard.message);
  if (!taught) return std::unexpected(taught.error());
  return Reply{.text = fmt::format("{}”{}” betyder {} här.", done, phrase, meant->name),
               .buttons = {UndoButton(heard.message.id)}};
}

EntityResult<Reply> Corrections::Agree(const Heard& heard) {
  const auto about = context_.Find(heard.message, heard.decision.about);
  if (!about) return std::unexpected(about.error());
  if (!*about) return Reply::Nothing();
  const Decision& asked = (*about)->decision;
  std::string phrase = asked.phrase;
  std::string meaning = asked.activity();
  bool was_asked = asked.kind == "alias";
  if (asked.kind == "clarification") {
    const auto told = context_.Find(heard.message, asked.about);
    if (!told) return std::unexpected(told.error());
    const std::size_t deed = asked.deed == 0 ? 0 : asked.deed - 1;
    if (!*told || deed >= (*told)->decision.deeds.size()) return Reply::Nothing();
    phrase = (*told)->decision.deeds[deed].phrase;
    was_asked = true;
  } else if (asked.is_done()) {
    phrase = asked.deeds.front().phrase;
  }
  if (phrase.empty() || meaning.empty()) return Reply::Nothing();
  const auto taught =
      household_.aliases().Teach(heard.message.chat, phrase, meaning, &heard.message);
  if (!taught) return std::unexpected(taught.error());
  if (!was_asked) return Reply::Nothing();
  return Reply{.text = fmt::format("Okej, ”{}” betyder {} här från och med nu.", phrase, meaning),
               .buttons = {UndoButton(heard.message.id)}};
}

EntityResult<Reply> Corrections::Disagree(const Heard& heard) {
  const auto about = context_.Find(heard.message, heard.decision.about);
  if (!about) return std::unexpected(about.error());
  if (!*about) return Reply::Nothing();
  const std::string& kind = (*about)->decision.kind;
  const bool was_asked = kind == "alias" || kind == "clarification" || kind == "none";
  return was_asked ? Reply{.text = "Okej, då låter jag det vara."} : Reply::Nothing();
}

EntityResult<Reply> Corrections::TeachAlias(const Heard& heard) {
  const Decision& decision = heard.decision;
  const Vocabulary& vocabulary = heard.known.vocabulary;
  if (vocabulary.Find(decision.meant) == nullptr) return UnknownActivityReply(decision.meant);
  if (vocabulary.Find(decision.phrase) != nullptr) {
    return Reply{.text = fmt::format("”{}” är själv en aktivitet.", decision.phrase)};
  }
  if (IsCommon(vocabulary, decision.phrase)) {
    const std::string now = vocabulary.CanonicalOf(decision.phrase);
    if (now == decision.meant) {
      return Reply{.text = fmt::format("Det vet jag: ”{}” betyder {}.", decision.phrase, now)};
    }
    return AskAboutWord(heard, decision.phrase, decision.meant,
                        fmt::format("”{}” betyder {} nu. ", decision.phrase, now));
  }
  const auto taught = household_.aliases().Teach(heard.message.chat, decision.phrase,
                                                 decision.meant, &heard.message);
  if (!taught) return std::unexpected(taught.error());
  return Reply{.text = fmt::format("Okej, ”{}” betyder {} här.", decision.phrase, decision.meant),
               .buttons = {UndoButton(heard.message.id)}};
}

EntityResult<void> Corrections::UndoTaught(const Heard& heard, const Told& undone) {
  if (undone.record.Find("taughtAt")) {
    const auto restored = household_.aliases().Restore(undone.record, heard.message);
    if (!restored) return restored;
  }
  const bool has_changed = undone.decision.about != 0 && undone.record.Find("actedAt");
  if (!has_changed) return recorder_.MarkUndone(heard.message, undone.message);
  const auto told = context_.Find(heard.message, undone.decision.about);
  if (!told) return std::unexpected(told.error());
  if (!*told || (*told)->record.Find("undoneAt")) {
    return recorder_.MarkUndone(heard.message, undone.message);
  }
  const std::string before = TextOf(undone.record, "movedFrom");
  if (before.empty()) return recorder_.Remove(**told, heard.message, &undone.message);
  const std::size_t deed = undone.decision.deed == 0 ? 0 : undone.decision.deed - 1;
  Deed to = (*told)->decision.deeds[deed];
  const KnownActivity* activity = heard.known.vocabulary.Find(before);
  to.activity = before;
  to.recovery = activity != nullptr && activity->recovery;
  to.effort = activity != nullptr ? activity->effort : to.effort;
  return recorder_.Move(**told, deed, to, heard.message, &undone.message);
}

EntityResult<Reply> Corrections::Undo(const Heard& heard) {
  const auto about = context_.Find(heard.message, heard.decision.about);
  if (!about) return std::unexpected(about.error());
  if (!*about) return Reply{.text = "Det finns inget att ångra."};
  const Told& undone = **about;
  const Decision& decision = undone.decision;
  const bool is_mine = heard.record.Find("actedAt").has_value();
  if (undone.record.Find("undoneAt")) {
    return Reply{.text = is_mine ? "Ångrat." : "Det är redan ångrat."};
  }
  if (!IsUndoable(undone.record)) return Reply{.text = "Det finns inget att ångra."};
  EntityResult<void> done;
  std::string what;
  if (decision.is_done()) {
    recorder_.Complete(undone, heard.known.people);
    done = recorder_.Remove(undone, heard.message);
    std::vector<std::string> activities;
    activities.reserve(decision.deeds.size());
    for (const Deed& deed : decision.deeds) activities.push_back(deed.activity);
    what = fmt::format("Ångrat: {} är borttaget.", ListText(activities));
  } else if (decision.kind == "activity") {
    done = household_.activities().Forget(decision.meant, undone.message, heard.message);
    what = fmt::format("Ångrat: jag har glömt {}.", decision.meant);
  } else {
    done = UndoTaught(heard, undone);
    what = UndoneText(undone.record);
  }
  if (!done) return std::unexpected(done.error());
  return Reply{.text = what};
}

}  // namespace stator::systems::homeops
