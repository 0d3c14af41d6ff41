// The reference's own numbers: exact decimals, kept as digits and an exponent.
//
// Written apart from value/number on purpose: the reference shares no code with what it judges.
#ifndef STATOR_TESTS_ORACLE_VALUE_H_
#define STATOR_TESTS_ORACLE_VALUE_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace stator::oracle {

class Decimal {
 public:
  Decimal() = default;
  // REQUIRES: `text` is a number as DynamoDB accepts it.
  static Decimal Parse(std::string_view text);

  // Plain decimal notation, as DynamoDB returns it.
  std::string Text() const;
  // Bytes that the number counts for in an item.
  std::size_t SizeBytes() const;

  Decimal Negated() const;
  friend Decimal operator+(const Decimal& a, const Decimal& b);
  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);
  friend bool operator==(const Decimal& a, const Decimal& b) = default;

 private:
  // Digits that stand before the point, none when the number is a pure fraction.
  std::size_t IntegerDigits() const;
  static Decimal Normalized(bool negative, std::string digits, int exponent);

  // The value is 0.d₁d₂… × 10^exponent; no zero at either end of the digits; zero has none.
  bool negative_ = false;
  std::string digits_;
  int exponent_ = 0;
};

// The reference's own items: plain trees of values.

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

// Document paths: doc.a[2].b

// A name of a map, or an index into a list.
using PathElement = std::variant<std::string, std::size_t>;
struct Path {
  std::string attribute;
  std::vector<PathElement> below;
  friend bool operator==(const Path& a, const Path& b) = default;
};

std::string Show(const Path& path);

// What is at the path; null when it is not there.
const Value* Resolve(const Attributes& item, const Path& path);
Value* Resolve(Attributes& item, const Path& path);
// One step down; null when it is not there or `parent` is of another kind.
const Value* Step(const Value& parent, const PathElement& element);

// The parts of the item at these paths, nesting kept, list elements compacted in their order.
// REQUIRES: no path is a prefix of another.
Attributes Project(const Attributes& item, const std::vector<Path>& paths);

}  // namespace stator::oracle

#endif  // STATOR_TESTS_ORACLE_VALUE_H_
