#include "proof/item_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "model/estimate/item_size.h"
#include "value/size.h"

namespace stator::proof {
namespace {

using model::Attribute;
using model::Entity;
using model::StoredAttribute;
using model::Unit;

constexpr std::string_view kFillerName = "~";
constexpr std::size_t kMaxTextBytes = 400 * 1024;

// A text of `bytes` that ends with the number.
std::string PaddedText(std::uint64_t number, double bytes) {
  const auto length =
      static_cast<std::size_t>(std::clamp(std::round(bytes), 1.0, double{kMaxTextBytes}));
  std::string digits;
  do {
    digits.insert(digits.begin(), "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36]);
    number /= 36;
  } while (number != 0);
  if (digits.size() > length) return digits.substr(digits.size() - length);
  const std::size_t zeros =
      std::min<std::size_t>(8, length) - std::min(digits.size(), std::min<std::size_t>(8, length));
  digits.insert(0, zeros, '0');
  return std::string(length - digits.size(), 'x') + digits;
}

// A number with that many significant digits, the last of which is not zero.
std::string PaddedNumber(std::uint64_t number, double digits) {
  const auto count = static_cast<std::size_t>(std::clamp(std::round(digits), 1.0, 38.0));
  if (count == 1) return std::to_string(1 + number % 9);
  std::string text = "1" + std::string(count - 1, '0');
  std::string tail = std::to_string(number) + "7";
  if (tail.size() > count - 1) tail = tail.substr(tail.size() - (count - 1));
  text.replace(count - tail.size(), tail.size(), tail);
  return text;
}

std::string DateText(std::uint64_t number) {
  const std::chrono::sys_days day =
      std::chrono::sys_days(std::chrono::year(2026) / 1 / 1) + std::chrono::days(number % 2000000);
  const std::chrono::year_month_day date(day);
  return fmt::format("{:04d}-{:02d}-{:02d}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::string TimeText(std::uint64_t number, std::string_view end) {
  return fmt::format("{}T{:02d}:{:02d}:{:02d}{}", DateText(number / 86400), number / 3600 % 24,
                     number / 60 % 60, number % 60, end);
}

std::string TextOf(const Attribute& attribute, std::uint64_t number) {
  switch (attribute.unit) {
    case Unit::kDate:
      return DateText(number);
    case Unit::kIsoSeconds:
      return TimeText(number, "Z");
    case Unit::kIsoMilliseconds:
    case Unit::kIsoTime:
      return TimeText(number, ".000Z");
    case Unit::kUlid:
      return fmt::format("{:026d}", number);
    case Unit::kUuid:
      return fmt::format("00000000-0000-4000-8000-{:012x}", number);
    default:
      return PaddedText(number, attribute.bytes.typical);
  }
}

// Only texts are cut or filled; values of other types keep their size.
void Fit(Item& item, double wanted, const model::Table* table) {
  const auto target = static_cast<std::size_t>(std::max(0.0, std::ceil(wanted - 1e-6)));
  const std::size_t bytes = ItemSizeBytes(item.view());
  if (bytes + kFillerName.size() <= target) {
    item.Set(kFillerName, std::string(target - bytes - kFillerName.size(), 'x'));
    return;
  }
  if (bytes <= target) return;
  std::string longest;
  std::size_t length = 0;
  for (const auto& [name, value] : item.view()) {
    if (value.type() != Type::kS || value.S().size() <= length) continue;
    const bool key =
        table != nullptr && (model::IsKeyOf(*table, name) ||
                             std::ranges::any_of(table->indexes, [&](const model::Index& index) {
                               return model::IsKeyOf(index, name);
                             }));
    if (key) continue;
    longest = name;
    length = value.S().size();
  }
  const std::size_t excess = bytes - target;
  if (length > excess) item.Set(longest, std::string(length - excess, 'x'));
}

// Four digits each; the last one is not zero and depends on the text.
AttributeValue CountersOf(const Attribute& attribute, const std::string& text) {
  const int last = text.empty() ? 0 : static_cast<unsigned char>(text.back()) % 9;
  std::vector<std::pair<std::string, AttributeValue>> entries;
  for (const std::string& name : attribute.counters) entries.emplace_back(name, 1001 + last);
  return AttributeValue::Map(entries);
}

std::string Shortened(const std::string& text, std::size_t overhead) {
  return text.size() > overhead ? text.substr(overhead) : std::string();
}

}  // namespace

std::string ValueText(const Attribute& attribute, std::uint64_t number) {
  if (!attribute.values.empty()) return attribute.values.front();
  switch (attribute.type) {
    case Type::kN:
    case Type::kNS:
      return PaddedNumber(number, model::Digits(attribute).typical);
    case Type::kBool:
      return "false";
    default:
      return TextOf(attribute, number);
  }
}

AttributeValue ValueOf(const Attribute& attribute, const std::string& text) {
  switch (attribute.type) {
    case Type::kN:
      return AttributeValue::Number(text);
    case Type::kB:
      return AttributeValue::Binary(text);
    case Type::kBool:
      return AttributeValue::Bool(text == "true");
    case Type::kNull:
      return AttributeValue::Null();
    case Type::kSS:
      return AttributeValue::StringSet({text});
    case Type::kNS:
      return AttributeValue::NumberSet({text});
    case Type::kBS:
      return AttributeValue::BinarySet({text});
    case Type::kL:  // 3 bytes, and one per element
      return AttributeValue::List({AttributeValue::String(Shortened(text, 4))});
    case Type::kM:
      if (!attribute.counters.empty()) return CountersOf(attribute, text);
      return AttributeValue::Map({{"x", AttributeValue::String(Shortened(text, 5))}});
    default:
      return AttributeValue::String(text);
  }
}

std::string ItemMaker::SourceText(const std::string& name, std::uint64_t number,
                                  const Values& given) const {
  if (const auto it = given.find(name); it != given.end()) return it->second;
  const Attribute* attribute = entity_.FindAttribute(name);
  if (attribute != nullptr) return ValueText(*attribute, number);
  return name == "shard" ? "0" : PaddedText(number, 20);
}

std::string ItemMaker::KeyText(const model::KeyTemplate& key, std::uint64_t number,
                               const Values& given) const {
  if (const auto it = given.find(key.attribute); it != given.end()) return it->second;
  std::string text;
  for (const model::TemplatePart& part : key.parts) {
    std::string piece = part.is_placeholder ? SourceText(part.text, number, given) : part.text;
    const auto digits = static_cast<std::size_t>(std::max(0, part.padded_digits));
    if (piece.size() < digits) piece.insert(0, digits - piece.size(), '0');
    text += piece;
  }
  return text;
}

Item ItemMaker::Make(std::uint64_t number, const Values& given) const {
  const model::Table* table = model_.FindTable(entity_.table);
  Item item;
  for (const StoredAttribute& stored : model::StoredAttributes(model_, entity_)) {
    const bool asked =
        (index_ != nullptr && model::IsKeyOf(*index_, stored.name)) || given.contains(stored.name);
    if (!stored.usual && !asked) continue;
    const model::KeyTemplate* key = entity_.FindKey(stored.name);
    const Attribute* attribute = entity_.FindAttribute(stored.name);
    const std::string text =
        key != nullptr ? KeyText(*key, number, given) : SourceText(stored.name, number, given);
    if (text == kAbsent) continue;
    const bool derived = attribute == nullptr || (key != nullptr && !key->IsPlain());
    if (derived) {
      const bool numeric = table != nullptr && model::TypeOfKey(*table, stored.name) == Type::kN;
      item.Set(stored.name, numeric ? AttributeValue::Number(text) : AttributeValue::String(text));
    } else {
      item.Set(stored.name, ValueOf(*attribute, text));
    }
  }
  if (entity_.item_bytes) Fit(item, entity_.item_bytes->typical, table);
  return item;
}

}  // namespace stator::proof
