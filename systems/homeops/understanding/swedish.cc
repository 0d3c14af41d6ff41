#include "systems/homeops/understanding/swedish.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace stator::systems::homeops {
namespace {

// --- characters

struct Character {
  std::string_view bytes;
  char32_t code = 0;
};

// The next character; a byte that begins none stands for itself.
Character Next(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (length > text.size()) return {text.substr(0, 1), first};
  char32_t code = length == 1 ? first : first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    code = (code << 6) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  return {text.substr(0, length), code};
}

bool IsMark(char32_t code) { return code >= 0x300 && code <= 0x36F; }
bool IsJoiner(char32_t code) { return code == 0x200D || (code >= 0xFE00 && code <= 0xFE0F); }
bool IsSymbol(char32_t code) { return (code >= 0x2100 && code <= 0x2BFF) || code >= 0x1F000; }
bool IsLetter(char32_t code) {
  if (code < 0x80) {
    return (code >= '0' && code <= '9') || (code >= 'a' && code <= 'z') ||
           (code >= 'A' && code <= 'Z');
  }
  return code >= 0xC0 && !IsSymbol(code) && !(code >= 0x2000 && code <= 0x20CF) && !IsJoiner(code);
}

// A letter that was typed as its base with a mark behind it, put together: the row U+00E0 … 00FF.
std::optional<char32_t> Composed(char base, char32_t mark) {
  struct Row {
    char32_t mark;
    std::string_view bases;
    std::array<char32_t, 6> letters;
  };
  static constexpr std::array<Row, 7> kRows = {
      {{0x300, "aeiou", {0xE0, 0xE8, 0xEC, 0xF2, 0xF9}},
       {0x301, "aeiouy", {0xE1, 0xE9, 0xED, 0xF3, 0xFA, 0xFD}},
       {0x302, "aeiou", {0xE2, 0xEA, 0xEE, 0xF4, 0xFB}},
       {0x303, "ano", {0xE3, 0xF1, 0xF5}},
       {0x308, "aeiouy", {0xE4, 0xEB, 0xEF, 0xF6, 0xFC, 0xFF}},
       {0x30A, "a", {0xE5}},
       {0x327, "c", {0xE7}}}};
  for (const Row& row : kRows) {
    const std::size_t at = row.bases.find(base);
    if (row.mark == mark && at != std::string_view::npos) return row.letters[at];
  }
  return std::nullopt;
}

void AppendLatin(std::string& word, char32_t code) {
  word += static_cast<char>(0xC0 | (code >> 6));
  word += static_cast<char>(0x80 | (code & 0x3F));
}

// In small letters; Å, Ä, Ö and the others of their row are U+00C0 … 00DE, the small ones 20
// further.
void AppendLower(std::string& word, const Character& character) {
  const char32_t code = character.code;
  if (IsMark(code) && !word.empty()) {
    if (const auto composed = Composed(word.back(), code)) {
      word.pop_back();
      return AppendLatin(word, *composed);
    }
  }
  if (code >= 'A' && code <= 'Z') {
    word += static_cast<char>(code + 0x20);
  } else if (code >= 0xC0 && code <= 0xDE && code != 0xD7) {
    AppendLatin(word, code + 0x20);
  } else {
    word += character.bytes;
  }
}

bool IsCapital(char32_t code) {
  return (code >= 'A' && code <= 'Z') || (code >= 0xC0 && code <= 0xDE && code != 0xD7);
}

TokenKind MarkOf(char32_t code) {
  switch (code) {
    case '?':
      return TokenKind::kQuestion;
    case '.':
    case '!':
    case '\n':
    case 0x2026:
      return TokenKind::kStop;
    case '"':
    case 0x201C:
    case 0x201D:
    case 0x201E:
    case 0xAB:
    case 0xBB:
      return TokenKind::kQuote;
    default:
      return TokenKind::kComma;
  }
}

// --- verbs

struct Conjugation {
  std::vector<std::string> infinitive, present, past, supine, participle;
};

std::vector<std::string> SplitAt(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// Verbs that do not go like "diska": infinitive, present, past, supine, participle; / parts forms of
// the same, also those that people write though they should not.
constexpr std::string_view kStrongVerbs = R"(
ta/taga tar tog tagit/tatt tagen/taget/tagna
göra gör gjorde gjort gjord/gjort/gjorda
gå går gick gått gången
vara är var/va varit -
bli/bliva blir/bliver blev/vart blivit -
ge/giva ger gav gett/givit -
få får fick fått -
ha/hava har hade haft -
se ser såg sett -
sitta sitter satt suttit -
ligga ligger låg legat -
stå står stod stått -
sova sover sov sovit -
dra/draga drar drog dragit dragen/draget/dragna
slå slår slog slagit slagen/slaget/slagna
komma kommer kom kommit -
springa springer sprang sprungit sprungen/sprungna
sticka sticker stack/stuckit stuckit -
dricka dricker drack druckit -
skriva skriver skrev skrivit -
hinna hinner hann hunnit -
bära bär bar burit buren/buret/burna
skära skär skar skurit skuren/skuret/skurna
suga suger sög sugit sugen/suget/sugna
dammsuga dammsuger dammsög/dammsugde/dammsugade dammsugit/dammsugat/dammsugt dammsugen/dammsuget/dammsugna/dammsugad
stryka stryker strök strukit struken/struket/strukna
vika viker vek vikt/vikit vikt/vikta/vikna/viken
lägga lägger la/lade lagt lagd/lagt/lagda
sätta sätter satte satt satt/satta
säga säger sa/sade sagt -
köpa köper köpte köpt köpt/köpta
köra kör körde kört körd/kört/körda
åka åker åkte åkt -
läsa läser läste läst läst/lästa
hjälpa hjälper hjälpte hjälpt hjälpt/hjälpta
klippa klipper klippte klippt klippt/klippta
steka steker stekte stekt stekt/stekta
byta byter bytte bytt bytt/bytta
fylla fyller fyllde fyllt fylld/fyllt/fyllda
tömma tömmer tömde tömt tömd/tömt/tömda
hänga hänger hängde hängt hängd/hängt/hängda
slänga slänger slängde slängt slängd/slängt/slängda
svänga svänger svängde svängt -
röja röjer röjde röjt röjd/röjt/röjda
höra hör hörde hört hörd/hört/hörda
förhöra förhör förhörde förhört förhörd/förhört/förhörda
löpa löper löpte löpt -
värma värmer värmde värmt värmd/värmt/värmda
leka leker lekte lekt -
bygga bygger byggde byggt byggd/byggt/byggda
böja böjer böjde böjt böjd
tända tänder tände tänt tänd/tänt/tända
vända vänder vände vänt vänd/vänt/vända
sköta sköter skötte skött skött/skötta
möta möter mötte mött -
lösa löser löste löst löst/lösta
skölja sköljer sköljde sköljt sköljd/sköljt/sköljda
bjuda bjuder bjöd bjudit bjuden/bjudna
gräva gräver grävde grävt grävd/grävt/grävda
gnida gnider gned gnidit -
sy syr sydde sytt sydd/sytt/sydda
ro ror rodde rott -
cykla cyklar cyklade cyklat cyklad)";

struct StrongVerbs {
  std::map<std::string, Conjugation, std::less<>> verbs;
  std::map<std::string, std::vector<VerbForm>, std::less<>> forms;
};

void AddForms(StrongVerbs& all, const std::string& verb, const std::vector<std::string>& forms,
              Tense tense) {
  for (const std::string& form : forms) {
    if (form != "-") all.forms[form].push_back({verb, tense});
  }
}

const StrongVerbs& TheStrongVerbs() {
  static const StrongVerbs kAll = [] {
    StrongVerbs all;
    for (const std::string& line : SplitAt(kStrongVerbs.substr(1), '\n')) {
      const std::vector<std::string> columns = SplitAt(line, ' ');
      const Conjugation verb{SplitAt(columns[0], '/'), SplitAt(columns[1], '/'),
                             SplitAt(columns[2], '/'), SplitAt(columns[3], '/'),
                             SplitAt(columns[4], '/')};
      const std::string& name = verb.infinitive.front();
      AddForms(all, name, verb.infinitive, Tense::kInfinitive);
      AddForms(all, name, verb.present, Tense::kPresent);
      AddForms(all, name, verb.past, Tense::kPast);
      AddForms(all, name, verb.supine, Tense::kSupine);
      AddForms(all, name, verb.participle, Tense::kParticiple);
      all.verbs.emplace(name, verb);
    }
    return all;
  }();
  return kAll;
}

// Verbs are compounded freely: storstädat is städat. Only with these; "misshandlat" is another verb.
constexpr auto kVerbPrefixes = std::to_array<std::string_view>(
    {"stor",   "hand", "snabb",   "grov",    "fin",     "vår",    "höst",   "jul",
     "vecko",  "helg", "fredags", "lördags", "söndags", "kvälls", "morgon", "efter",
     "färdig", "ren",  "in",      "upp",     "ut",      "ur",     "av",     "ny",
     "brand",  "våt",  "smyg",    "ned",     "ner",     "undan",  "bort",   "över"});

void AddRegularForms(std::string_view word, std::vector<VerbForm>& forms) {
  struct Ending {
    std::string_view ending;
    Tense tense;
  };
  static constexpr auto kEndings = std::to_array<Ending>({{"a", Tense::kInfinitive},
                                                          {"ar", Tense::kPresent},
                                                          {"ade", Tense::kPast},
                                                          {"at", Tense::kSupine},
                                                          {"ad", Tense::kParticiple},
                                                          {"at", Tense::kParticiple},
                                                          {"ade", Tense::kParticiple}});
  if (word.ends_with("rna")) return;  // soporna: a plural
  for (const auto& [ending, tense] : kEndings) {
    if (!word.ends_with(ending) || word.size() < ending.size() + 3) continue;
    forms.push_back({std::string(word.substr(0, word.size() - ending.size())) + "a", tense});
  }
}

// --- slips

std::vector<char32_t> LettersOf(std::string_view word) {
  std::vector<char32_t> letters;
  for (std::string_view rest = word; !rest.empty();) {
    const Character next = Next(rest);
    letters.push_back(next.code);
    rest.remove_prefix(next.bytes.size());
  }
  return letters;
}

bool AreNeighbours(char32_t a, char32_t b) {
  static const std::vector<std::vector<char32_t>> kRows = {
      LettersOf("qwertyuiopå"), LettersOf("asdfghjklöä"), LettersOf("zxcvbnm")};
  const auto place = [&](char32_t letter) -> std::optional<std::pair<int, int>> {
    for (std::size_t row = 0; row < kRows.size(); ++row) {
      const auto found = std::ranges::find(kRows[row], letter);
      if (found != kRows[row].end()) {
        return std::pair(static_cast<int>(row), static_cast<int>(found - kRows[row].begin()));
      }
    }
    return std::nullopt;
  };
  const auto first = place(a);
  const auto second = place(b);
  if (!first || !second) return false;
  const int rows = second->first - first->first;
  const int columns = second->second - first->second;
  if (rows == 0) return std::abs(columns) == 1;
  // The lower row stands half a key to the right.
  return std::abs(rows) == 1 && (columns == 0 || columns == -rows);
}

char32_t WithoutDots(char32_t letter) {
  switch (letter) {
    case 0xE5:
    case 0xE4:
      return 'a';
    case 0xF6:
      return 'o';
    default:
      return letter;
  }
}

// `longer` is `shorter` with one letter more.
bool HasOneMore(const std::vector<char32_t>& longer, const std::vector<char32_t>& shorter) {
  const auto [l, s] = std::ranges::mismatch(longer, shorter);
  return std::equal(l + 1, longer.end(), s, shorter.end());
}

}  // namespace

std::vector<Token> TokensOf(std::string_view text) {
  std::vector<Token> tokens;
  bool joined = false;  // the last token goes on
  while (!text.empty()) {
    const Character c = Next(text);
    const std::string_view after = text.substr(c.bytes.size());
    const bool digits = !tokens.empty() && joined && tokens.back().word.back() >= '0' &&
                        tokens.back().word.back() <= '9' && !after.empty() &&
                        after.front() >= '0' && after.front() <= '9';
    if (IsLetter(c.code) || (c.code == '/' && !joined)) {
      if (!joined || tokens.back().kind != TokenKind::kWord) {
        tokens.push_back({.word = {}, .capital = IsCapital(c.code)});
      }
      AppendLower(tokens.back().word, c);
      joined = true;
    } else if (IsSymbol(c.code)) {
      if (!joined || tokens.back().kind != TokenKind::kSymbol) {
        tokens.push_back({.kind = TokenKind::kSymbol, .word = {}});
      }
      tokens.back().word += c.bytes;
      joined = true;
    } else if (!IsJoiner(c.code) && !IsMark(c.code)) {
      joined = false;
      const bool hyphen = c.code == '-' && !after.empty() && after.front() != ' ';
      const bool silent = c.code == ' ' || c.code == '\t' || c.code == '\r' || c.code == '\'' ||
                          c.code == 0x2019 || c.code == 0xA0 || hyphen || digits;
      if (c.code == '&' || c.code == '+') {
        tokens.push_back({.word = "och"});
      } else if (!silent) {
        tokens.push_back({.kind = MarkOf(c.code), .word = {}});
      }
    }
    text = after;
  }
  return tokens;
}

std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words;
  for (Token& token : TokensOf(text)) {
    if (!token.word.empty()) words.push_back(std::move(token.word));
  }
  return words;
}

std::string Normalised(std::string_view text) {
  return fmt::to_string(fmt::join(WordsOf(text), " "));
}

bool ContainsPhrase(const std::vector<std::string>& words, const std::vector<std::string>& phrase) {
  return !phrase.empty() && !std::ranges::search(words, phrase).empty();
}

std::vector<VerbForm> VerbFormsOf(std::string_view word) {
  std::vector<VerbForm> forms;
  const StrongVerbs& strong = TheStrongVerbs();
  if (const auto found = strong.forms.find(word); found != strong.forms.end()) {
    forms = found->second;
  }
  AddRegularForms(word, forms);
  for (const std::string_view prefix : kVerbPrefixes) {
    if (!word.starts_with(prefix)) continue;
    const std::string_view rest = word.substr(prefix.size());
    if (rest.size() < 4) continue;
    if (const auto found = strong.forms.find(rest); found != strong.forms.end()) {
      forms.insert(forms.end(), found->second.begin(), found->second.end());
    }
    AddRegularForms(rest, forms);
  }
  return forms;
}

std::vector<std::string> FormsOfVerb(std::string_view infinitive) {
  const StrongVerbs& strong = TheStrongVerbs();
  std::vector<std::string> forms;
  if (const auto found = strong.verbs.find(infinitive); found != strong.verbs.end()) {
    const Conjugation& verb = found->second;
    for (const auto* part :
         {&verb.infinitive, &verb.present, &verb.past, &verb.supine, &verb.participle}) {
      std::ranges::copy_if(*part, std::back_inserter(forms),
                           [](const std::string& form) { return form != "-"; });
    }
    return forms;
  }
  if (!infinitive.ends_with('a')) return {std::string(infinitive)};
  for (const std::string_view ending : {"", "r", "de", "t", "d"}) {
    forms.push_back(fmt::format("{}{}", infinitive, ending));
  }
  return forms;
}

std::vector<std::string> NounStems(std::string_view word) {
  static constexpr auto kEndings = std::to_array<std::string_view>(
      {"arnas", "ernas", "ornas", "arna", "erna", "orna", "ans", "ens", "ets", "ar", "er", "or",
       "an", "en", "et", "na", "a", "e", "n"});
  std::vector<std::string> stems = {std::string(word)};
  for (const std::string_view ending : kEndings) {
    if (!word.ends_with(ending) || word.size() < ending.size() + 3) continue;
    stems.emplace_back(word.substr(0, word.size() - ending.size()));
  }
  // fönstren is fönster
  if (word.ends_with("ren") && word.size() > 5) {
    stems.push_back(std::string(word.substr(0, word.size() - 3)) + "er");
  }
  return stems;
}

bool IsSlipOf(std::string_view word, std::string_view meant) {
  const std::vector<char32_t> typed = LettersOf(word);
  const std::vector<char32_t> right = LettersOf(meant);
  if (typed.size() < 5 || right.size() < 5 || typed.front() != right.front()) return false;
  if (typed.size() == right.size()) {
    const bool no_dots = std::ranges::equal(
        typed, right, [](char32_t t, char32_t r) { return t == r || t == WithoutDots(r); });
    if (no_dots) return typed != right;
    const auto [t, r] = std::ranges::mismatch(typed, right);
    if (std::equal(t + 1, typed.end(), r + 1, right.end())) return AreNeighbours(*t, *r);
    return t + 1 != typed.end() && *t == *(r + 1) && *(t + 1) == *r &&
           std::equal(t + 2, typed.end(), r + 2, right.end());
  }
  if (std::min(typed.size(), right.size()) < 6) return false;
  if (typed.size() == right.size() + 1) return HasOneMore(typed, right);
  return typed.size() + 1 == right.size() && HasOneMore(right, typed);
}

}  // namespace stator::systems::homeops
