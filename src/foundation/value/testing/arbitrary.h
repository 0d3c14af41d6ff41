// RapidCheck generators of number texts and attribute values.
#ifndef STATOR_VALUE_TESTING_ARBITRARY_H_
#define STATOR_VALUE_TESTING_ARBITRARY_H_

#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "stator/item.h"
#include "value/number.h"

namespace stator::testing {

// Text of a number in range, written in one of the many ways the grammar allows.
inline rc::Gen<std::string> NumberText() {
  return rc::gen::exec([] {
    const std::size_t length =
        *rc::gen::weightedElement<std::size_t>({{8, 3}, {4, 9}, {2, 20}, {1, 38}});
    std::string digits =
        *rc::gen::container<std::string>(*rc::gen::inRange<std::size_t>(1, length + 1),
                                         rc::gen::inRange('0', static_cast<char>('9' + 1)));
    const auto point = *rc::gen::inRange<std::size_t>(0, digits.size() + 1);
    const bool wide = *rc::gen::weightedElement<bool>({{3, false}, {1, true}});
    const int exponent = wide ? *rc::gen::inRange(-90, 85) : *rc::gen::inRange(-3, 4);
    const auto sign = *rc::gen::element<std::string>("", "-", "+");
    if (*rc::gen::arbitrary<bool>()) digits.insert(point, ".");
    return sign + digits + (exponent == 0 ? "" : "e" + std::to_string(exponent));
  });
}

inline rc::Gen<std::string> Text() {
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
                          "a", "b", "B", "0", "\"", "\\", "\n", "\x01", std::string(1, '\0'),
                          "\x7f", "é", "€", "😀", "long enough to leave the small string buffer ")),
                      [](const std::vector<std::string>& parts) {
                        std::string text;
                        for (const std::string& part : parts) text += part;
                        return text;
                      });
}

inline rc::Gen<std::string> Bytes() {
  return rc::gen::container<std::string>(
      rc::gen::oneOf(rc::gen::arbitrary<char>(), rc::gen::element('\0', '\x01', '\xff')));
}

template <class T>
std::vector<T> Distinct(const std::vector<T>& values) {
  std::vector<T> distinct;
  for (const T& value : values) {
    if (std::ranges::find(distinct, value) == distinct.end()) distinct.push_back(value);
  }
  return distinct;
}

// Texts of numbers that differ in value.
inline std::vector<std::string> DistinctNumbers(const std::vector<std::string>& texts) {
  std::set<std::string> seen;
  std::vector<std::string> distinct;
  for (const std::string& text : texts) {
    if (seen.insert(Number::Parse(text)->ToString()).second) distinct.push_back(text);
  }
  return distinct;
}

inline std::string NonEmpty(std::string name) { return name.empty() ? "n" : name; }

inline AttributeValue DrawScalarOrSet(int kind) {
  using Texts = std::vector<std::string>;
  const auto some = [](rc::Gen<std::string> gen) {
    Texts texts = *rc::gen::container<Texts>(std::move(gen));
    texts.push_back("7");
    return texts;
  };
  switch (kind) {
    case 0:
      return AttributeValue::String(*Text());
    case 1:
      return AttributeValue::Number(*NumberText());
    case 2:
      return AttributeValue::Binary(*Bytes());
    case 3:
      return AttributeValue::Bool(*rc::gen::arbitrary<bool>());
    case 4:
      return AttributeValue::Null();
    case 5:
      return AttributeValue::StringSet(Distinct(some(Text())));
    case 6:
      return AttributeValue::NumberSet(DistinctNumbers(some(NumberText())));
    default:
      return AttributeValue::BinarySet(Distinct(some(Bytes())));
  }
}

// REQUIRES: inside a property.
inline AttributeValue DrawValue(int depth) {
  const int kind = *rc::gen::inRange(0, depth > 0 ? 10 : 8);
  if (kind < 8) return DrawScalarOrSet(kind);
  const int count = *rc::gen::inRange(0, 4);
  if (kind == 8) {
    std::vector<AttributeValue> elements;
    for (int i = 0; i < count; ++i) elements.push_back(DrawValue(depth - 1));
    return AttributeValue::List(elements);
  }
  std::vector<std::pair<std::string, AttributeValue>> entries;
  for (int i = 0; i < count; ++i) entries.emplace_back(NonEmpty(*Text()), DrawValue(depth - 1));
  return AttributeValue::Map(entries);
}

inline std::vector<std::pair<std::string, AttributeValue>> DrawAttributes() {
  std::vector<std::pair<std::string, AttributeValue>> attributes;
  const int count = *rc::gen::inRange(0, 6);
  for (int i = 0; i < count; ++i) attributes.emplace_back(NonEmpty(*Text()), DrawValue(3));
  return attributes;
}

inline Item DrawItem() { return Item(DrawAttributes()); }

}  // namespace stator::testing

#endif  // STATOR_VALUE_TESTING_ARBITRARY_H_
