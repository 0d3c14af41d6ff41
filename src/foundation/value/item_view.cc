// The views of stator/item.h.
#include <cstddef>
#include <tuple>
#include <utility>

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
namespace {

// Moves the front of `rest` to `at`, which lies inside it.
void SkipTo(std::string_view& rest, const char* at) {
  rest.remove_prefix(static_cast<std::size_t>(at - rest.data()));
}

}  // namespace

ValueView ReadElement(std::string_view& rest) {
  const char* at = rest.data();
  const ValueView value = encoding::ReadValue(at);
  SkipTo(rest, at);
  return value;
}

std::pair<std::string_view, ValueView> ReadAttribute(std::string_view& rest) {
  const char* at = rest.data();
  const std::string_view name = encoding::ReadBytes(at);
  const ValueView value = encoding::ReadValue(at);
  SkipTo(rest, at);
  return {name, value};
}

}  // namespace item_internal

ValueView ValueView::Prefix(std::string_view bytes) {
  return ValueView({bytes.data(), encoding::ValueEnd(bytes.data())});
}

Type ValueView::type() const { return encoding::TypeOfTag(encoded_.front()); }

std::string_view ValueView::S() const {
  const char* at = encoded_.data() + 1;
  return encoding::ReadBytes(at);
}

std::string_view ValueView::B() const { return S(); }

std::string ValueView::N() const {
  std::string text;
  AppendNumberText(text, number());
  return text;
}

std::string_view ValueView::number() const { return encoded_.substr(2); }

bool ValueView::Bool() const { return encoded_.front() == encoding::kTrue; }

namespace {

// What follows count:varint, and the count.
std::pair<std::string_view, std::size_t> SplitCount(std::string_view bytes) {
  const char* at = bytes.data();
  const std::size_t count = encoding::ReadVarint(at);
  return {{at, bytes.data() + bytes.size()}, count};
}

// The elements of a set or list.
std::pair<std::string_view, std::size_t> CountedBody(std::string_view encoded) {
  return SplitCount(encoded.substr(1 + encoding::kSizeBytes));
}

}  // namespace

SetView ValueView::Set() const {
  const auto [body, count] = CountedBody(encoded_);
  return {type(), body, count};
}

ListView ValueView::List() const {
  const auto [body, count] = CountedBody(encoded_);
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
  const char* at = body_.data();
  for (std::size_t i = 0; i < count_; ++i) members.push_back(encoding::ReadMember(type_, at));
  return members;
}

bool SetView::Contains(std::string_view member) const {
  const char* at = body_.data();
  for (std::size_t i = 0; i < count_; ++i) {
    const int order = encoding::ReadMember(type_, at).compare(member);
    if (order >= 0) return order == 0;
  }
  return false;
}

ItemView::ItemView(std::string_view encoded) : encoded_(encoded) {
  std::tie(body_, count_) = SplitCount(encoded);
}

std::optional<ValueView> ItemView::Find(std::string_view name) const {
  if (name.empty()) return std::nullopt;  // no name is empty
  const char* at = body_.data();
  for (std::size_t left = count_; left != 0; --left) {
    const int order = encoding::CompareNames(encoding::ReadBytes(at), name);
    if (order == 0) return encoding::ReadValue(at);
    if (order > 0) return std::nullopt;
    at = encoding::ValueEnd(at);
  }
  return std::nullopt;
}

}  // namespace stator
