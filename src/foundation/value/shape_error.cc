#include "value/shape_error.h"

#include <algorithm>
#include <array>
#include <string>

namespace stator {
namespace {

constexpr std::string_view kUnexpectedStructure =
    "Start of structure or map found where not expected";
constexpr std::string_view kUnexpectedField = "Unexpected field type";
constexpr std::string_view kAttributeValue = "com.amazonaws.dynamodb.v20120810.AttributeValue";

std::string_view TokenName(JsonValue json) {
  switch (json.kind()) {
    case JsonKind::kBool:
      return json.boolean() ? "TRUE_VALUE" : "FALSE_VALUE";
    case JsonKind::kInteger:
      return "NUMBER_VALUE";
    case JsonKind::kDecimal:
      return "DECIMAL_VALUE";
    case JsonKind::kString:
      return "STRING_VALUE";
    default:
      return "VALUE_NULL";
  }
}

Error Serialization(std::string_view text) { return Error::Serialization(std::string(text)); }

Error Unrecognized(std::string_view type) {
  return Error::Serialization(std::string("Unrecognized collection type ").append(type));
}

Error NotConvertible(JsonValue json, std::string_view type) {
  return Error::Serialization(
      std::string(TokenName(json)).append(" cannot be converted to ").append(type));
}

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

}  // namespace

Error NotAString(JsonValue json) {
  switch (json.kind()) {
    case JsonKind::kArray:
      return Unrecognized("class java.lang.String");
    case JsonKind::kObject:
      return Serialization(kUnexpectedStructure);
    default:
      return NotConvertible(json, "String");
  }
}

Error NotANumber(JsonValue json, std::string_view type) {
  switch (json.kind()) {
    case JsonKind::kArray:
      return Unrecognized(std::string("class java.lang.").append(type));
    case JsonKind::kObject:
      return Serialization(kUnexpectedStructure);
    default:
      return NotConvertible(json, type);
  }
}

Error NotABoolean(JsonValue json) {
  switch (json.kind()) {
    case JsonKind::kArray:
      return Unrecognized("class java.lang.Boolean");
    case JsonKind::kObject:
      return Serialization(kUnexpectedStructure);
    case JsonKind::kString:
      return Serialization("Unexpected token received from parser");
    default:
      return NotConvertible(json, "Boolean");
  }
}

Error NotABlob(JsonValue json) {
  switch (json.kind()) {
    case JsonKind::kArray:
      return Unrecognized("class java.nio.ByteBuffer");
    case JsonKind::kObject:
      return Serialization(kUnexpectedStructure);
    default:
      return Serialization("only base-64-encoded strings are convertible to bytes");
  }
}

Error NotAList(JsonValue json) {
  return Serialization(json.kind() == JsonKind::kObject ? kUnexpectedStructure : kUnexpectedField);
}

Error NotAMapOf(JsonValue json, std::string_view value_type) {
  if (json.kind() != JsonKind::kArray) return Serialization(kUnexpectedField);
  return Unrecognized(
      std::string("java.util.Map<java.lang.String, ").append(value_type).append(">"));
}

Error NotAMapOfAttributeValues(JsonValue json) { return NotAMapOf(json, kAttributeValue); }

Error NotAnAttributeValue(JsonValue json, ValuePlace place) {
  if (json.kind() == JsonKind::kArray) {
    return Unrecognized(std::string("class ").append(kAttributeValue));
  }
  return Serialization(place == ValuePlace::kMember ? kUnexpectedField
                                                    : "Unexpected value type in payload");
}

Error NotBase64(Base64Status status, std::string_view text) {
  switch (status) {
    case Base64Status::kBadLength:
      return Error::Serialization(
          "Base64 encoded length is expected a multiple of 4 bytes but found: " +
          std::to_string(text.size()));
    case Base64Status::kBadCharacter:
      return Error::Serialization(std::string("Invalid Base64 character: '")
                                      .append(FirstBadBase64Character(text))
                                      .append("'"));
    default:
      return Serialization("Invalid last non-pad Base64 character dectected");
  }
}

std::optional<bool> BooleanFromText(std::string_view text) {
  constexpr std::array<std::string_view, 3> kTrue = {"true", "1", "yes"};
  constexpr std::array<std::string_view, 3> kFalse = {"false", "0", "no"};
  const auto matches = [&](std::string_view word) { return EqualsIgnoringCase(text, word); };
  if (std::ranges::any_of(kTrue, matches)) return true;
  if (std::ranges::any_of(kFalse, matches)) return false;
  return std::nullopt;
}

}  // namespace stator
