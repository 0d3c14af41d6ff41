#include "model/parse/attribute_size.h"

#include <algorithm>
#include <cmath>

namespace stator::model {
namespace {

constexpr double kGuessedDigits = 6;
constexpr double kCounterDigits = 4;
constexpr double kGuessedTextBytes = 20;
constexpr double kGuessedDocumentBytes = 100;

Amount Exactly(double bytes) { return {bytes, bytes}; }

double DigitsOf(double number) {
  const double magnitude = std::floor(std::abs(number));
  return magnitude < 10 ? 1 : std::floor(std::log10(magnitude)) + 1;
}

Amount EnumBytes(const Attribute& attribute) {
  Amount bytes;
  for (const std::string& value : attribute.values) {
    const auto length = static_cast<double>(value.size());
    const double size = attribute.type == Type::kN ? NumberBytes(length) : length;
    bytes.typical += size / static_cast<double>(attribute.values.size());
    bytes.max = std::max(bytes.max, size);
  }
  return bytes;
}

// A map takes 3 bytes, and 1 for each entry besides its name and value.
Amount CountersBytes(const Attribute& attribute) {
  double bytes = 3;
  for (const std::string& name : attribute.counters) {
    bytes += 1 + static_cast<double>(name.size()) + NumberBytes(kCounterDigits);
  }
  return Exactly(bytes);
}

// Zero if the unit does not say.
Amount UnitBytes(Unit unit) {
  switch (unit) {
    case Unit::kDate:
      return Exactly(10);
    case Unit::kIsoSeconds:
      return Exactly(20);
    case Unit::kIsoMilliseconds:
      return Exactly(24);
    case Unit::kIsoTime:
      return {24, 29};
    case Unit::kUlid:
      return Exactly(26);
    case Unit::kUuid:
      return Exactly(36);
    case Unit::kEpochSeconds:
      return Exactly(NumberBytes(10));
    case Unit::kEpochMilliseconds:
      return Exactly(NumberBytes(13));
    case Unit::kInteger:
    case Unit::kNone:
      return {};
  }
  return {};
}

Amount GuessedBytes(const Attribute& attribute) {
  switch (attribute.type) {
    case Type::kN:
      return Exactly(NumberBytes(attribute.counter ? kCounterDigits : kGuessedDigits));
    case Type::kS:
    case Type::kB:
      return Exactly(kGuessedTextBytes);
    default:
      return Exactly(kGuessedDocumentBytes);
  }
}

}  // namespace

double NumberBytes(double digits) { return 1 + std::ceil(std::min(digits, 38.0) / 2); }

void SetDefaultSize(Attribute& attribute) {
  attribute.size_stated = true;
  if (attribute.type == Type::kBool || attribute.type == Type::kNull) {
    attribute.bytes = Exactly(1);
  } else if (!attribute.values.empty()) {
    attribute.bytes = EnumBytes(attribute);
  } else if (!attribute.counters.empty()) {
    attribute.bytes = CountersBytes(attribute);
  } else if (const Amount bytes = UnitBytes(attribute.unit); bytes.max > 0) {
    attribute.bytes = bytes;
  } else if (attribute.type == Type::kN && attribute.range) {
    const auto& [low, high] = *attribute.range;
    attribute.bytes = Exactly(NumberBytes(std::max(DigitsOf(low), DigitsOf(high))));
  } else {
    attribute.bytes = GuessedBytes(attribute);
    attribute.size_stated = false;
  }
}

}  // namespace stator::model
