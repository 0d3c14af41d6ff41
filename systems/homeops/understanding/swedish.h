// Swedish as families write it: the words of a text, the forms of verbs and nouns, and slips of the
// keyboard. Nothing here knows what a household does.
#ifndef STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_SWEDISH_H_
#define STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_SWEDISH_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stator::systems::homeops {

// --- words

enum class TokenKind : std::uint8_t {
  kWord,
  kSymbol,    // emoji and the like
  kComma,     // whatever parts a sentence: , ; : ( ) and a dash
  kStop,      // whatever ends one: . ! … and a new line
  kQuestion,  // ?
  kQuote,     // " ” « »
};

struct Token {
  TokenKind kind = TokenKind::kWord;
  std::string word;      // in small letters, in Unicode's composed form
  bool capital = false;  // as it was written
};

std::vector<Token> TokensOf(std::string_view text);

// The words and symbols of a text: "Har DISKAT nu!" gives har, diskat, nu.
std::vector<std::string> WordsOf(std::string_view text);

// The same, joined by spaces: the form in which aliases are stored and looked up.
std::string Normalised(std::string_view text);

// True if the words of `phrase` stand next to each other among `words`.
bool ContainsPhrase(const std::vector<std::string>& words, const std::vector<std::string>& phrase);

// --- forms

enum class Tense : std::uint8_t {
  kInfinitive,  // diska; also the imperative
  kPresent,     // diskar
  kPast,        // diskade
  kSupine,      // (har) diskat
  kParticiple,  // (är) diskad
};

struct VerbForm {
  std::string verb;  // the infinitive
  Tense tense = Tense::kInfinitive;

  bool operator==(const VerbForm&) const = default;
};

// What a word is if it is the form of a verb: "diskade" is past and participle of "diska". Words
// with such endings that are no verbs get forms too.
std::vector<VerbForm> VerbFormsOf(std::string_view word);

// All forms of a verb, the infinitive first.
std::vector<std::string> FormsOfVerb(std::string_view infinitive);

// What is left of a noun without an ending of number or definiteness, in every way it can be cut:
// disken gives disken, disk and diske. Forms of one noun have a stem in common.
std::vector<std::string> NounStems(std::string_view word);

// --- slips

// True if `word` is `meant` with one slip: letters that changed places, a neighbouring key, a letter
// too many or too few (in long words), or the dots and rings left out.
bool IsSlipOf(std::string_view word, std::string_view meant);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_SWEDISH_H_
