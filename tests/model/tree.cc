#include "tests/model/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace stator::model_test {
namespace {

constexpr std::size_t kShownTextMax = 24;

std::strong_ordering CompareBytes(const std::string& a, const std::string& b) {
  const int order = std::memcmp(a.data(), b.data(), std::min(a.size(), b.size()));
  if (order != 0) return order <=> 0;
  return a.size() <=> b.size();
}

std::string ShowText(const std::string& text) {
  if (text.size() <= kShownTextMax) return text;
  return fmt::format("{}…({} bytes)", text.substr(0, 8), text.size());
}

std::string ShowBytes(const std::string& bytes) {
  std::string hex;
  for (const unsigned char byte : bytes.substr(0, kShownTextMax))
    hex += fmt::format("{:02x}", byte);
  return hex;
}

}  // namespace

std::string_view KindName(Kind kind) {
  constexpr std::array<std::string_view, 10> kNames = {"S",  "N",  "B",  "BOOL", "NULL",
                                                       "SS", "NS", "BS", "L",    "M"};
  return kNames.at(static_cast<std::size_t>(kind));
}

bool IsSet(Kind kind) { return kind == Kind::kSS || kind == Kind::kNS || kind == Kind::kBS; }
bool IsScalarKey(Kind kind) { return kind == Kind::kS || kind == Kind::kN || kind == Kind::kB; }

Value Value::S(std::string text) { return {.kind = Kind::kS, .text = std::move(text)}; }
Value Value::N(std::string_view spelling) {
  return {.kind = Kind::kN, .number = Decimal::Parse(spelling), .spelling = std::string(spelling)};
}
Value Value::N(Decimal number) {
  std::string spelling = number.Text();
  return {.kind = Kind::kN, .number = std::move(number), .spelling = std::move(spelling)};
}
Value Value::B(std::string bytes) { return {.kind = Kind::kB, .text = std::move(bytes)}; }
Value Value::Bool(bool truth) { return {.kind = Kind::kBool, .truth = truth}; }
Value Value::Null() { return {}; }
Value Value::List(std::vector<Value> elements) {
  return {.kind = Kind::kL, .elements = std::move(elements)};
}
Value Value::Map(Attributes entries) { return {.kind = Kind::kM, .entries = std::move(entries)}; }
Value Value::Set(Kind kind, std::vector<Value> members) {
  std::ranges::sort(members,
                    [](const Value& a, const Value& b) { return CompareScalars(a, b) < 0; });
  members.erase(std::ranges::unique(members).begin(), members.end());
  return {.kind = kind, .elements = std::move(members)};
}

bool operator==(const Value& a, const Value& b) {
  return a.kind == b.kind && a.text == b.text && a.number == b.number && a.truth == b.truth &&
         a.elements == b.elements && a.entries == b.entries;
}

std::strong_ordering CompareScalars(const Value& a, const Value& b) {
  return a.kind == Kind::kN ? a.number <=> b.number : CompareBytes(a.text, b.text);
}

const Value* Find(const Attributes& item, std::string_view name) {
  const auto found = item.find(name);
  return found == item.end() ? nullptr : &found->second;
}

std::size_t SizeBytes(const Value& value) {
  switch (value.kind) {
    case Kind::kS:
    case Kind::kB:
      return value.text.size();
    case Kind::kN:
      return value.number.SizeBytes();
    case Kind::kBool:
    case Kind::kNull:
      return 1;
    default:
      break;
  }
  std::size_t size = IsSet(value.kind) ? 0 : 3;
  for (const Value& element : value.elements) {
    size += SizeBytes(element) + (value.kind == Kind::kL ? 1 : 0);
  }
  return size + SizeBytes(value.entries) + value.entries.size();
}

std::size_t SizeBytes(const Attributes& item) {
  std::size_t size = 0;
  for (const auto& [name, value] : item) size += name.size() + SizeBytes(value);
  return size;
}

std::string Show(const Value& value) {
  switch (value.kind) {
    case Kind::kS:
      return fmt::format("\"{}\"", ShowText(value.text));
    case Kind::kN:
      return value.number.Text();
    case Kind::kB:
      return "x" + ShowBytes(value.text);
    case Kind::kBool:
      return value.truth ? "true" : "false";
    case Kind::kNull:
      return "null";
    case Kind::kM:
      return Show(value.entries);
    default:
      break;
  }
  std::string text;
  for (const Value& element : value.elements) text += (text.empty() ? "" : ", ") + Show(element);
  const std::string name = value.kind == Kind::kL ? "" : std::string(KindName(value.kind));
  return name + "[" + text + "]";
}

std::string Show(const Attributes& item) {
  std::string text;
  for (const auto& [name, value] : item) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", name, Show(value));
  }
  return "{" + text + "}";
}

std::string Show(const std::optional<Attributes>& item) { return item ? Show(*item) : "(none)"; }

}  // namespace stator::model_test
