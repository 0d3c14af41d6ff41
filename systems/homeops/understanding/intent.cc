#include "systems/homeops/understanding/intent.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "systems/homeops/talking/reply.h"
#include "systems/homeops/understanding/question.h"

namespace stator::systems::homeops {
namespace {

using WordList = std::vector<std::string>;

constexpr std::size_t kNameBytesMax = 40;
constexpr std::size_t kNameWordsMax = 4;
constexpr std::size_t kFormsMax = 20;

template <std::size_t N>
bool IsOneOf(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, word) != words.end();
}

std::string Joined(WordList::const_iterator first, WordList::const_iterator last) {
  return fmt::to_string(fmt::join(first, last, " "));
}

// "nej, jag menade tvätt", "fel, det var städning": the words after it.
std::optional<WordList> WordsMeant(const WordList& words) {
  static constexpr std::array<std::string_view, 3> kNo = {"nej", "nä", "fel"};
  const auto meant = std::ranges::find_if(
      words, [](const std::string& word) { return word == "menade" || word == "menar"; });
  if (meant != words.end()) return WordList(meant + 1, words.end());
  const bool denied =
      words.size() > 3 && IsOneOf(words[0], kNo) && words[1] == "det" && words[2] == "var";
  if (denied) return WordList(words.begin() + 3, words.end());
  return std::nullopt;
}

std::string ActivityIn(const WordList& words, const Vocabulary& vocabulary) {
  std::string exact = vocabulary.CanonicalOf(Joined(words.begin(), words.end()));
  if (!exact.empty()) return exact;
  const auto mentions = MentionsIn(words, vocabulary);
  return mentions.size() == 1 ? mentions.front().activity : std::string();
}

std::optional<Decision> ClarificationIn(const WordList& words, const Vocabulary& vocabulary,
                                        bool is_direct) {
  const auto meant = WordsMeant(words);
  if (!meant) return std::nullopt;
  Decision decision{.kind = "clarification",
                    .meant = ActivityIn(*meant, vocabulary),
                    .phrase = Joined(meant->begin(), meant->end())};
  if (!decision.meant.empty()) {
    decision.phrase.clear();
    return decision;
  }
  // In a group people mean many things.
  if (is_direct && !decision.phrase.empty() && decision.phrase.size() <= kNameBytesMax) {
    return decision;
  }
  return std::nullopt;
}

// "kört en maskin" betyder tvätt.
std::optional<Decision> AliasIn(const WordList& words, const Vocabulary& vocabulary) {
  const auto means = std::ranges::find(words, "betyder");
  if (means == words.begin() || means == words.end() || means + 1 == words.end()) {
    return std::nullopt;
  }
  Decision decision{.kind = "alias", .phrase = Joined(words.begin(), means)};
  const std::string name = Joined(means + 1, words.end());
  if (decision.phrase.size() > kNameBytesMax || name.size() > kNameBytesMax) return std::nullopt;
  decision.meant = vocabulary.CanonicalOf(name);
  if (decision.meant.empty()) decision.meant = name;
  return decision;
}

std::optional<Decision> YesOrNoIn(const WordList& words) {
  static constexpr std::array<std::string_view, 6> kYes = {"ja",      "jepp",    "japp",
                                                           "jajamän", "stämmer", "precis"};
  static constexpr std::array<std::string_view, 4> kNo = {"nej", "nä", "nix", "nope"};
  if (words.empty() || words.size() > 3) return std::nullopt;
  if (IsOneOf(words.front(), kYes)) return Decision{.kind = "yes"};
  if (IsOneOf(words.front(), kNo)) return Decision{.kind = "no"};
  return std::nullopt;
}

// The phrases of a list: klippt häcken, klippte häcken och klippa häcken.
std::vector<std::string> PhrasesIn(std::string_view text) {
  std::vector<std::string> phrases;
  std::string phrase;
  const auto end = [&] {
    if (!phrase.empty() && phrase.size() <= kNameBytesMax && phrases.size() < kFormsMax) {
      phrases.push_back(phrase);
    }
    phrase.clear();
  };
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    for (const std::string& word : WordsOf(text.substr(at, comma - at))) {
      if (word == "och" || word == "eller") {
        end();
      } else {
        phrase += (phrase.empty() ? "" : " ") + word;
      }
    }
    end();
    at = comma + 1;
  }
  return phrases;
}

// Verbs that go with a noun in -ning: krattning gives kratta, krattat, krattade.
std::vector<std::string> FormsOf(std::string_view name) {
  if (!name.ends_with("ning") || name.size() < 7) return {};
  const std::string stem(name.substr(0, name.size() - 4));
  return {stem + "a", stem + "at", stem + "ade"};
}

}  // namespace

std::optional<KnownActivity> TaughtActivity(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  WordList words = WordsOf(text.substr(0, colon));
  std::string_view listed = text.substr(std::min(colon + 1, text.size()));
  KnownActivity activity;
  if (words == WordList{"ny", "aktivitet"}) {
    words = WordsOf(listed);
    listed = {};
  } else {
    const auto is = std::ranges::find(words, "är");
    if (is == words.end() || std::distance(is, words.end()) < 3 || *(is + 1) != "en") {
      return std::nullopt;
    }
    const WordList what(is + 2, words.end());
    const bool is_activity = what == WordList{"aktivitet"} || what == WordList{"ny", "aktivitet"} ||
                             what == WordList{"syssla"} || what == WordList{"ny", "syssla"};
    activity.recovery = what == WordList{"vila"} || what == WordList{"återhämtning"};
    if (!is_activity && !activity.recovery) return std::nullopt;
    words.erase(is, words.end());
  }
  if (words.empty() || words.size() > kNameWordsMax) return std::nullopt;
  activity.name = Joined(words.begin(), words.end());
  if (activity.name.size() > kNameBytesMax) return std::nullopt;
  activity.effort = activity.recovery ? 1 : 2;
  activity.forms = PhrasesIn(listed);
  for (std::string& form : FormsOf(activity.name)) activity.forms.push_back(std::move(form));
  return activity;
}

std::optional<Decision> IntentOf(const Message& message, const Vocabulary& vocabulary) {
  if (!message.button.empty()) return DecisionOfButton(message.button);
  const WordList words = WordsOf(message.text);
  if (words.empty()) return std::nullopt;
  static constexpr std::array<std::string_view, 3> kHelp = {"/help", "/hjälp", "hjälp"};
  static constexpr std::array<std::string_view, 4> kUndo = {"ångra", "/ångra", "/angra", "/undo"};
  if (words.front() == "/start") return Decision{.kind = "start"};
  if (words.size() == 1 && IsOneOf(words.front(), kHelp)) return Decision{.kind = "help"};
  if (words.size() <= 3 && IsOneOf(words.front(), kUndo)) return Decision{.kind = "undo"};
  if (const auto taught = TaughtActivity(message.text)) {
    return Decision{.kind = "activity", .meant = taught->name};
  }
  if (auto alias = AliasIn(words, vocabulary)) return alias;
  if (auto meant = ClarificationIn(words, vocabulary, message.direct)) return meant;
  if (QuestionIn(message.text, vocabulary, message.at)) return Decision{.kind = "question"};
  return YesOrNoIn(words);
}

std::string HelpText() {
  return "Skriv vad du har gjort, till exempel ”Har diskat och handlat”.\n"
         "Fråga ”Vem diskade senast?”, ”När handlade Anna sist?” eller ”Hur ofta har Martin diskat "
         "den här veckan?”.\n"
         "Rätta mig med ”nej, jag menade tvätt” eller ”ångra”.\n"
         "Lär mig mer: ”häckklippning är en aktivitet: klippt häcken” eller ”kört en maskin "
         "betyder "
         "tvätt”.";
}

}  // namespace stator::systems::homeops
