#include "systems/homeops/classifier.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace stator::systems::homeops {
namespace {

// Å, Ä and Ö (and the other letters of this row) are C3 80…9E, their small forms 20 further. A
// letter that was typed as a or o with a combining mark behind it is put together.
void AppendLower(std::string& word, std::string_view text, std::size_t& at) {
  const auto c = static_cast<unsigned char>(text[at]);
  const auto next = at + 1 < text.size() ? static_cast<unsigned char>(text[at + 1])
                                         : static_cast<unsigned char>(0);
  if (c == 0xC3 && next >= 0x80 && next <= 0x9E && next != 0x97) {
    word += {static_cast<char>(c), static_cast<char>(next + 0x20)};
    ++at;
    return;
  }
  if (c == 0xCC && !word.empty() && (next == 0x88 || next == 0x8A)) {
    const char base = word.back();
    const bool ring = next == 0x8A;
    if (base == 'a' || (base == 'o' && !ring)) {
      word.pop_back();
      word += base == 'o' ? "ö" : ring ? "å" : "ä";
      ++at;
      return;
    }
  }
  word += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 0x20) : static_cast<char>(c);
}

bool IsPartOfAWord(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || c == '/';
}

using Words = std::vector<std::string>;

template <std::size_t N>
bool HasAny(const Words& words, const std::array<std::string_view, N>& wanted) {
  return std::ranges::any_of(words, [&](const std::string& word) {
    return std::ranges::find(wanted, word) != wanted.end();
  });
}

// It was not done, but asked for, planned, wished or denied.
bool IsNotDone(std::string_view text, const Words& words) {
  static constexpr std::array<std::string_view, 16> kNotDone = {
      "ska",    "kan",     "kommer", "borde", "måste",  "vill", "orkar",  "inte",
      "aldrig", "imorgon", "vem",    "när",   "snälla", "glöm", "skulle", "ingen"};
  return text.find('?') != std::string_view::npos || HasAny(words, kNotDone);
}

// The activity that an answer names: "nej, jag menade tvätt".
std::string MeantActivity(const Words& words, const std::vector<Alias>& aliases) {
  const auto meant = std::ranges::find_if(
      words, [](const std::string& word) { return word == "menade" || word == "menar"; });
  if (meant == words.end()) return {};
  const Words named(meant + 1, words.end());
  const std::string text = fmt::to_string(fmt::join(named, " "));
  if (const std::string_view canonical = CanonicalOf(text); !canonical.empty()) {
    return std::string(canonical);
  }
  const auto alias = std::ranges::find(aliases, text, &Alias::alias);
  return alias == aliases.end() ? std::string() : alias->activity;
}

struct Match {
  std::string activity;
  std::string phrase;
  int confidence = 0;
};

Match BestMatch(const Words& words, const std::vector<Alias>& aliases) {
  Match best;
  const auto consider = [&](std::string_view phrase, std::string_view activity, int confidence) {
    if (phrase.size() <= best.phrase.size() || !ContainsPhrase(words, WordsOf(phrase))) return;
    best = {std::string(activity), std::string(phrase), confidence};
  };
  // What the household taught outranks what is built in.
  for (const Alias& alias : aliases) {
    consider(alias.alias, alias.activity,
             static_cast<int>(std::min<std::int64_t>(95, 70 + 5 * alias.confirmations)));
  }
  if (!best.phrase.empty()) return best;
  for (const KnownActivity& activity : KnownActivities()) {
    consider(activity.name, activity.name, 90);
    for (const std::string_view form : activity.forms) consider(form, activity.name, 90);
  }
  return best;
}

int EffortOf(const Words& words, int usual) {
  static constexpr std::array<std::string_view, 4> kMore = {"jättejobbigt", "slutkörd", "timmar",
                                                            "hela"};
  static constexpr std::array<std::string_view, 4> kLess = {"snabbt", "lite", "fort", "enkelt"};
  if (HasAny(words, kMore)) usual += 1;
  if (HasAny(words, kLess)) usual -= 1;
  return std::clamp(usual, 1, 5);
}

// "nu har jag fejat på vinden" is something done, though nobody knows what: fejat på vinden.
std::string UnknownActivity(const Words& words) {
  static constexpr std::array<std::string_view, 8> kAround = {"nu",  "har",      "jag",   "precis",
                                                              "och", "äntligen", "klart", "idag"};
  const auto has = std::ranges::find(words, "har");
  if (has == words.end() || std::ranges::find(words, "jag") == words.end()) return {};
  Words left;
  for (auto word = has + 1; word != words.end(); ++word) {
    if (std::ranges::find(kAround, *word) == kAround.end()) left.push_back(*word);
  }
  // One word is too common to be taught, many words never come again.
  if (left.size() < 2 || left.size() > 4) return {};
  std::string phrase = fmt::to_string(fmt::join(left, " "));
  return phrase.size() <= 40 ? phrase : std::string();
}

Decision DecideAnswer(const Words& words, const std::vector<Alias>& aliases) {
  static constexpr std::array<std::string_view, 4> kYes = {"ja", "jepp", "stämmer", "precis"};
  Decision decision{.kind = "clarification", .activity = MeantActivity(words, aliases)};
  const bool is_yes = words.size() <= 3 && HasAny(words, kYes);
  if (decision.activity.empty() && !is_yes) decision.kind = "none";
  decision.confidence = decision.kind == "none" ? 0 : 95;
  return decision;
}

}  // namespace

std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (IsPartOfAWord(text[at])) {
      AppendLower(word, text, at);
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

std::string Normalised(std::string_view text) {
  return fmt::to_string(fmt::join(WordsOf(text), " "));
}

bool ContainsPhrase(const std::vector<std::string>& words, const std::vector<std::string>& phrase) {
  return !phrase.empty() && !std::ranges::search(words, phrase).empty();
}

std::span<const KnownActivity> KnownActivities() {
  static const std::vector<KnownActivity> kActivities = {
      {"diskning", false, 2, {"diska", "diskat", "diskade", "disken", "disk"}},
      {"tvätt", false, 3, {"tvätta", "tvättat", "tvättade", "tvätten"}},
      {"städning", false, 4, {"städa", "städat", "städade", "storstädat"}},
      {"dammsugning", false, 3, {"dammsuga", "dammsugit", "dammsög"}},
      {"matlagning", false, 3, {"laga mat", "lagat mat", "lagade mat", "lagat middag", "middagen"}},
      {"handling", false, 3, {"handla", "handlat", "handlade", "storhandlat"}},
      {"pantning", false, 1, {"panta", "pantat", "pantade"}},
      {"sopor", false, 1, {"soporna", "slängt sopor", "gick ut med soporna"}},
      {"gräsklippning", false, 4, {"klippa gräset", "klippt gräset", "klippte gräset"}},
      {"bäddning", false, 1, {"bädda", "bäddat", "bäddade", "sängarna"}},
      {"hämtning", false, 2, {"hämta barnen", "hämtat barnen", "hämtade barnen"}},
      {"läxhjälp", false, 2, {"läxorna", "hjälpt till med läxan", "förhörde glosor"}},
      {"snöskottning", false, 5, {"skotta", "skottat", "skottade", "skottat snö"}},
      {"vattning", false, 1, {"vattna", "vattnat", "vattnade"}},
      {"träning", true, 3, {"träna", "tränat", "tränade", "gymmat"}},
      {"promenad", true, 2, {"promenerat", "promenerade", "gått en promenad"}},
      {"vila", true, 1, {"vilat", "vilade", "tupplur"}},
      {"bad", true, 1, {"badat", "badade", "bastu"}},
  };
  return kActivities;
}

const KnownActivity* FindActivity(std::string_view name) {
  const auto all = KnownActivities();
  const auto found = std::ranges::find(all, name, &KnownActivity::name);
  return found == all.end() ? nullptr : &*found;
}

std::string_view CanonicalOf(std::string_view text) {
  const std::string wanted = Normalised(text);
  for (const KnownActivity& activity : KnownActivities()) {
    if (activity.name == wanted) return activity.name;
    if (std::ranges::find(activity.forms, wanted) != activity.forms.end()) return activity.name;
  }
  return {};
}

std::span<const SeedAlias> SeedAliases() {
  static constexpr std::array<SeedAlias, 16> kSeeds = {{
      {"tömt diskmaskinen", "diskning"},
      {"fyllt diskmaskinen", "diskning"},
      {"torkat av bänken", "diskning"},
      {"hängt upp kläder", "tvätt"},
      {"vikt kläder", "tvätt"},
      {"torkat golvet", "städning"},
      {"skurat badrummet", "städning"},
      {"putsat fönster", "städning"},
      {"kört robotdammsugaren", "dammsugning"},
      {"fixat käk", "matlagning"},
      {"varit på ica", "handling"},
      {"varit på willys", "handling"},
      {"pant", "pantning"},
      {"slängt skräpet", "sopor"},
      {"varit på gymmet", "träning"},
      {"sovit middag", "vila"},
  }};
  return kSeeds;
}

Decision VocabularyClassifier::Classify(std::string_view text, bool is_reply,
                                        const std::vector<Alias>& aliases) const {
  const Words words = WordsOf(text);
  if (words == Words{"/start"}) return {.kind = "start", .confidence = 100};
  if (is_reply) {
    if (Decision answer = DecideAnswer(words, aliases); answer.kind != "none") return answer;
  }
  if (IsNotDone(text, words)) return {};
  const Match match = BestMatch(words, aliases);
  const KnownActivity* activity = FindActivity(match.activity);
  if (match.phrase.empty()) return {.phrase = UnknownActivity(words)};
  return {.kind = activity != nullptr && activity->recovery ? "recovery" : "chore",
          .activity = match.activity,
          .phrase = match.phrase,
          .effort = EffortOf(words, activity == nullptr ? 2 : activity->effort),
          .confidence = match.confidence};
}

}  // namespace stator::systems::homeops
