#include "engine/catalog/table_row.h"

#include "value/base64.h"

namespace stator::table_row {
namespace {

// The two texts of an element that is a pair.
std::optional<std::pair<std::string_view, std::string_view>> Pair(JsonValue json) {
  if (json.kind() != JsonKind::kArray) return std::nullopt;
  const std::vector<JsonValue> elements = json.Elements();
  if (elements.size() != 2) return std::nullopt;
  for (const JsonValue& element : elements) {
    if (element.kind() != JsonKind::kString) return std::nullopt;
  }
  return std::pair(elements[0].string(), elements[1].string());
}

}  // namespace

std::optional<JsonValue> Reader::Find(std::string_view key, JsonKind kind) {
  if (!ok_) return std::nullopt;
  std::optional<JsonValue> json = object_.Member(key);
  Require(json && json->kind() == kind);
  return ok_ ? json : std::nullopt;
}

std::vector<JsonValue> Reader::Elements(std::string_view key) {
  const std::optional<JsonValue> json = Find(key, JsonKind::kArray);
  return json ? json->Elements() : std::vector<JsonValue>();
}

std::string Reader::String(std::string_view key) {
  const std::optional<JsonValue> json = Find(key, JsonKind::kString);
  return json ? std::string(json->string()) : std::string();
}

std::string Reader::Bytes(std::string_view key) {
  std::string bytes;
  Require(AppendBase64Decoded(bytes, String(key)) == Base64Status::kOk);
  return bytes;
}

bool Reader::Bool(std::string_view key) {
  const std::optional<JsonValue> json = Find(key, JsonKind::kBool);
  return json && json->boolean();
}

std::int64_t Reader::Integer(std::string_view key) {
  const std::optional<JsonValue> json = Find(key, JsonKind::kInteger);
  return json ? json->integer() : 0;
}

std::optional<std::int64_t> Reader::OptionalInteger(std::string_view key) {
  if (!Has(key)) return std::nullopt;
  return Integer(key);
}

std::vector<std::string> Reader::Strings(std::string_view key) {
  std::vector<std::string> strings;
  for (const JsonValue& element : Elements(key)) {
    Require(element.kind() == JsonKind::kString);
    if (!ok_) return {};
    strings.emplace_back(element.string());
  }
  return strings;
}

std::vector<std::int64_t> Reader::Integers(std::string_view key) {
  std::vector<std::int64_t> integers;
  for (const JsonValue& element : Elements(key)) {
    Require(element.kind() == JsonKind::kInteger);
    if (!ok_) return {};
    integers.push_back(element.integer());
  }
  return integers;
}

std::vector<std::pair<std::string, std::string>> Reader::StringPairs(std::string_view key) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const JsonValue& element : Elements(key)) {
    const auto pair = Pair(element);
    Require(pair.has_value());
    if (!ok_) return {};
    pairs.emplace_back(pair->first, pair->second);
  }
  return pairs;
}

std::vector<std::pair<std::string, ScalarType>> Reader::Definitions(std::string_view key) {
  std::vector<std::pair<std::string, ScalarType>> definitions;
  for (auto& [name, word] : StringPairs(key)) {
    const std::optional<ScalarType> type = EnumFromText<ScalarType>(word);
    Require(type.has_value());
    if (!ok_) return {};
    definitions.emplace_back(std::move(name), *type);
  }
  return definitions;
}

std::vector<KeyAttribute> Reader::KeyAttributes(std::string_view key) {
  std::vector<KeyAttribute> attributes;
  for (auto& [name, type] : Definitions(key)) attributes.push_back({std::move(name), type});
  return attributes;
}

void WriteDefinition(JsonWriter& out, std::string_view name, ScalarType type) {
  out.BeginArray().String(name).String(EnumText(type)).EndArray();
}

void WriteKeyAttributes(JsonWriter& out, std::string_view key,
                        const std::vector<KeyAttribute>& attributes) {
  out.Key(key).BeginArray();
  for (const KeyAttribute& attribute : attributes) {
    WriteDefinition(out, attribute.name, attribute.type);
  }
  out.EndArray();
}

}  // namespace stator::table_row
