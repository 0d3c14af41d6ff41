// Three-valued evaluation of predicates, over what is known of an item.
#ifndef STATOR_MODEL_KEYS_TRUTH_H_
#define STATOR_MODEL_KEYS_TRUTH_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/model.h"

namespace stator::model {

enum class Truth : std::uint8_t { kFalse, kTrue, kUnknown };

// What is known of one attribute: its value, or only whether the item has it.
struct KnownAttribute {
  bool present = true;
  std::optional<std::string> value;

  static KnownAttribute Value(std::string text) { return {.value = std::move(text)}; }
  static KnownAttribute Present() { return {}; }
  static KnownAttribute Missing() { return {.present = false, .value = std::nullopt}; }
};
// By name. Nothing is known of an attribute that is not in the map.
using Known = std::map<std::string, KnownAttribute, std::less<>>;

Truth Evaluate(const Predicate& predicate, const Known& known);
Truth Evaluate(const Term& term, const Known& known);

bool Uses(const Predicate& predicate, std::string_view attribute);
std::vector<std::string> AttributesOf(const Predicate& predicate);

// Values for which one predicate holds and the other does not, tried over the values of enums,
// bools and states of the entity. Terms about other attributes are taken as true.
struct Difference {
  Known values;
  bool first_holds = false;  // `a` holds and `b` does not; else the reverse
};
std::optional<Difference> FindDifference(const Entity& entity, const Predicate& a,
                                         const Predicate& b);

}  // namespace stator::model

#endif  // STATOR_MODEL_KEYS_TRUTH_H_
