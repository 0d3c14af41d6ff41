#include "wire/member_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "value/item_json.h"
#include "value/shape_error.h"
#include "value/value_problem.h"

namespace stator {
namespace {

constexpr std::string_view kModelPrefix = "com.amazonaws.dynamodb.v20120810.";

Error NotAStructure(JsonValue json, std::string_view model, MemberReader::Place place) {
  if (place == MemberReader::Place::kDocument) return Error::Serialization();
  if (json.kind() == JsonKind::kArray) {
    return Error::Serialization(
        fmt::format("Unrecognized collection type class {}{}", kModelPrefix, model));
  }
  return Error::Serialization(place == MemberReader::Place::kMember
                                  ? "Unexpected field type"
                                  : "Unexpected value type in payload");
}

// What DynamoDB says when a list inside a map, or a map inside a list, is something else.
Error NotACollectionElement() {
  return Error::Serialization(
      "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class "
      "java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and "
      "java.lang.Class are in module java.base of loader 'bootstrap')");
}

bool IsNumber(JsonValue json) {
  return json.kind() == JsonKind::kInteger || json.kind() == JsonKind::kDecimal;
}

}  // namespace

MemberReader::MemberReader(JsonValue json, ReadContext& context, std::string_view model,
                           Place place)
    : object_(json), context_(context) {
  if (json.kind() != JsonKind::kObject) Fail(NotAStructure(json, model, place));
}

void MemberReader::Fail(Error error) {
  if (!context_.error) context_.error = std::move(error);
}

void MemberReader::FailWord(std::string_view name, std::string_view text) {
  Fail(Error::Serialization(fmt::format("{} is '{}'", name, text)));
}

void MemberReader::Check(bool condition, std::string_view why) {
  if (!condition) Fail(Error::Serialization(std::string(why)));
}

void MemberReader::Unsupported(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (!Find(name)) continue;
    Fail(Error::Validation(fmt::format("{} is not supported by this version of Stator", name)));
  }
}

std::optional<std::string_view> MemberReader::TextOf(JsonValue json) {
  if (json.kind() == JsonKind::kString) return json.string();
  Fail(NotAString(json));
  return std::nullopt;
}

void MemberReader::Read(JsonValue json, std::string& text) {
  if (json.kind() != JsonKind::kString) return Fail(NotAString(json));
  text = json.string();
}

void MemberReader::Read(JsonValue json, bool& value) {
  if (json.kind() == JsonKind::kBool) {
    value = json.boolean();
    return;
  }
  std::optional<bool> read;
  if (json.kind() == JsonKind::kString) read = BooleanFromText(json.string());
  if (!read) return Fail(NotABoolean(json));
  value = *read;
}

void MemberReader::ReadInteger(JsonValue json, std::string_view java_type, std::int64_t& value) {
  if (!IsNumber(json)) return Fail(NotANumber(json, java_type));
  value = json.integer();
}

void MemberReader::Read(JsonValue json, double& value) {
  if (!IsNumber(json)) return Fail(NotANumber(json, "Double"));
  value = json.number();
}

void MemberReader::ReadTime(JsonValue json, std::int64_t& ms) {
  if (!IsNumber(json)) return Fail(NotANumber(json, "Date"));
  // Far beyond every date that can be written down.
  constexpr double kMaxSeconds = 1e12;
  ms = std::llround(std::clamp(json.number(), -kMaxSeconds, kMaxSeconds) * 1000);
}

void MemberReader::Long(std::string_view name, std::optional<std::int64_t>& member) {
  if (const auto json = Find(name)) ReadInteger(*json, "Long", member.emplace());
}

void MemberReader::Long(std::string_view name, std::int64_t& member) {
  if (const auto json = Find(name)) ReadInteger(*json, "Long", member);
}

void MemberReader::Time(std::string_view name, std::optional<std::int64_t>& ms) {
  if (const auto json = Find(name)) ReadTime(*json, ms.emplace());
}

void MemberReader::Time(std::string_view name, std::int64_t& ms) {
  if (const auto json = Find(name)) ReadTime(*json, ms);
}

void MemberReader::Range(std::string_view name, double& lower, double& upper) {
  const std::optional<JsonValue> json = Find(name);
  if (!json || !IsList(*json)) return;
  const std::vector<JsonValue> bounds = json->Elements();
  Check(bounds.size() == 2, "a range has two bounds");
  if (failed()) return;
  Read(bounds[0], lower);
  Read(bounds[1], upper);
}

void MemberReader::Flag(std::string_view name, bool& enabled) {
  if (const auto json = Find(name)) enabled = TextOf(*json) == "ENABLED";
}

// Owner is Item or AttributeValue.
template <class Owner>
bool MemberReader::IsGood(Result<Owner>& read) {
  if (!read) {
    Fail(std::move(read).error());
  } else if (const ValueProblem* problem = read->problem()) [[unlikely]] {
    context_.is_for_classic = context_.is_for_classic || problem->is_for_classic;
    if (context_.refuse_problems) {
      Fail(Error::Serialization(ProblemMessage(*problem, context_.wording)));
    }
  }
  return !failed();
}

void MemberReader::Read(JsonValue json, Item& item) {
  Result<Item> read = ReadItem(json, context_.wording);
  if (IsGood(read)) item = *std::move(read);
}

void MemberReader::operator()(std::string_view name, std::optional<Item>& member) {
  const std::optional<JsonValue> json = Find(name);
  if (!json) return;
  Result<Item> read = ReadItem(*json, context_.wording);
  if (IsGood(read)) member.emplace(*std::move(read));
}

void MemberReader::operator()(std::string_view name, std::optional<std::string>& member) {
  const std::optional<JsonValue> json = Find(name);
  if (!json) return;
  if (json->kind() != JsonKind::kString) return Fail(NotAString(*json));
  member.emplace(json->string());
}

void MemberReader::Read(JsonValue json, AttributeValue& value) {
  Result<AttributeValue> read = ReadAttributeValue(json, context_.wording, ValuePlace::kElement);
  if (IsGood(read)) value = *std::move(read);
}

void MemberReader::ReadMemberValue(JsonValue json, AttributeValue& value) {
  Result<AttributeValue> read = ReadAttributeValue(json, context_.wording, ValuePlace::kMember);
  if (IsGood(read)) value = *std::move(read);
}

void MemberReader::Read(JsonValue json, ItemList& items) {
  if (!IsList(json)) return;
  for (const JsonValue element : json.Elements()) {
    Item item;
    Read(element, item);
    if (failed()) return;
    items.Append(item.view());
  }
}

void MemberReader::Read(JsonValue json, std::vector<std::string>& list) {
  ReadElements(json, list);
}

void MemberReader::Read(JsonValue json, std::vector<AttributeValue>& list) {
  ReadElements(json, list);
}

void MemberReader::Read(JsonValue json, std::vector<Item>& list) {
  if (!IsList(json)) return;
  for (const JsonValue element : json.Elements()) {
    if (element.kind() != JsonKind::kObject && element.kind() != JsonKind::kArray) {
      return Fail(NotACollectionElement());
    }
    Read(element, list.emplace_back());
    if (failed()) return;
  }
}

void MemberReader::Read(JsonValue json, NameMap& map) {
  if (json.kind() != JsonKind::kObject) return Fail(NotAMapOf(json, "java.lang.String"));
  for (const auto& [key, value] : json.Members()) {
    Read(value, map.emplace_back(std::string(key), std::string()).second);
    if (failed()) return;
  }
}

void MemberReader::Read(JsonValue json, ValueMap& map) {
  if (!IsMapOf(json, "AttributeValue")) return;
  for (const auto& [key, value] : json.Members()) {
    Result<AttributeValue> read = ReadAttributeValue(value, context_.wording);
    if (!IsGood(read)) return;
    map.emplace_back(std::string(key), *std::move(read));
  }
}

void MemberReader::Read(JsonValue json, std::vector<std::pair<std::string, ItemList>>& map) {
  if (!IsMapOfListsOf(json, "AttributeMap")) return;
  for (const auto& [key, value] : json.Members()) {
    Read(value, map.emplace_back(std::string(key), ItemList()).second);
    if (failed()) return;
  }
}

bool MemberReader::IsList(JsonValue json) {
  if (json.kind() == JsonKind::kArray) return true;
  Fail(NotAList(json));
  return false;
}

bool MemberReader::IsListInMap(JsonValue json) {
  if (json.kind() == JsonKind::kArray) return true;
  Fail(json.kind() == JsonKind::kObject
           ? Error::Serialization("Start of structure or map found where not expected")
           : NotACollectionElement());
  return false;
}

bool MemberReader::IsMapOf(JsonValue json, std::string_view model) {
  if (json.kind() == JsonKind::kObject) return true;
  Fail(NotAMapOf(json, fmt::format("{}{}", kModelPrefix, model)));
  return false;
}

bool MemberReader::IsMapOfListsOf(JsonValue json, std::string_view model) {
  if (json.kind() == JsonKind::kObject) return true;
  Fail(NotAMapOf(json, fmt::format("java.util.List<{}{}>", kModelPrefix, model)));
  return false;
}

}  // namespace stator
