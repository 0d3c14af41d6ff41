#include "systems/homeops/understanding/classifier.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "systems/homeops/understanding/clause.h"
#include "systems/homeops/understanding/pattern.h"

namespace stator::systems::homeops {
namespace {

using Words = std::vector<std::string>;

template <std::size_t N>
bool HasAny(const Words& words, const std::array<std::string_view, N>& wanted) {
  return std::ranges::any_of(words, [&](const std::string& word) {
    return std::ranges::find(wanted, word) != wanted.end();
  });
}

int EffortOf(const Words& words, int usual) {
  static constexpr std::array<std::string_view, 8> kMore = {
      "jättejobbigt", "slutkörd", "timmar", "hela", "jobbigt", "tungt", "svettigt", "massor"};
  static constexpr std::array<std::string_view, 5> kLess = {"snabbt", "lite", "fort", "enkelt",
                                                            "lätt"};
  if (HasAny(words, kMore)) usual += 1;
  if (HasAny(words, kLess)) usual -= 1;
  return std::clamp(usual, 1, 5);
}

// "nu har jag fejat på vinden" is something done, though nobody knows what: fejat på vinden.
std::string UnknownActivity(const Words& words) {
  static constexpr std::array<std::string_view, 8> kAround = {"nu",  "har",      "jag",   "precis",
                                                              "och", "äntligen", "klart", "idag"};
  static constexpr std::array<std::string_view, 6> kNotDone = {"inte",  "aldrig", "ska",
                                                               "måste", "borde",  "vill"};
  const auto has = std::ranges::find(words, "har");
  if (has == words.end() || std::ranges::find(words, "jag") == words.end()) return {};
  if (HasAny(words, kNotDone)) return {};
  Words left;
  for (auto word = has + 1; word != words.end(); ++word) {
    if (std::ranges::find(kAround, *word) == kAround.end()) left.push_back(*word);
  }
  // One word is too common to be taught, many words never come again.
  if (left.size() < 2 || left.size() > 4) return {};
  std::string phrase = fmt::to_string(fmt::join(left, " "));
  return phrase.size() <= 40 ? phrase : std::string();
}

// A form found among words.
struct Match {
  std::string activity;  // empty: a form that means something else
  std::shared_ptr<const Pattern> pattern;
  std::vector<std::size_t> places;
  bool is_alias = false;
  int confidence = 90;
};

// A form with what it says.
struct KnownForm {
  std::shared_ptr<const Pattern> pattern;
  std::string_view activity;
  bool is_alias = false;
  int confidence = 90;
};

// All forms of a vocabulary, which must outlive them; those first that outrank the others.
std::vector<KnownForm> FormsOf(const Vocabulary& vocabulary) {
  std::vector<KnownForm> forms;
  for (const Alias& alias : vocabulary.aliases) {
    forms.push_back({Pattern::Of(alias.alias), alias.activity, true,
                     static_cast<int>(std::min<std::int64_t>(95, 70 + 5 * alias.confirmations))});
  }
  for (const KnownActivity& activity : vocabulary.activities) {
    forms.push_back({Pattern::Of(activity.name), activity.name});
    for (const std::string& form : activity.forms) {
      forms.push_back({Pattern::Of(form), activity.name});
    }
  }
  for (const std::string_view form : OtherMeanings()) {
    forms.push_back({Pattern::Of(std::string(form)), ""});
  }
  std::ranges::stable_sort(forms, [](const KnownForm& a, const KnownForm& b) {
    if (a.is_alias != b.is_alias) return a.is_alias;
    return a.pattern->size() > b.pattern->size();
  });
  return forms;
}

// All that is found, in the order of the forms.
std::vector<Match> MatchesIn(std::span<const Word> words, std::span<const KnownForm> forms,
                             std::span<const std::string> people) {
  std::vector<Match> found;
  for (const KnownForm& form : forms) {
    for (std::size_t from = 0; from < words.size();) {
      auto places = form.pattern->In(words, people, from);
      if (!places) break;
      from = places->front() + 1;
      found.push_back({std::string(form.activity), form.pattern, *std::move(places), form.is_alias,
                       form.confidence});
    }
  }
  return found;
}

// The words that a match stands on, in the order of the text.
std::string PhraseOf(std::span<const Word> words, std::vector<std::size_t> places) {
  std::ranges::sort(places);
  Words phrase;
  for (const std::size_t place : places) phrase.push_back(words[place].text);
  return fmt::to_string(fmt::join(phrase, " "));
}

// Reads a message clause by clause.
class DeedReader {
 public:
  explicit DeedReader(const Vocabulary& vocabulary)
      : vocabulary_(vocabulary), forms_(FormsOf(vocabulary)) {}

  std::vector<Deed> Read(std::string_view text) {
    all_words_ = WordsOf(text);
    for (const Clause& clause : ClausesOf(text)) Take(clause);
    return std::move(deeds_);
  }

 private:
  void Take(const Clause& clause) {
    if (clause.starts_sentence || !clause.is_linked) {
      list_.clear();
      list_is_done_ = false;
      if (clause.starts_sentence) {
        carried_ = {};
        together_.clear();
      }
    }
    const Subject subject = SubjectOf(clause, vocabulary_.people);
    if (clause.words.size() == 1 && subject.doer != Doer::kUnsaid) {
      together_.push_back(subject);  // "Anna och Martin har handlat"
      return;
    }
    if (subject.doer != Doer::kUnsaid) carried_ = subject;
    std::vector<bool> used(clause.words.size());
    for (const Match& match : MatchesIn(clause.words, forms_, vocabulary_.people)) {
      const bool is_taken =
          std::ranges::any_of(match.places, [&](std::size_t place) { return used[place]; });
      if (is_taken) continue;
      if (Judge(clause, match)) {
        for (const std::size_t place : match.places) used[place] = true;
      }
    }
    if (clause.words.size() > 4) list_is_done_ = false;
    together_.clear();
  }

  // True if the match stands, so that what overlaps with it does not count.
  bool Judge(const Clause& clause, const Match& match) {
    if (match.pattern->is_verb()) {
      const std::size_t verb = match.places.front();
      for (const Tense tense : match.pattern->TensesOf(clause.words[verb])) {
        if (!IsDone(clause, verb, tense)) continue;
        if (match.activity.empty()) return true;
        Subject subject = SubjectOf(clause, verb, tense, match.places, vocabulary_.people);
        if (subject.doer == Doer::kUnsaid && tense != Tense::kParticiple) subject = carried_;
        if (!IsNotSo(clause, verb, tense)) Add(clause, match, subject);
        list_is_done_ = !IsNotSo(clause, verb, tense);
        carried_ = subject;
        return true;
      }
    }
    return match.pattern->may_be_noun() && !match.activity.empty() && JudgeNoun(clause, match);
  }

  static bool IsDone(const Clause& clause, std::size_t verb, Tense tense) {
    switch (tense) {
      case Tense::kPast:
      case Tense::kSupine:
      case Tense::kParticiple:
        return true;
      case Tense::kInfinitive: {
        if (CompletesInfinitive(clause, verb)) return true;
        // "jag städa köket igår": the past as it is spoken.
        const bool after_subject = verb > 0 && (clause.words[verb - 1].text == "jag" ||
                                                clause.words[verb - 1].text == "vi");
        return after_subject && verb == 1;
      }
      case Tense::kPresent:
        return false;
    }
    return false;
  }

  // A noun is a deed if something says that it is over: "disken är klar", "tog disken", "disk,
  // sopor och tvätt ✅".
  bool JudgeNoun(const Clause& clause, const Match& match) {
    const std::size_t noun = match.places.front();
    if (IsNotSo(clause, noun, Tense::kParticiple)) return false;
    std::optional<std::size_t> verb;
    bool is_done = clause.is_checked;
    for (std::size_t i = 0; i < clause.words.size(); ++i) {
      if (i == noun) continue;
      if (IsDoneVerb(clause.words[i]) && !verb) verb = i;
      is_done = is_done || IsDoneWord(clause.words[i]);
    }
    const bool stands_alone = clause.words.size() <= match.places.size() + 1;
    if (verb && !FollowsPlacePreposition(clause, noun)) is_done = true;
    if (match.is_alias && !FollowsPlacePreposition(clause, noun)) is_done = true;
    if (list_is_done_ && stands_alone && clause.is_linked) is_done = true;
    if (!is_done) {
      if (stands_alone) list_.push_back({clause, match});
      return false;
    }
    Subject subject;
    if (verb) subject = SubjectOf(clause, *verb, Tense::kPast, match.places, vocabulary_.people);
    if (subject.doer == Doer::kUnsaid) subject = carried_;
    for (const auto& [earlier, named] : std::exchange(list_, {})) Add(earlier, named, subject);
    Add(clause, match, subject);
    list_is_done_ = true;
    return true;
  }

  void Add(const Clause& clause, const Match& match, const Subject& subject) {
    AddFor(clause, match, subject);
    for (const Subject& other : together_) AddFor(clause, match, other);
  }

  void AddFor(const Clause& clause, const Match& match, const Subject& subject) {
    if (subject.doer == Doer::kOther) return;
    const bool again = std::ranges::any_of(deeds_, [&](const Deed& deed) {
      return deed.activity == match.activity && deed.who == subject.name;
    });
    if (again) return;
    const KnownActivity* activity = vocabulary_.Find(match.activity);
    deeds_.push_back({.activity = match.activity,
                      .recovery = activity != nullptr && activity->recovery,
                      .phrase = PhraseOf(clause.words, match.places),
                      .who = subject.name,
                      .effort = EffortOf(all_words_, activity == nullptr ? 2 : activity->effort),
                      .confidence = match.confidence});
  }

  const Vocabulary& vocabulary_;
  const std::vector<KnownForm> forms_;
  Words all_words_;
  std::vector<Deed> deeds_;
  Subject carried_;                // of the clause before, for one without
  std::vector<Subject> together_;  // who else did it
  std::vector<std::pair<Clause, Match>>
      list_;  // nouns of the sentence that nothing was said of yet
  bool list_is_done_ = false;
};

}  // namespace

const KnownActivity* Vocabulary::Find(std::string_view name) const {
  const auto found = std::ranges::find(activities, name, &KnownActivity::name);
  return found == activities.end() ? nullptr : &*found;
}

std::string Vocabulary::CanonicalOf(std::string_view text) const {
  const std::string wanted = Normalised(text);
  const auto alias = std::ranges::find(aliases, wanted, &Alias::alias);
  if (alias != aliases.end()) return alias->activity;
  if (Find(wanted) != nullptr) return wanted;
  const Words words = WordsOf(text);
  const std::vector<Mention> mentions = MentionsIn(words, *this);
  if (mentions.size() != 1 || words.size() > 4) return {};
  // Nothing but the activity: "diska", "klippt gräset", not "jonglera med disken".
  return WordsOf(mentions.front().phrase).size() == words.size() ? mentions.front().activity
                                                                 : std::string();
}

std::vector<Mention> MentionsIn(const std::vector<std::string>& words,
                                const Vocabulary& vocabulary) {
  std::vector<Word> read;
  for (const std::string& word : words) read.push_back(MakeWord(word, false, true));
  std::vector<Mention> mentions;
  std::vector<bool> used(words.size());
  for (const Match& match : MatchesIn(read, FormsOf(vocabulary), vocabulary.people)) {
    const bool is_taken =
        std::ranges::any_of(match.places, [&](std::size_t place) { return used[place]; });
    if (is_taken) continue;
    for (const std::size_t place : match.places) used[place] = true;
    const bool again =
        match.activity.empty() ||
        std::ranges::find(mentions, match.activity, &Mention::activity) != mentions.end();
    if (again) continue;
    mentions.push_back({.activity = match.activity,
                        .phrase = PhraseOf(read, match.places),
                        .confidence = match.confidence,
                        .place = std::ranges::min(match.places)});
  }
  std::ranges::sort(mentions, {}, &Mention::place);
  return mentions;
}

Reading VocabularyClassifier::Classify(std::string_view text, const Vocabulary& vocabulary) const {
  Reading reading{.deeds = DeedReader(vocabulary).Read(text), .unknown = {}};
  if (!reading.deeds.empty() || text.find('?') != std::string_view::npos) return reading;
  const Words words = WordsOf(text);
  std::string unknown = UnknownActivity(words);
  if (!unknown.empty() && MentionsIn(words, vocabulary).empty()) reading.unknown = unknown;
  return reading;
}

}  // namespace stator::systems::homeops
