#include "api/member_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "value/item_json.h"
#include "value/shape_error.h"

namespace stator {
namespace {

constexpr std::string_view kModel = "com.amazonaws.dynamodb.v20120810.";
Error NotAStructure(JsonValue json, std::string_view structure, bool as_member) {
  if (structure.empty()) return Error::Serialization();
  if (json.kind() == JsonKind::kArray) {
    return Error::Serialization(
        fmt::format("Unrecognized collection type class {}{}", kModel, structure));
  }
  return Error::Serialization(as_member ? "Unexpected field type"
                                        : "Unexpected value type in payload");
}

std::optional<AttributeValue> ValueFrom(MemberReader& in, JsonValue json, Wording wording,
                                        ValuePlace place = ValuePlace::kElement) {
  Result<AttributeValue> value = ReadAttributeValue(json, wording, place);
  if (value) return *std::move(value);
  in.Fail(std::move(value).error());
  return std::nullopt;
}

std::optional<AttributeValue> Value(MemberReader& in, std::string_view name, Wording wording) {
  std::optional<JsonValue> json = in.Find(name);
  if (!json) return std::nullopt;
  return ValueFrom(in, *json, wording, ValuePlace::kMember);
}

}  // namespace

MemberReader::MemberReader(JsonValue json, std::string_view structure, bool as_member) {
  if (json.kind() == JsonKind::kObject) {
    object_ = json;
  } else {
    error_ = NotAStructure(json, structure, as_member);
  }
}

void MemberReader::Fail(Error error) {
  if (!error_) error_ = std::move(error);
}

std::optional<JsonValue> MemberReader::Find(std::string_view name) {
  if (error_) return std::nullopt;
  return object_->Member(name);
}

std::optional<std::string> MemberReader::StringFrom(JsonValue json) {
  if (json.kind() == JsonKind::kString) return std::string(json.string());
  Fail(NotAString(json));
  return std::nullopt;
}

std::optional<std::string> MemberReader::String(std::string_view name) {
  std::optional<JsonValue> json = Find(name);
  if (!json) return std::nullopt;
  return StringFrom(*json);
}

std::optional<bool> MemberReader::Boolean(std::string_view name) {
  std::optional<JsonValue> json = Find(name);
  if (!json) return std::nullopt;
  if (json->kind() == JsonKind::kBool) return json->boolean();
  std::optional<bool> value;
  if (json->kind() == JsonKind::kString) value = BooleanFromText(json->string());
  if (!value) Fail(NotABoolean(*json));
  return value;
}

std::optional<std::int64_t> MemberReader::Integer(std::string_view name, std::string_view type) {
  std::optional<JsonValue> json = Find(name);
  if (!json) return std::nullopt;
  if (json->kind() == JsonKind::kInteger || json->kind() == JsonKind::kDecimal) {
    return json->integer();
  }
  Fail(NotANumber(*json, type));
  return std::nullopt;
}

std::optional<std::int64_t> MemberReader::TimestampMs(std::string_view name) {
  std::optional<JsonValue> json = Find(name);
  if (!json) return std::nullopt;
  if (json->kind() != JsonKind::kInteger && json->kind() != JsonKind::kDecimal) {
    Fail(NotANumber(*json, "Date"));
    return std::nullopt;
  }
  // Far beyond every date that can be written down.
  constexpr double kMaxSeconds = 1e12;
  const double seconds = std::clamp(json->number(), -kMaxSeconds, kMaxSeconds);
  return std::llround(seconds * 1000);
}

std::optional<std::vector<JsonValue>> MemberReader::List(std::string_view name) {
  std::optional<JsonValue> json = Find(name);
  if (!json) return std::nullopt;
  if (json->kind() == JsonKind::kArray) return json->Elements();
  Fail(NotAList(*json));
  return std::nullopt;
}

std::optional<std::vector<AttributeValue>> MemberReader::ValueList(std::string_view name,
                                                                   Wording wording) {
  std::optional<std::vector<JsonValue>> elements = List(name);
  if (!elements) return std::nullopt;
  std::vector<AttributeValue> values;
  for (JsonValue element : *elements) {
    std::optional<AttributeValue> value = ValueFrom(*this, element, wording);
    if (!value) return std::nullopt;
    values.push_back(*std::move(value));
  }
  return values;
}

std::optional<std::vector<std::pair<std::string_view, JsonValue>>> MemberReader::Map(
    std::string_view name, std::string_view value_type) {
  std::optional<JsonValue> json = Find(name);
  if (!json) return std::nullopt;
  if (json->kind() == JsonKind::kObject) return json->Members();
  Fail(NotAMapOf(*json, value_type));
  return std::nullopt;
}

std::optional<std::vector<std::string>> MemberReader::Strings(std::string_view name) {
  std::optional<std::vector<JsonValue>> elements = List(name);
  if (!elements) return std::nullopt;
  std::vector<std::string> strings;
  for (JsonValue element : *elements) {
    std::optional<std::string> text = StringFrom(element);
    if (!text) return std::nullopt;
    strings.push_back(*std::move(text));
  }
  return strings;
}

std::optional<stator::Item> MemberReader::Item(std::string_view name, Wording wording) {
  std::optional<JsonValue> json = Find(name);
  if (!json) return std::nullopt;
  Result<stator::Item> item = ReadItem(*json, wording);
  if (item) return *std::move(item);
  Fail(std::move(item).error());
  return std::nullopt;
}

std::optional<NameMap> MemberReader::Names(std::string_view name) {
  auto members = Map(name, "java.lang.String");
  if (!members) return std::nullopt;
  NameMap names;
  for (const auto& [key, json] : *members) {
    std::optional<std::string> text = StringFrom(json);
    if (!text) return std::nullopt;
    names.emplace_back(std::string(key), *std::move(text));
  }
  return names;
}

std::optional<ValueMap> MemberReader::Values(std::string_view name, Wording wording) {
  if (!Find(name)) return std::nullopt;
  auto members = Map(name, fmt::format("{}AttributeValue", kModel));
  if (!members) return std::nullopt;
  ValueMap values;
  for (const auto& [key, json] : *members) {
    std::optional<AttributeValue> value = ValueFrom(*this, json, wording);
    if (!value) return std::nullopt;
    values.emplace_back(std::string(key), *std::move(value));
  }
  return values;
}

std::optional<ExpectedMap> MemberReader::Expected(std::string_view name, Wording wording) {
  return StructureMap<ExpectedAttribute>(
      name, "ExpectedAttributeValue", [wording](MemberReader& in, ExpectedAttribute& expected) {
        expected.value = Value(in, "Value", wording);
        expected.exists = in.Boolean("Exists");
        expected.comparison_operator = in.Enum<ComparisonOperator>("ComparisonOperator");
        expected.attribute_value_list = in.ValueList("AttributeValueList", wording);
      });
}

std::optional<LegacyConditionMap> MemberReader::Conditions(std::string_view name, Wording wording) {
  return StructureMap<LegacyCondition>(
      name, "Condition", [wording](MemberReader& in, LegacyCondition& condition) {
        if (auto values = in.ValueList("AttributeValueList", wording)) {
          condition.attribute_value_list = *std::move(values);
        }
        condition.comparison_operator = in.Enum<ComparisonOperator>("ComparisonOperator");
      });
}

std::optional<AttributeUpdateMap> MemberReader::AttributeUpdates(std::string_view name,
                                                                 Wording wording) {
  return StructureMap<AttributeUpdate>(name, "AttributeValueUpdate",
                                       [wording](MemberReader& in, AttributeUpdate& update) {
                                         update.value = Value(in, "Value", wording);
                                         update.action = in.Enum<AttributeAction>("Action");
                                       });
}

}  // namespace stator
