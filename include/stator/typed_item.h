// Attributes as C++ values: what generated entity structs are read from and written to items with.
//
//   stator::Item item;
//   typed::Put(item, "age", std::int64_t{42});
//   std::int64_t age = 0;
//   Result<void> read = typed::Take(item.view(), "age", age);
//
// An enum takes part if its namespace has `std::string_view ToText(E)` and `bool FromText(
// std::string_view, E&)`.
#ifndef STATOR_TYPED_ITEM_H_
#define STATOR_TYPED_ITEM_H_

#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "stator/item.h"
#include "stator/result.h"

namespace stator {

// A number of up to 38 digits, as DynamoDB keeps it.
struct Decimal {
  std::string text = "0";
  Decimal() = default;
  explicit Decimal(std::string digits) : text(std::move(digits)) {}
  explicit Decimal(std::int64_t value) : text(std::to_string(value)) {}
  friend bool operator==(const Decimal&, const Decimal&) = default;
};

// Raw bytes: type B.
struct Bytes {
  std::string data;
  friend bool operator==(const Bytes&, const Bytes&) = default;
};

namespace typed {

template <class E>
concept TextEnum = std::is_enum_v<E> && requires(E value, std::string_view text) {
  { ToText(value) } -> std::convertible_to<std::string_view>;
  { FromText(text, value) } -> std::same_as<bool>;
};

using Counters = std::map<std::string, std::int64_t>;

AttributeValue ToValue(std::string_view text);
AttributeValue ToValue(std::int64_t number);
AttributeValue ToValue(bool value);
AttributeValue ToValue(const Decimal& number);
AttributeValue ToValue(const Bytes& bytes);
AttributeValue ToValue(const std::vector<std::string>& set);  // SS
AttributeValue ToValue(const std::vector<Decimal>& set);      // NS
AttributeValue ToValue(const std::vector<Bytes>& set);        // BS
AttributeValue ToValue(const Counters& counters);
inline AttributeValue ToValue(const std::string& text) { return ToValue(std::string_view(text)); }
inline AttributeValue ToValue(const char* text) { return ToValue(std::string_view(text)); }
inline const AttributeValue& ToValue(const AttributeValue& value) { return value; }
template <TextEnum E>
AttributeValue ToValue(E value) {
  return ToValue(std::string_view(ToText(value)));
}

// False if the value is of another type, or no whole number where one is wanted.
bool FromValue(ValueView value, std::string& text);
bool FromValue(ValueView value, std::int64_t& number);
bool FromValue(ValueView value, bool& out);
bool FromValue(ValueView value, Decimal& number);
bool FromValue(ValueView value, Bytes& bytes);
bool FromValue(ValueView value, std::vector<std::string>& set);
bool FromValue(ValueView value, std::vector<Decimal>& set);
bool FromValue(ValueView value, std::vector<Bytes>& set);
bool FromValue(ValueView value, Counters& counters);
bool FromValue(ValueView value, AttributeValue& out);
template <TextEnum E>
bool FromValue(ValueView value, E& out) {
  return value.type() == Type::kS && FromText(value.S(), out);
}

// A value inside a key template. A padded number has at least so many digits, zeros in front.
inline std::string Text(std::string_view text) { return std::string(text); }
inline std::string Text(const Decimal& number) { return number.text; }
std::string Text(std::int64_t number, int padded_digits = 0);
template <TextEnum E>
std::string Text(E value) {
  return std::string(ToText(value));
}

// Sets the attribute. What is absent, and a set without members, leaves the item as it is:
// DynamoDB has no empty sets.
template <class T>
void Put(Item& item, std::string_view name, const T& value) {
  item.Set(name, ToValue(value));
}
template <class T>
void Put(Item& item, std::string_view name, const std::vector<T>& set) {
  if (!set.empty()) item.Set(name, ToValue(set));
}
template <class T>
void Put(Item& item, std::string_view name, const std::optional<T>& value) {
  if (value) Put(item, name, *value);
}

Error MissingAttribute(std::string_view name);
Error WrongAttribute(std::string_view name, ValueView value);

// Reads the attribute, which must be there unless `out` is optional or a set.
template <class T>
Result<void> Take(ItemView item, std::string_view name, T& out) {
  const std::optional<ValueView> value = item.Find(name);
  if (!value) return std::unexpected(MissingAttribute(name));
  if (!FromValue(*value, out)) return std::unexpected(WrongAttribute(name, *value));
  return {};
}
template <class T>
Result<void> Take(ItemView item, std::string_view name, std::vector<T>& out) {
  out.clear();
  const std::optional<ValueView> value = item.Find(name);
  if (value && !FromValue(*value, out)) return std::unexpected(WrongAttribute(name, *value));
  return {};
}
template <class T>
Result<void> Take(ItemView item, std::string_view name, std::optional<T>& out) {
  out.reset();
  if (!item.Find(name)) return {};
  return Take(item, name, out.emplace());
}

}  // namespace typed
}  // namespace stator

#endif  // STATOR_TYPED_ITEM_H_
