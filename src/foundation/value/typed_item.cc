#include "stator/typed_item.h"

#include <fmt/format.h>

#include "value/number.h"

namespace stator::typed {
namespace {

template <class T, class TextOf>
std::vector<std::string> Texts(const std::vector<T>& values, TextOf text_of) {
  std::vector<std::string> out;
  out.reserve(values.size());
  for (const T& value : values) out.push_back(text_of(value));
  return out;
}

}  // namespace

AttributeValue ToValue(std::string_view text) { return AttributeValue(text); }
AttributeValue ToValue(std::int64_t number) { return AttributeValue(number); }
AttributeValue ToValue(bool value) { return AttributeValue::Bool(value); }
AttributeValue ToValue(const Decimal& number) { return AttributeValue::Number(number.text); }
AttributeValue ToValue(const Bytes& bytes) { return AttributeValue::Binary(bytes.data); }
AttributeValue ToValue(const std::vector<std::string>& set) {
  return AttributeValue::StringSet(set);
}
AttributeValue ToValue(const std::vector<Decimal>& set) {
  return AttributeValue::NumberSet(Texts(set, [](const Decimal& number) { return number.text; }));
}
AttributeValue ToValue(const std::vector<Bytes>& set) {
  return AttributeValue::BinarySet(Texts(set, [](const Bytes& bytes) { return bytes.data; }));
}
AttributeValue ToValue(const Counters& counters) {
  std::vector<std::pair<std::string, AttributeValue>> entries;
  entries.reserve(counters.size());
  for (const auto& [name, count] : counters) entries.emplace_back(name, count);
  return AttributeValue::Map(entries);
}

bool FromValue(ValueView value, std::string& text) {
  if (value.type() != Type::kS) return false;
  text = value.S();
  return true;
}

bool FromValue(ValueView value, std::int64_t& number) {
  if (value.type() != Type::kN) return false;
  const std::optional<std::int64_t> whole = value.AsInt64();
  if (whole) number = *whole;
  return whole.has_value();
}

bool FromValue(ValueView value, bool& out) {
  if (value.type() != Type::kBool) return false;
  out = value.Bool();
  return true;
}

bool FromValue(ValueView value, Decimal& number) {
  if (value.type() != Type::kN) return false;
  number.text = value.N();
  return true;
}

bool FromValue(ValueView value, Bytes& bytes) {
  if (value.type() != Type::kB) return false;
  bytes.data = value.B();
  return true;
}

bool FromValue(ValueView value, std::vector<std::string>& set) {
  if (value.type() != Type::kSS) return false;
  for (const std::string_view member : value.Set().Members()) set.emplace_back(member);
  return true;
}

bool FromValue(ValueView value, std::vector<Decimal>& set) {
  if (value.type() != Type::kNS) return false;
  for (const std::string_view member : value.Set().Members()) {
    AppendNumberText(set.emplace_back(std::string()).text, member);
  }
  return true;
}

bool FromValue(ValueView value, std::vector<Bytes>& set) {
  if (value.type() != Type::kBS) return false;
  for (const std::string_view member : value.Set().Members()) set.push_back({std::string(member)});
  return true;
}

bool FromValue(ValueView value, Counters& counters) {
  if (value.type() != Type::kM) return false;
  counters.clear();
  for (const auto& [name, count] : value.Map()) {
    if (!FromValue(count, counters[std::string(name)])) return false;
  }
  return true;
}

bool FromValue(ValueView value, AttributeValue& out) {
  out = AttributeValue::FromView(value);
  return true;
}

std::string Text(std::int64_t number, int padded_digits) {
  return fmt::format("{:0{}d}", number, padded_digits);
}

Error MissingAttribute(std::string_view name) {
  return Error::Validation(fmt::format("The item has no attribute {}", name));
}

Error WrongAttribute(std::string_view name, ValueView value) {
  return Error::Validation(fmt::format("The attribute {} holds a {} that does not fit its type",
                                       name, TypeName(value.type())));
}

}  // namespace stator::typed
