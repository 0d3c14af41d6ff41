// The views of stator/item.h.
#include <cstddef>

#include "stator/item.h"
#include "value/encoding.h"
#include "value/number.h"

namespace stator {

std::string_view TypeName(Type type) {
  switch (type) {
    case Type::kS:
      return "S";
    case Type::kN:
      return "N";
    case Type::kB:
      return "B";
    case Type::kBool:
      return "BOOL";
    case Type::kNull:
      return "NULL";
    case Type::kSS:
      return "SS";
    case Type::kNS:
      return "NS";
    case Type::kBS:
      return "BS";
    case Type::kL:
      return "L";
    case Type::kM:
      return "M";
  }
  return "NULL";
}

namespace item_internal {

ValueView ReadElement(std::string_view& rest) { return encoding::ReadValue(rest); }

std::pair<std::string_view, ValueView> ReadAttribute(std::string_view& rest) {
  const std::string_view name = encoding::ReadBytes(rest);
  return {name, encoding::ReadValue(rest)};
}

}  // namespace item_internal

ValueView ValueView::Prefix(std::string_view bytes) {
  return ValueView(bytes.substr(0, encoding::ValueLength(bytes)));
}

Type ValueView::type() const { return encoding::TypeOfTag(encoded_.front()); }

std::string_view ValueView::S() const {
  std::string_view rest = encoded_.substr(1);
  return encoding::ReadBytes(rest);
}

std::string_view ValueView::B() const { return S(); }

std::string ValueView::N() const {
  std::string text;
  AppendNumberText(text, number());
  return text;
}

std::string_view ValueView::number() const { return encoded_.substr(2); }

bool ValueView::Bool() const { return encoded_.front() == encoding::kTrue; }

SetView ValueView::Set() const {
  std::string_view body = encoded_.substr(1 + encoding::kSizeBytes);
  const std::size_t count = encoding::ReadVarint(body);
  return {type(), body, count};
}

ListView ValueView::List() const {
  std::string_view body = encoded_.substr(1 + encoding::kSizeBytes);
  const std::size_t count = encoding::ReadVarint(body);
  return {body, count};
}

ItemView ValueView::Map() const { return ItemView(encoded_.substr(1 + encoding::kSizeBytes)); }

std::optional<std::int64_t> ValueView::AsInt64() const {
  if (type() != Type::kN) return std::nullopt;
  return Number::Decode(number()).AsInt64();
}

std::optional<ValueView> ListView::At(std::size_t index) const {
  if (index >= count_) return std::nullopt;
  Iterator element = begin();
  for (std::size_t i = 0; i < index; ++i) ++element;
  return *element;
}

std::vector<std::string_view> SetView::Members() const {
  std::vector<std::string_view> members;
  members.reserve(count_);
  std::string_view rest = body_;
  for (std::size_t i = 0; i < count_; ++i) members.push_back(encoding::ReadMember(type_, rest));
  return members;
}

bool SetView::Contains(std::string_view member) const {
  std::string_view rest = body_;
  for (std::size_t i = 0; i < count_; ++i) {
    const int order = encoding::ReadMember(type_, rest).compare(member);
    if (order >= 0) return order == 0;
  }
  return false;
}

ItemView::ItemView(std::string_view encoded) : encoded_(encoded), body_(encoded) {
  count_ = encoding::ReadVarint(body_);
}

std::optional<ValueView> ItemView::Find(std::string_view name) const {
  std::string_view rest = body_;
  for (std::size_t i = 0; i < count_; ++i) {
    const int order = encoding::ReadBytes(rest).compare(name);
    const std::size_t length = encoding::ValueLength(rest);
    if (order == 0) return ValueView(rest.substr(0, length));
    if (order > 0) return std::nullopt;
    rest.remove_prefix(length);
  }
  return std::nullopt;
}

}  // namespace stator
