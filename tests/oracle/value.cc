#include "tests/oracle/value.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <utility>

namespace stator::oracle {

namespace {

// Both numbers have the same length and stand for integers.
std::string AddDigits(const std::string& a, const std::string& b) {
  std::string sum(a.size() + 1, '0');
  int carry = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    const int digit = (a[i] - '0') + (b[i] - '0') + carry;
    sum[i + 1] = static_cast<char>('0' + digit % 10);
    carry = digit / 10;
  }
  sum[0] = static_cast<char>('0' + carry);
  return sum;
}

// REQUIRES: a >= b, both of the same length.
std::string SubtractDigits(const std::string& a, const std::string& b) {
  std::string difference(a.size() + 1, '0');
  int borrow = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    int digit = (a[i] - '0') - (b[i] - '0') - borrow;
    borrow = digit < 0 ? 1 : 0;
    if (digit < 0) digit += 10;
    difference[i + 1] = static_cast<char>('0' + digit);
  }
  return difference;
}

}  // namespace

Decimal Decimal::Normalized(bool negative, std::string digits, int exponent) {
  const std::size_t first = digits.find_first_not_of('0');
  if (first == std::string::npos) return {};
  digits.erase(0, first);
  digits.erase(digits.find_last_not_of('0') + 1);
  Decimal number;
  number.negative_ = negative;
  number.digits_ = std::move(digits);
  number.exponent_ = exponent - static_cast<int>(first);
  return number;
}

Decimal Decimal::Parse(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  int exponent = 0;
  if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
    exponent = std::stoi(std::string(text.substr(e + 1)));
    text = text.substr(0, e);
  }
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string digits(text.substr(0, point));
  exponent += static_cast<int>(point);
  if (point < text.size()) digits += text.substr(point + 1);
  return Normalized(negative, std::move(digits), exponent);
}

std::size_t Decimal::IntegerDigits() const {
  return exponent_ <= 0 ? 0 : static_cast<std::size_t>(exponent_);
}

std::string Decimal::Text() const {
  if (digits_.empty()) return "0";
  const std::size_t whole = IntegerDigits();
  std::string text = negative_ ? "-" : "";
  if (whole == 0) {
    text += "0." + std::string(static_cast<std::size_t>(-exponent_), '0') + digits_;
  } else if (whole >= digits_.size()) {
    text += digits_ + std::string(whole - digits_.size(), '0');
  } else {
    text += digits_.substr(0, whole) + "." + digits_.substr(whole);
  }
  return text;
}

std::size_t Decimal::SizeBytes() const {
  if (digits_.empty()) return 1;
  // Zeros between the digits and the point are not significant.
  const std::size_t whole = std::min(IntegerDigits(), digits_.size());
  const std::size_t fraction = digits_.size() - whole;
  return 1 + (whole + 1) / 2 + (fraction + 1) / 2 + (negative_ ? 1 : 0);
}

Decimal Decimal::Negated() const {
  Decimal result = *this;
  if (!digits_.empty()) result.negative_ = !negative_;
  return result;
}

Decimal operator+(const Decimal& a, const Decimal& b) {
  const int exponent = std::max(a.exponent_, b.exponent_);
  std::string x = std::string(static_cast<std::size_t>(exponent - a.exponent_), '0') + a.digits_;
  std::string y = std::string(static_cast<std::size_t>(exponent - b.exponent_), '0') + b.digits_;
  const std::size_t length = std::max(x.size(), y.size());
  x.resize(length, '0');
  y.resize(length, '0');
  if (a.negative_ == b.negative_) {
    return Decimal::Normalized(a.negative_, AddDigits(x, y), exponent + 1);
  }
  if (x >= y) return Decimal::Normalized(a.negative_, SubtractDigits(x, y), exponent + 1);
  return Decimal::Normalized(b.negative_, SubtractDigits(y, x), exponent + 1);
}

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
  const auto sign = [](const Decimal& n) { return n.digits_.empty() ? 0 : n.negative_ ? -1 : 1; };
  if (sign(a) != sign(b)) return sign(a) <=> sign(b);
  if (sign(a) == 0) return std::strong_ordering::equal;
  const Decimal& low = a.negative_ ? b : a;
  const Decimal& high = a.negative_ ? a : b;
  if (low.exponent_ != high.exponent_) return low.exponent_ <=> high.exponent_;
  return low.digits_.compare(high.digits_) <=> 0;
}

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

namespace {

// Which parts of a value are wanted: all of it, or these children.
struct Wanted {
  bool all = false;
  std::map<PathElement, Wanted> children;
};

std::optional<Value> Cut(const Value& value, const Wanted& wanted) {
  if (wanted.all) return value;
  Value part{.kind = value.kind};
  for (const auto& [element, below] : wanted.children) {
    const Value* child = Step(value, element);
    std::optional<Value> cut = child ? Cut(*child, below) : std::nullopt;
    if (!cut) continue;
    if (const auto* name = std::get_if<std::string>(&element)) {
      part.entries[*name] = *std::move(cut);
    } else {
      part.elements.push_back(*std::move(cut));
    }
  }
  if (part.entries.empty() && part.elements.empty()) return std::nullopt;
  return part;
}

}  // namespace

std::string Show(const Path& path) {
  std::string text = path.attribute;
  for (const PathElement& element : path.below) {
    if (const auto* name = std::get_if<std::string>(&element)) {
      text += "." + *name;
    } else {
      text += "[" + std::to_string(std::get<std::size_t>(element)) + "]";
    }
  }
  return text;
}

const Value* Step(const Value& parent, const PathElement& element) {
  if (const auto* name = std::get_if<std::string>(&element)) {
    return parent.kind == Kind::kM ? Find(parent.entries, *name) : nullptr;
  }
  const std::size_t index = std::get<std::size_t>(element);
  if (parent.kind != Kind::kL || index >= parent.elements.size()) return nullptr;
  return &parent.elements[index];
}

const Value* Resolve(const Attributes& item, const Path& path) {
  const Value* value = Find(item, path.attribute);
  for (const PathElement& element : path.below) {
    if (!value) return nullptr;
    value = Step(*value, element);
  }
  return value;
}

Value* Resolve(Attributes& item, const Path& path) {
  return const_cast<Value*>(Resolve(std::as_const(item), path));
}

Attributes Project(const Attributes& item, const std::vector<Path>& paths) {
  std::map<std::string, Wanted> wanted;
  for (const Path& path : paths) {
    Wanted* node = &wanted[path.attribute];
    for (const PathElement& element : path.below) node = &node->children[element];
    node->all = true;
  }
  Attributes result;
  for (const auto& [name, parts] : wanted) {
    const Value* value = Find(item, name);
    std::optional<Value> cut = value ? Cut(*value, parts) : std::nullopt;
    if (cut) result[name] = *std::move(cut);
  }
  return result;
}

}  // namespace stator::oracle
