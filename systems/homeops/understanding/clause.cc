#include "systems/homeops/understanding/clause.h"

#include <algorithm>
#include <array>
#include <set>

namespace stator::systems::homeops {
namespace {

using WordSet = std::set<std::string_view>;

bool IsIn(const WordSet& words, std::string_view word) { return words.contains(word); }

bool IsOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

const WordSet& Denials() {
  static const WordSet kWords = {"inte",  "ej",       "aldrig",    "ingen",  "inga",    "inget",
                                 "icke",  "varken",   "ingenting", "knappt", "itne",    "nästan",
                                 "utan",  "knappast", "glömde",    "glömt",  "missade", "missat",
                                 "snart", "slapp",    "sluppit"};
  return kWords;
}

// Before a verb: it is not a fact.
const WordSet& Modals() {
  static const WordSet kWords = {
      "ska",      "skall",  "skulle",   "sku",     "kommer", "kan",    "kunde",    "vill",
      "ville",    "borde",  "bör",      "måste",   "tänker", "tänkte", "tänkt",    "hoppas",
      "önskar",   "brukar", "brukade",  "tror",    "trodde", "kanske", "planerar", "funderar",
      "lovar",    "lovade", "slipper",  "behöver", "orkar",  "hinner", "undrar",   "undrade",
      "försöker", "låtsas", "låtsades", "påstår",  "påstod", "ifall",  "glömmer",  "vore",
      "bäst",     "dags",   "snälla",   "kunna",   "vilja",  "velat",  "kunnat",   "eventuellt",
      "gärna",    "hellre"};
  return kWords;
}

// Before a verb of any tense: nobody vouches for it.
const WordSet& Doubts() {
  static const WordSet kWords = {"tror",    "trodde", "kanske", "påstår",   "påstod", "undrar",
                                 "undrade", "hoppas", "önskar", "låtsades", "låtsas", "ifall"};
  return kWords;
}

const WordSet& Usual() {
  static const WordSet kWords = {"alltid", "jämt",       "brukar", "brukade",
                                 "oftast", "vanligtvis", "sällan"};
  return kWords;
}

const WordSet& Future() {
  static const WordSet kWords = {"imorgon", "imorn", "imorron", "morgon",   "snart",  "senare",
                                 "nästa",   "kvar",  "sen",     "återstår", "nästan", "inte"};
  return kWords;
}

const WordSet& OtherPronouns() {
  static const WordSet kWords = {"du",   "ni",    "han",   "hon",    "hen",  "dom",     "de",
                                 "man",  "någon", "nån",   "några",  "vem",  "folk",    "ingen",
                                 "alla", "den",   "vilka", "vilken", "nåra", "varandra"};
  return kWords;
}

const WordSet& Prepositions() {
  static const WordSet kWords = {"med",   "åt",    "till", "hos",   "från",  "för",  "av",  "på",
                                 "i",     "efter", "före", "om",    "under", "utan", "vid", "inför",
                                 "innan", "mot",   "hela", "varje", "sedan", "kl"};
  return kWords;
}

// May stand between a subject and its verb, or in front of everything.
const WordSet& Adverbs() {
  static const WordSet kWords = {
      "har",   "hade",     "också",     "oxå",    "även",     "faktiskt", "precis", "just",
      "nyss",  "redan",    "nu",        "idag",   "igår",     "då",       "så",     "sen",
      "sedan", "äntligen", "både",      "imorse", "ikväll",   "inatt",    "iaf",    "förut",
      "ju",    "väl",      "nog",       "bara",   "själv",    "helt",     "snabbt", "ändå",
      "till",  "slut",     "där",       "här",    "tydligen", "visst",    "igen",   "dessutom",
      "först", "lite",     "har",       "ha",     "och",      "o",        "att",    "som",
      "det",   "var",      "tidigare",  "klart",  "ok",       "okej",     "ja",     "nej",
      "nä",    "jo",       "japp",      "hej",    "äsch",     "puh",      "phu",    "typ",
      "asså",  "alltså",   "förresten", "dock",   "men",      "fast",     "tack"};
  return kWords;
}

bool IsPerson(const Word& word, const std::string& name) {
  return word.text == name || word.text == std::string_view(name).substr(0, name.find(' '));
}

Subject PersonAt(const Word& word, std::span<const std::string> people) {
  if (IsOneOf(word.text, {"jag", "vi"})) return {.doer = Doer::kWriter, .name = {}};
  if (IsIn(OtherPronouns(), word.text)) return {.doer = Doer::kOther, .name = {}};
  for (const std::string& name : people) {
    if (IsPerson(word, name)) return {.doer = Doer::kMember, .name = name};
  }
  return {};
}

// A noun that can be a subject: in the definite form, of a relation, or a name.
bool LooksLikeSomebody(const Word& word) {
  static constexpr auto kRelations = std::to_array<std::string_view>(
      {"mormor", "farmor", "morfar", "farfar", "syster", "bror", "brorsan", "syrran", "moster",
       "faster", "morbror", "farbror", "kusin", "svärmor", "svärfar", "kompis", "granne"});
  if (std::ranges::find(kRelations, word.text) != kRelations.end() || word.capital) return true;
  return word.text.size() >= 5 &&
         std::ranges::any_of(std::to_array<std::string_view>({"en", "et", "an", "na", "arn"}),
                             [&](std::string_view ending) { return word.text.ends_with(ending); });
}

bool IsSubjectPronoun(std::string_view word) {
  return IsOneOf(word, {"jag", "vi", "du", "ni", "han", "hon", "man"});
}

bool IsAfterPreposition(const Clause& clause, std::size_t at) {
  if (IsSubjectPronoun(clause.words[at].text)) return false;
  for (std::size_t back = 1; back <= 2 && back <= at; ++back) {
    if (IsIn(Prepositions(), clause.words[at - back].text)) return true;
  }
  return false;
}

// "Tack Anna för att du städade": du is Anna.
Subject Addressed(const Clause& clause, std::span<const std::string> people) {
  if (!IsOneOf(clause.words.front().text, {"tack", "bra", "snyggt", "heja", "kul"})) return {};
  for (std::size_t i = 1; i < clause.words.size() && i <= 3; ++i) {
    const Subject found = PersonAt(clause.words[i], people);
    if (found.doer == Doer::kMember) return found;
  }
  return {};
}

bool HasBefore(const Clause& clause, std::size_t end, const WordSet& words) {
  return std::ranges::any_of(std::span(clause.words).first(end),
                             [&](const Word& word) { return IsIn(words, word.text); });
}

// "om en timme", "om 20 min".
bool TellsWaitingTime(const Clause& clause) {
  for (std::size_t i = 0; i + 2 < clause.words.size(); ++i) {
    if (clause.words[i].text != "om") continue;
    const std::string& next = clause.words[i + 1].text;
    if (IsOneOf(next, {"en", "ett", "två", "tre", "några", "nån", "typ", "ca", "fem", "tio"}) ||
        (next.front() >= '0' && next.front() <= '9')) {
      return true;
    }
  }
  return false;
}

// Clauses that begin so are conditions or indirect questions.
bool IsCondition(const Clause& clause, std::size_t verb) {
  for (std::size_t i = 0; i < verb; ++i) {
    if (clause.words[i].text == "ifall") return true;
    if (clause.words[i].text != "om") continue;
    if (i == 0 || IsOneOf(clause.words[i - 1].text, {"undrar", "undrade", "frågade", "frågar",
                                                     "vet", "som", "även", "kolla"})) {
      return true;
    }
  }
  if (verb >= 2 && clause.words[0].text == "hade" && IsSubjectPronoun(clause.words[1].text)) {
    return true;
  }
  // "Vi hade städat om ni sagt till"
  if (verb == 0 || clause.words[verb - 1].text != "hade") return false;
  for (std::size_t i = verb + 1; i + 1 < clause.words.size(); ++i) {
    if (clause.words[i].text == "om" && IsSubjectPronoun(clause.words[i + 1].text)) return true;
  }
  return false;
}

// --- parting

bool IsCheckMark(std::string_view symbol) {
  return std::ranges::any_of(
      std::to_array<std::string_view>({"✅", "✔", "☑", "✓"}),
      [&](std::string_view mark) { return symbol.find(mark) != std::string_view::npos; });
}

bool AsksByItsWords(const Clause& clause) {
  static const WordSet kFirst = {"vem", "vems",   "vad",   "varför",
                                 "hur", "vilken", "vilka", "vilket"};
  static const WordSet kVerbs = {"har", "är",   "kan",   "ska",   "vill",  "orkar",  "hinner",
                                 "tar", "var",  "kunde", "borde", "måste", "skulle", "fixar",
                                 "får", "blir", "när",   "går",   "hade",  "behöver"};
  if (clause.words.empty()) return false;
  if (IsIn(kFirst, clause.words.front().text)) return true;
  return clause.words.size() > 1 && IsIn(kVerbs, clause.words.front().text) &&
         (IsIn(OtherPronouns(), clause.words[1].text) ||
          IsOneOf(clause.words[1].text, {"vi", "jag", "inte"}));
}

// The question mark belongs to the last clause, and to those before it unless that one is a question
// by its own words: "Har diskat, kan du ta soporna?"
void MarkQuestion(std::vector<Clause>& clauses, std::size_t first) {
  if (first >= clauses.size()) return;
  Clause& last = clauses.back();
  const bool alone = AsksByItsWords(last);
  last.asks = true;
  if (alone) return;
  for (std::size_t i = first; i < clauses.size(); ++i) clauses[i].asks = true;
}

class ClauseReader {
 public:
  std::vector<Clause> Read(std::string_view text) {
    for (const Token& token : TokensOf(text)) Take(token);
    EndSentence(false);
    for (Clause& clause : clauses_) clause.asks = clause.asks || AsksByItsWords(clause);
    return std::move(clauses_);
  }

 private:
  void Take(const Token& token) {
    if (token.kind == TokenKind::kQuote) {
      quoted_ = !quoted_;
      return;
    }
    if (quoted_) return;
    switch (token.kind) {
      case TokenKind::kWord:
        TakeWord(token);
        break;
      case TokenKind::kSymbol:
        TakeSymbol(token);
        break;
      case TokenKind::kComma:
        EndClause(true);
        break;
      case TokenKind::kStop:
        EndSentence(false);
        break;
      case TokenKind::kQuestion:
        EndSentence(true);
        break;
      case TokenKind::kQuote:
        break;
    }
  }

  void TakeWord(const Token& token) {
    if (IsOneOf(token.word, {"och", "o", "å", "samt", "eller", "plus"})) return EndClause(true);
    if (IsOneOf(token.word, {"men", "fast"})) return EndClause(false);
    // "så" parts clauses if a subject follows; that is seen with the next word.
    if (!current_.words.empty() && current_.words.back().text == "så" &&
        current_.words.size() > 1 && IsSubjectPronoun(token.word)) {
      current_.words.pop_back();
      EndClause(false);
    }
    current_.words.push_back(MakeWord(token.word, token.capital, true));
  }

  void TakeSymbol(const Token& token) {
    const bool checked = IsCheckMark(token.word);
    if (current_.words.empty()) {
      if (checked && !clauses_.empty()) clauses_.back().is_checked = true;
      if (checked && clauses_.empty()) next_checked_ = true;
      return;
    }
    current_.is_checked = current_.is_checked || checked;
    EndClause(false);
  }

  void EndClause(bool link_next) {
    if (!current_.words.empty()) {
      current_.starts_sentence = clauses_.size() == first_;
      current_.is_checked = current_.is_checked || next_checked_;
      next_checked_ = false;
      clauses_.push_back(std::move(current_));
    }
    current_ = {};
    current_.is_linked = link_next;
  }

  void EndSentence(bool asks) {
    EndClause(false);
    if (asks) MarkQuestion(clauses_, first_);
    first_ = clauses_.size();
  }

  std::vector<Clause> clauses_;
  Clause current_;
  std::size_t first_ = 0;  // clause of this sentence
  bool quoted_ = false;
  bool next_checked_ = false;
};

}  // namespace

std::vector<Clause> ClausesOf(std::string_view text) { return ClauseReader().Read(text); }

Subject SubjectOf(const Clause& clause, std::size_t verb, Tense tense,
                  std::span<const std::size_t> own, std::span<const std::string> people) {
  const auto is_own = [&](std::size_t place) { return std::ranges::find(own, place) != own.end(); };
  // "Elsa är hämtad": whoever stands before it did not do it.
  if (tense == Tense::kParticiple) return {};
  for (std::size_t i = verb; i-- > 0;) {
    if (is_own(i) || IsAfterPreposition(clause, i)) continue;
    const Subject found = PersonAt(clause.words[i], people);
    if (clause.words[i].text == "du") {
      if (const Subject named = Addressed(clause, people); named.doer == Doer::kMember)
        return named;
    }
    if (found.doer != Doer::kUnsaid) return found;
  }
  // "Igår diskade Anna"; but "hämtade Elsa" with nothing before it.
  for (std::size_t i = verb + 1; i < clause.words.size() && i <= verb + 2; ++i) {
    if (is_own(i)) break;
    const Subject found = PersonAt(clause.words[i], people);
    const bool is_member = found.doer == Doer::kMember && verb > 0;
    const bool is_subject = is_member || IsSubjectPronoun(clause.words[i].text);
    if (is_subject && tense == Tense::kPast) return found;
    if (!IsIn(Adverbs(), clause.words[i].text)) break;
  }
  // "Grannen klippte gräset", "Mormor har bakat".
  const bool has_auxiliary = verb > 0 && IsOneOf(clause.words[verb - 1].text, {"har", "hade"});
  if (tense != Tense::kPast && !has_auxiliary) return {};
  std::size_t i = verb;
  while (i > 0 && IsIn(Adverbs(), clause.words[i - 1].text)) --i;
  if (i == 0 || is_own(i - 1) || IsAfterPreposition(clause, i - 1)) return {};
  const Word& before = clause.words[i - 1];
  const bool is_preposition = IsIn(Prepositions(), before.text);
  if (is_preposition || !LooksLikeSomebody(before)) return {};
  return {.doer = Doer::kOther, .name = {}};
}

Subject SubjectOf(const Clause& clause, std::span<const std::string> people) {
  for (std::size_t i = 0; i < clause.words.size() && i < 3; ++i) {
    if (IsAfterPreposition(clause, i)) continue;
    const Subject found = PersonAt(clause.words[i], people);
    if (found.doer != Doer::kUnsaid) return found;
    if (!IsIn(Adverbs(), clause.words[i].text)) return {};
  }
  return {};
}

bool IsNotSo(const Clause& clause, std::size_t verb, Tense tense) {
  if (clause.asks || IsCondition(clause, verb)) return true;
  const auto& words = clause.words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (IsIn(Usual(), words[i].text)) return true;
    const bool near = i < verb || (i <= verb + 3 && words[i].text != "utan");
    if (near && IsIn(Denials(), words[i].text)) return true;
  }
  if (HasBefore(clause, verb, Doubts())) return true;
  if (tense == Tense::kPast) return false;
  if (HasBefore(clause, verb, Modals())) return true;
  if (tense == Tense::kSupine) return false;
  return TellsWaitingTime(clause) ||
         std::ranges::any_of(words, [](const Word& word) { return IsIn(Future(), word.text); });
}

bool IsDoneWord(const Word& word) {
  static const WordSet kWords = {
      "klar",       "klart",        "klara",       "färdig",    "färdigt",   "färdiga",
      "done",       "check",        "avklarad",    "avklarat",  "avklarade", "gjord",
      "gjort",      "gjorda",       "fixad",       "fixat",     "fixade",    "fixat",
      "ordnad",     "ordnat",       "ordnade",     "bockad",    "bockat",    "överstökad",
      "överstökat", "undanstökad",  "undanstökat", "avbockad",  "avbockat",  "klarat",
      "utförd",     "utfört",       "hängd",       "upphängd",  "hängt",     "vikt",
      "slängd",     "slängda",      "utslängd",    "utslängda", "utburen",   "utburna",
      "serverad",   "undanplockad", "inplockad",   "urplockad", "struken",   "tömd",
      "tömda",      "tagen"};
  return IsIn(kWords, word.text);
}

bool IsDoneVerb(const Word& word) {
  static const WordSet kVerbs = {"ta",      "göra",  "fixa",  "klara", "köra", "sköta",
                                 "avsluta", "ordna", "beta",  "greja", "lösa", "avklara",
                                 "hinna",   "kirra", "bocka", "städa"};
  return std::ranges::any_of(word.forms, [](const VerbForm& form) {
    return IsIn(kVerbs, form.verb) && (form.tense == Tense::kPast || form.tense == Tense::kSupine);
  });
}

bool CompletesInfinitive(const Clause& clause, std::size_t verb) {
  static const WordSet kAuxiliaries = {"hann",  "hunnit",  "lyckades", "lyckats", "orkade",
                                       "orkat", "hjälpte", "hjälpt",   "fick",    "fått"};
  for (std::size_t i = verb; i-- > 0 && i + 5 > verb;) {
    if (IsIn(kAuxiliaries, clause.words[i].text)) return true;
    // "passade på att handla"
    if (clause.words[i].text == "på" && i > 0 &&
        IsOneOf(clause.words[i - 1].text, {"passade", "passat"})) {
      return true;
    }
  }
  return false;
}

bool FollowsPlacePreposition(const Clause& clause, std::size_t noun) {
  static const WordSet kPlace = {"från",  "till",   "på",   "i",     "efter", "före", "under",
                                 "inför", "mellan", "utan", "innan", "vid",   "kring"};
  for (std::size_t back = 1; back <= 2 && back <= noun; ++back) {
    if (IsIn(kPlace, clause.words[noun - back].text)) return true;
  }
  return false;
}

}  // namespace stator::systems::homeops
