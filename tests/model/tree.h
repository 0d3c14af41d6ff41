// The model's own items: plain trees of values.
#ifndef STATOR_TESTS_MODEL_TREE_H_
#define STATOR_TESTS_MODEL_TREE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/model/decimal.h"

namespace stator::model_test {

enum class Kind : std::uint8_t { kS, kN, kB, kBool, kNull, kSS, kNS, kBS, kL, kM };

// "S", "N", … as DynamoDB spells them.
std::string_view KindName(Kind kind);
bool IsSet(Kind kind);

struct Value;
using Attributes = std::map<std::string, Value, std::less<>>;

struct Value {
  Kind kind = Kind::kNull;
  std::string text;             // S, B
  Decimal number;               // N
  std::string spelling;         // N: how a request writes it; not part of the value
  bool truth = false;           // BOOL
  std::vector<Value> elements;  // L in order; sets ascending and distinct
  Attributes entries;           // M

  static Value S(std::string text);
  static Value N(std::string_view spelling);
  static Value N(Decimal number);
  static Value B(std::string bytes);
  static Value Bool(bool truth);
  static Value Null();
  static Value List(std::vector<Value> elements);
  static Value Map(Attributes entries);
  // Sorts the members and drops duplicates. REQUIRES: members of the set's scalar kind.
  static Value Set(Kind kind, std::vector<Value> members);

  // Deep equality: numbers by value, sets as sets.
  friend bool operator==(const Value& a, const Value& b);
};

// DynamoDB's order of two scalars of one kind: S and B by unsigned bytes, N by value.
// REQUIRES: the same kind, one of S, N, B.
std::strong_ordering CompareScalars(const Value& a, const Value& b);
bool IsScalarKey(Kind kind);

const Value* Find(const Attributes& item, std::string_view name);

// Sizes in bytes as DynamoDB counts them.
std::size_t SizeBytes(const Value& value);
std::size_t SizeBytes(const Attributes& item);

// For people: {pk: "a", sk: 1, …}. Long texts are shortened.
std::string Show(const Value& value);
std::string Show(const Attributes& item);
std::string Show(const std::optional<Attributes>& item);

}  // namespace stator::model_test

#endif  // STATOR_TESTS_MODEL_TREE_H_
