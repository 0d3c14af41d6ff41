// Why a value from outside is not acceptable, and how DynamoDB reports it.
#ifndef STATOR_VALUE_VALUE_PROBLEM_H_
#define STATOR_VALUE_VALUE_PROBLEM_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/wording.h"
#include "stator/error.h"

namespace stator {

enum class NumberProblem : std::uint8_t;  // number.h

// Found while a value is read; reported later, at the operation's place in the order of checks.
struct ValueProblem {
  enum class Kind : std::uint8_t {
    kNoType,          // {}
    kSeveralTypes,    // {"S": …, "N": …}
    kNullFalse,       // {"NULL": false}
    kEmptySet,        // set_type says which
    kDuplicateInSet,  // members as sent
    // members[0] is the text as sent
    kNotANumber,
    kNumberOverflow,
    kNumberUnderflow,
    kTooManyDigits,
    kTooDeep,
    kEmptyName,    // an attribute name or map key of length 0
    kNameTooLong,  // one of more than kMaxNameBytes
    kNotUtf8,      // text built in this process; JSON is checked when it is parsed
  };
  Kind kind;
  char set_type = 'S';               // 'S', 'N' or 'B' for the set kinds
  std::vector<std::string> members;  // texts as sent; base64 for binary sets
  // Somewhere the item or value has more than kMaxCurrentNesting lists and maps in each other,
  // which DynamoDB's current generation of validation does not read (behaviour.md §0).
  bool is_for_classic = false;
};

inline constexpr int kMaxCurrentNesting = 62;

// Of an attribute's name, at any depth.
inline constexpr std::size_t kMaxNameBytes = 65'535;
inline constexpr std::string_view kEmptyNameMessage = "Empty attribute name";
inline constexpr std::string_view kNameTooLongMessage =
    "Attribute name is too large, must be less than 65536 bytes";
// What is wrong with the name of an attribute; empty if nothing is.
std::string_view NameMessage(std::string_view name);

// The problem of a text that Number::Parse refused.
ValueProblem NumberProblemOf(NumberProblem problem, std::string_view text);

// The bare message in the given generation, without an envelope and without any prefix of the place
// where the value stood.
std::string ProblemMessage(const ValueProblem& problem, Wording wording);

// True for the kinds that are put in an envelope by operations that use one (behaviour.md §0).
bool IsEnveloped(const ValueProblem& problem);

// The ValidationException for a problem in a plain position (an item, a key).
Error ProblemError(const ValueProblem& problem, Wording wording);

}  // namespace stator

#endif  // STATOR_VALUE_VALUE_PROBLEM_H_
