#include "api/items/batch_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/consumed_capacity.h"
#include "api/request_rules.h"
#include "api/tables/table_reference.h"
#include "value/item_json.h"

namespace stator {
namespace {

bool IsTableName(std::string_view name) {
  if (IsArn(name)) return name.size() <= 1024;
  return !name.empty() && name.size() <= 255 && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '.' || c == '-';
  });
}

}  // namespace

Error NotACollectionElement() {
  return Error::Serialization(
      "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class "
      "java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and "
      "java.lang.Class are in module java.base of loader 'bootstrap')");
}

std::optional<std::vector<Item>> ReadKeys(MemberReader& in, std::string_view name,
                                          Wording wording) {
  const std::optional<std::vector<JsonValue>> elements = in.List(name);
  if (!elements) return std::nullopt;
  std::vector<Item> keys;
  for (const JsonValue& element : *elements) {
    if (element.kind() != JsonKind::kObject && element.kind() != JsonKind::kArray) {
      in.Fail(NotACollectionElement());
      return std::nullopt;
    }
    Result<Item> key = ReadItem(element, wording);
    if (!key) {
      in.Fail(std::move(key).error());
      return std::nullopt;
    }
    keys.push_back(*std::move(key));
  }
  return keys;
}

void ConstrainTableKeyNames(Constraints& check, const std::vector<std::string_view>& names) {
  if (std::ranges::all_of(names, IsTableName)) return;
  check.Fail(Constraints::Quoted(fmt::format("{{{}}}", fmt::join(names, ", "))), "requestItems",
             "Map keys must satisfy constraint: [Member must have length less than or equal to "
             "255, Member must have length greater than or equal to 3, Member must satisfy regular "
             "expression pattern: [a-zA-Z0-9_.-]+]");
}

Result<void> CheckNoDuplicates(const std::vector<Item>& keys) {
  std::vector<std::string_view> encoded;
  encoded.reserve(keys.size());
  for (const Item& key : keys) encoded.push_back(key.encoded());
  std::ranges::sort(encoded);
  if (std::ranges::adjacent_find(encoded) == encoded.end()) return {};
  return Invalid("Provided list of item keys contains duplicates");
}

void WriteCapacityList(JsonWriter& out, const std::optional<std::vector<ConsumedCapacity>>& list) {
  if (!list) return;
  out.Key("ConsumedCapacity").BeginArray();
  for (const ConsumedCapacity& capacity : *list) Write(out, capacity);
  out.EndArray();
}

}  // namespace stator
