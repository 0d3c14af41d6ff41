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
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/place.h"
#include "stator/clock.h"
#include "stator/item.h"

namespace stator::model {

struct Attribute;
struct Entity;

struct Operand {
  enum class Kind : std::uint8_t { kParameter, kNow, kText, kNumber, kBool };
  Kind kind = Kind::kText;
  std::string text;                // the parameter's name, the text, the digits, "true"
  std::string declared_type;       // "$now:num": the type that the code binds; empty: not stated
  std::chrono::seconds offset{0};  // of kNow

  bool IsLiteral() const { return kind != Kind::kParameter && kind != Kind::kNow; }
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

// "Status >= $t" as the model writes it.
std::string TermText(const Term& term);
std::string OperandText(const Operand& operand);
std::string_view ComparisonText(Comparison comparison);

// "30m", "7d": the largest unit that fits.
std::string DurationText(std::chrono::seconds duration);

// Whether the predicate holds for the item. A comparison with an attribute that the item lacks is
// false (`missing` and `<>` excepted, as in DynamoDB). Parameters are looked up by name.
using Parameters = std::function<std::optional<AttributeValue>(std::string_view name)>;
bool Holds(const Predicate& predicate, const Entity& entity, ItemView item, TimeMs now,
           const Parameters& parameters = nullptr);

// `now` as the attribute writes times: in its unit, as text or as a number.
AttributeValue TimeValue(const Attribute& attribute, TimeMs time);

// The value of an operand for an attribute; nullopt: a parameter that was not given.
std::optional<AttributeValue> OperandValue(const Operand& operand, const Attribute& attribute,
                                           TimeMs now, const Parameters& parameters);

}  // namespace stator::model

#endif  // STATOR_MODEL_KEYS_PREDICATE_H_
