#include "systems/homeops/understanding/pattern.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "systems/homeops/understanding/classifier.h"

namespace stator::systems::homeops {
namespace {

std::vector<std::string_view> PartsOf(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    if (end != 0) parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

bool IsChild(std::string_view word) {
  static constexpr auto kChildren = std::to_array<std::string_view>(
      {"barn",         "barnen",       "ungar",   "ungarna",   "unge",    "ungen",
       "kidsen",       "kids",         "sonen",   "dottern",   "tjejen",  "tjejerna",
       "killen",       "killarna",     "grabben", "grabbarna", "lillan",  "lillen",
       "tvillingarna", "småttingarna", "bebisen", "flickorna", "pojkarna"});
  return std::ranges::find(kChildren, word) != kChildren.end();
}

// Mends slips in the verbs that the built-in forms begin with.
class Speller {
 public:
  Speller() {
    for (const KnownActivity& activity : BuiltInActivities()) {
      Learn(activity.name);
      for (const std::string& form : activity.forms) {
        const std::string_view first = std::string_view(form).substr(0, form.find(' '));
        for (const std::string_view verb : PartsOf(first, '|')) {
          for (const std::string& known : FormsOfVerb(verb)) Learn(known);
        }
      }
    }
  }

  // The word that was meant; the same word if nothing is close enough, or too much is.
  std::string Mended(std::string word) const {
    if (word.size() < 5 || known_.contains(word) || IsRealWord(word)) return word;
    std::set<std::string> meant;
    for (const std::string& form : Near(word)) {
      if (IsSlipOf(word, form)) meant.insert(form);
    }
    // A neighbouring key or letters that changed places are the likelier slips.
    if (meant.size() > 1) {
      std::erase_if(meant, [&](const std::string& form) { return form.size() != word.size(); });
    }
    return meant.size() == 1 ? *meant.begin() : word;
  }

 private:
  void Learn(std::string form) {
    if (form.size() < 5 || !known_.insert(form).second) return;
    const char first = form.front();
    by_letter_[first].push_back(std::move(form));
  }

  std::vector<std::string> Near(std::string_view word) const {
    const auto found = by_letter_.find(word.front());
    std::vector<std::string> near;
    if (found == by_letter_.end()) return near;
    std::ranges::copy_if(found->second, std::back_inserter(near), [&](const std::string& form) {
      const auto difference = std::ssize(form) - std::ssize(word);
      return difference >= -2 && difference <= 3;
    });
    return near;
  }

  // Words of their own that look like slips.
  static bool IsRealWord(std::string_view word) {
    static constexpr auto kStems = std::to_array<std::string_view>(
        {"gillad",   "gillat",   "gillar",  "lagrad",  "lagrat",  "lagrar",
         "bankad",   "bankat",   "pustad",  "plantad", "skattad", "skattat",
         "skattar",  "stadgad",  "grinade", "bytta",   "satta",   "hållning",
         "handlare", "handlarn", "städare", "bakelse", "badare",  "tvättare"});
    return std::ranges::any_of(kStems,
                               [&](std::string_view stem) { return word.starts_with(stem); });
  }

  std::set<std::string, std::less<>> known_;
  std::map<char, std::vector<std::string>> by_letter_;
};

// "jaaaa" is "ja": letters that stand three times or more are written once.
std::string WithoutDrawl(std::string_view text) {
  std::string word;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::size_t end = i;
    while (end < text.size() && text[end] == text[i]) ++end;
    const bool drawl = end - i >= 3 && (text[i] < '0' || text[i] > '9');
    word.append(drawl ? 1 : end - i, text[i]);
    i = end - 1;
  }
  return word;
}

}  // namespace

Word MakeWord(std::string text, bool capital, bool is_typed) {
  if (is_typed) {
    static const Speller kSpeller;
    text = kSpeller.Mended(WithoutDrawl(text));
  }
  Word word{.text = std::move(text), .capital = capital, .stems = {}, .forms = {}};
  word.stems = NounStems(word.text);
  word.forms = VerbFormsOf(word.text);
  return word;
}

bool Pattern::Alternative::Matches(const Word& word, std::span<const std::string> people) const {
  switch (kind) {
    case Kind::kBeginning:
      return word.text.starts_with(text);
    case Kind::kHead:
      return word.text == text ||
             std::ranges::any_of(word.stems, [&](const std::string& stem) { return IsHead(stem); });
    case Kind::kPerson:
      return IsChild(word.text) || std::ranges::any_of(people, [&](const std::string& name) {
               return name.substr(0, name.find(' ')) == word.text;
             });
    case Kind::kWord:
      break;
  }
  if (word.text == text) return true;
  if (text.size() > 3 && std::ranges::find_first_of(word.stems, stems) != word.stems.end()) {
    return true;
  }
  return std::ranges::any_of(word.forms, [&](const VerbForm& form) {
    return std::ranges::find(verbs, form.verb) != verbs.end();
  });
}

// The first part of a compound has three letters or more.
bool Pattern::Alternative::IsHead(std::string_view whole) const {
  return std::ranges::any_of(stems, [&](const std::string& stem) {
    return whole == stem || (whole.ends_with(stem) && whole.size() >= stem.size() + 3);
  });
}

Pattern::Alternative Pattern::Read(std::string_view text) {
  if (text == "@barn") return {.kind = Kind::kPerson, .text = {}, .stems = {}, .verbs = {}};
  if (text.starts_with('*')) {
    text.remove_prefix(1);
    Alternative head{
        .kind = Kind::kHead, .text = std::string(text), .stems = {std::string(text)}, .verbs = {}};
    // läx-or, kak-an
    if (text.ends_with('a') || text.ends_with('e')) {
      head.stems.emplace_back(text.substr(0, text.size() - 1));
    }
    return head;
  }
  if (text.ends_with('*')) {
    text.remove_suffix(1);
    return {.kind = Kind::kBeginning, .text = std::string(text), .stems = {}, .verbs = {}};
  }
  Alternative word{.text = std::string(text), .stems = {std::string(text)}, .verbs = {}};
  // Without its ending, the verb sopa would be the noun sopor.
  if (!text.ends_with('a')) word.stems = NounStems(text);
  for (const VerbForm& form : VerbFormsOf(text)) {
    if (form.tense != Tense::kPresent) word.verbs.push_back(form.verb);
  }
  return word;
}

Pattern::Pattern(std::string_view form) {
  for (const std::string_view part : PartsOf(form, ' ')) {
    Element& element = elements_.emplace_back();
    for (const std::string_view text : PartsOf(part, '|')) element.push_back(Read(text));
  }
  is_verb_ = !elements_.empty() &&
             std::ranges::any_of(elements_.front(),
                                 [](const Alternative& word) { return !word.verbs.empty(); });
}

std::shared_ptr<const Pattern> Pattern::Of(const std::string& form) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const Pattern>, std::less<>> patterns;
  static constexpr std::size_t kPatternsMax = 20'000;  // then it starts again
  const std::scoped_lock lock(mutex);
  if (const auto found = patterns.find(form); found != patterns.end()) return found->second;
  if (patterns.size() >= kPatternsMax) patterns.clear();
  return patterns.emplace(form, std::shared_ptr<const Pattern>(new Pattern(form))).first->second;
}

std::optional<std::vector<std::size_t>> Pattern::In(std::span<const Word> words,
                                                    std::span<const std::string> people,
                                                    std::size_t from) const {
  std::vector<std::size_t> places;
  for (const Element& element : elements_) {
    std::optional<std::size_t> place;
    for (std::size_t i = places.empty() ? from : 0; i < words.size() && !place; ++i) {
      if (std::ranges::find(places, i) != places.end()) continue;
      const bool matches = std::ranges::any_of(
          element, [&](const Alternative& word) { return word.Matches(words[i], people); });
      if (matches) place = i;
    }
    if (!place) return std::nullopt;
    places.push_back(*place);
  }
  if (places.empty()) return std::nullopt;
  return places;
}

std::vector<Tense> Pattern::TensesOf(const Word& word) const {
  std::vector<Tense> tenses;
  for (const VerbForm& form : word.forms) {
    const bool is_verb =
        std::ranges::any_of(elements_.front(), [&](const Alternative& alternative) {
          return std::ranges::find(alternative.verbs, form.verb) != alternative.verbs.end();
        });
    if (is_verb) tenses.push_back(form.tense);
  }
  return tenses;
}

}  // namespace stator::systems::homeops
