#include "tests/oracle/translate.h"

#include <algorithm>
#include <utility>

namespace stator::oracle {
namespace {

std::vector<std::string> MemberTexts(const Value& set) {
  std::vector<std::string> members;
  for (const Value& member : set.elements) {
    members.push_back(member.kind == Kind::kN ? member.spelling : member.text);
  }
  return members;
}

// Members of a number set come in the encoding of a number; as a value of their own they can be
// read.
Value NumberMember(std::string_view member) {
  std::string encoded = "N";
  encoded += static_cast<char>(member.size());
  encoded += member;
  return Value::N(ValueView(encoded).N());
}

Value SetFromLibrary(Kind kind, const SetView& set) {
  // Kept in the order of the answer, so that an answer out of order is a difference.
  Value value{.kind = kind};
  for (const std::string_view member : set.Members()) {
    switch (kind) {
      case Kind::kSS:
        value.elements.push_back(Value::S(std::string(member)));
        break;
      case Kind::kBS:
        value.elements.push_back(Value::B(std::string(member)));
        break;
      default:
        value.elements.push_back(NumberMember(member));
    }
  }
  return value;
}

}  // namespace

AttributeValue ToLibrary(const Value& value) {
  switch (value.kind) {
    case Kind::kS:
      return AttributeValue::String(value.text);
    case Kind::kN:
      return AttributeValue::Number(value.spelling);
    case Kind::kB:
      return AttributeValue::Binary(value.text);
    case Kind::kBool:
      return AttributeValue::Bool(value.truth);
    case Kind::kNull:
      return AttributeValue::Null();
    case Kind::kSS:
      return AttributeValue::StringSet(MemberTexts(value));
    case Kind::kNS:
      return AttributeValue::NumberSet(MemberTexts(value));
    case Kind::kBS:
      return AttributeValue::BinarySet(MemberTexts(value));
    case Kind::kL: {
      std::vector<AttributeValue> elements;
      for (const Value& element : value.elements) elements.push_back(ToLibrary(element));
      return AttributeValue::List(elements);
    }
    case Kind::kM: {
      std::vector<std::pair<std::string, AttributeValue>> entries;
      for (const auto& [name, entry] : value.entries) entries.emplace_back(name, ToLibrary(entry));
      return AttributeValue::Map(entries);
    }
  }
  return {};
}

Item ToLibrary(const Attributes& item) {
  std::vector<std::pair<std::string, AttributeValue>> attributes;
  for (const auto& [name, value] : item) attributes.emplace_back(name, ToLibrary(value));
  return Item(attributes);
}

Value FromLibrary(ValueView value) {
  switch (value.type()) {
    case Type::kS:
      return Value::S(std::string(value.S()));
    case Type::kN:
      return Value::N(value.N());
    case Type::kB:
      return Value::B(std::string(value.B()));
    case Type::kBool:
      return Value::Bool(value.Bool());
    case Type::kNull:
      return Value::Null();
    case Type::kSS:
      return SetFromLibrary(Kind::kSS, value.Set());
    case Type::kNS:
      return SetFromLibrary(Kind::kNS, value.Set());
    case Type::kBS:
      return SetFromLibrary(Kind::kBS, value.Set());
    case Type::kM:
      return Value::Map(FromLibrary(value.Map()));
    case Type::kL:
      break;
  }
  std::vector<Value> elements;
  for (const ValueView element : value.List()) elements.push_back(FromLibrary(element));
  return Value::List(std::move(elements));
}

Attributes FromLibrary(ItemView item) {
  Attributes attributes;
  for (const auto& [name, value] : item) attributes[std::string(name)] = FromLibrary(value);
  return attributes;
}

std::optional<Attributes> FromLibrary(const std::optional<Item>& item) {
  if (!item) return std::nullopt;
  return FromLibrary(item->view());
}

std::string Placeholders::Name(const std::string& name) {
  auto found = std::ranges::find(names_, name);
  if (found == names_.end()) found = names_.insert(found, name);
  return "#n" + std::to_string(found - names_.begin());
}

std::string Placeholders::Value(const oracle::Value& value) {
  std::string placeholder = ":v" + std::to_string(values_.size());
  values_.emplace_back(placeholder, ToLibrary(value));
  return placeholder;
}

std::string Placeholders::Path(const oracle::Path& path) {
  std::string text = Name(path.attribute);
  for (const PathElement& element : path.below) {
    if (const auto* name = std::get_if<std::string>(&element)) {
      text += "." + Name(*name);
    } else {
      text += "[" + std::to_string(std::get<std::size_t>(element)) + "]";
    }
  }
  return text;
}

std::string Placeholders::Paths(const std::vector<oracle::Path>& paths) {
  std::string text;
  for (const oracle::Path& path : paths) text += (text.empty() ? "" : ", ") + Path(path);
  return text;
}

std::optional<NameMap> Placeholders::names() const {
  if (names_.empty()) return std::nullopt;
  NameMap names;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    names.emplace_back("#n" + std::to_string(i), names_[i]);
  }
  return names;
}

std::optional<ValueMap> Placeholders::values() const {
  if (values_.empty()) return std::nullopt;
  return values_;
}

}  // namespace stator::oracle
