// Clauses of a message: who is said to do something, and whether it is said to be done at all.
//
//   "Har diskat, men Anna ska ta tvätten"  →  har diskat | anna ska ta tvätten
#ifndef STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_CLAUSE_H_
#define STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_CLAUSE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "systems/homeops/understanding/pattern.h"

namespace stator::systems::homeops {

struct Clause {
  std::vector<Word> words;
  bool starts_sentence = true;
  bool is_linked = false;  // to the clause before it, by "och" or a comma
  bool asks = false;
  bool is_checked = false;  // ✅
};

// Quoted words are left out: they are somebody else's.
std::vector<Clause> ClausesOf(std::string_view text);

// Who does what the word at `verb` says.
enum class Doer : std::uint8_t {
  kUnsaid,
  kWriter,  // jag, vi
  kMember,
  kOther,  // du, hon, grannen, somebody whom the chat does not know
};
struct Subject {
  Doer doer = Doer::kUnsaid;
  std::string name;  // of the member: one of the people
};

// `own` are places that belong to the deed: "blommorna vattnade" is not what the flowers did.
Subject SubjectOf(const Clause& clause, std::size_t verb, Tense tense,
                  std::span<const std::size_t> own, std::span<const std::string> people);

// The subject of a clause as a whole, for those that follow without one: "Anna åkte" in "Anna åkte
// och handlade".
Subject SubjectOf(const Clause& clause, std::span<const std::string> people);

// Denied, doubted, planned, wished, usual or still to come, though the verb at `verb` has this tense.
bool IsNotSo(const Clause& clause, std::size_t verb, Tense tense);

// A word that is only said of work that is over: klar, fixad, avklarat.
bool IsDoneWord(const Word& word);
// A verb that says so of whatever it stands with, in past or perfect: tog disken, fixat soporna.
bool IsDoneVerb(const Word& word);
// An auxiliary behind which an infinitive is done too: hann diska.
bool CompletesInfinitive(const Clause& clause, std::size_t verb);
// "från träningen": the noun tells a place or a time.
bool FollowsPlacePreposition(const Clause& clause, std::size_t noun);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_CLAUSE_H_
