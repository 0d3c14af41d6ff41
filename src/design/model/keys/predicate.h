// Conditions on attributes, as `where`, `filter`, `sparse: {when: …}` and `finds` write them.
//
//   predicate := conjunction ('or' conjunction)*
//   conjunction := term (('and' | ',') term)*
//   term     := name op operand | name 'between' operand 'and' operand | name 'in' '(' operand, … ')'
//             | name 'begins_with' operand | name 'exists' | name 'missing'
//   name     := attribute | Entity '.' attribute
//   op       := '=' | '<>' | '<' | '<=' | '>' | '>='
//   operand  := '$' name | 'now' (('+' | '-') duration)? | number | 'text' | word
#ifndef STATOR_MODEL_KEYS_PREDICATE_H_
#define STATOR_MODEL_KEYS_PREDICATE_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "model/place.h"

namespace stator::model {

struct Operand {
  enum class Kind : std::uint8_t { kParameter, kNow, kText, kNumber, kBool };
  Kind kind = Kind::kText;
  std::string text;                // the parameter's name, the text, the digits, "true"
  std::string declared_type;       // "$now:num": the type that the code binds; empty: unsaid
  std::chrono::seconds offset{0};  // of kNow
};

enum class Comparison : std::uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kBetween,
  kBeginsWith,
  kIn,
  kContains,
  kExists,
  kMissing,
};

struct Term {
  std::string entity;  // empty: unsaid
  std::string attribute;
  Comparison comparison = Comparison::kEqual;
  std::vector<Operand> operands;
  Place place;
};

struct Predicate {
  std::vector<std::vector<Term>> any_of;  // an or of ands
  std::string text;
  Place place;
};

}  // namespace stator::model

#endif  // STATOR_MODEL_KEYS_PREDICATE_H_
