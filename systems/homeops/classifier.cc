#include "systems/homeops/classifier.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "systems/homeops/vocabulary.h"
#include "systems/homeops/words.h"

namespace stator::systems::homeops {
namespace {

using Words = std::vector<std::string>;

template <std::size_t N>
bool HasAny(const Words& words, const std::array<std::string_view, N>& wanted) {
  return std::ranges::any_of(words, [&](const std::string& word) {
    return std::ranges::find(wanted, word) != wanted.end();
  });
}

// Not done: asked for, planned, wished, denied.
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
std::string UnknownDeed(const Words& words) {
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
  if (match.phrase.empty()) return {.phrase = UnknownDeed(words)};
  return {.kind = activity != nullptr && activity->recovery ? "recovery" : "chore",
          .activity = match.activity,
          .phrase = match.phrase,
          .effort = EffortOf(words, activity == nullptr ? 2 : activity->effort),
          .confidence = match.confidence};
}

}  // namespace stator::systems::homeops
