// Parts that answers share. Every function fails its reader where the JSON is not what it should be.
#ifndef STATOR_CLIENT_RESPONSE_PARTS_H_
#define STATOR_CLIENT_RESPONSE_PARTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/member_reader.h"
#include "stator/item.h"
#include "stator/operations.h"
#include "value/json.h"

namespace stator {

// An item that this version of Stator cannot hold fails the reader, too.
std::optional<Item> ReadItemMember(MemberReader& in, std::string_view name);
std::optional<Item> ReadWholeItem(MemberReader& in, JsonValue json);
std::optional<ItemList> ReadItemList(MemberReader& in, std::string_view name);
// Of a list that is known to be one.
ItemList ReadItems(MemberReader& in, const std::vector<JsonValue>& elements);

double ReadUnits(MemberReader& in, std::string_view name);
std::optional<double> ReadOptionalUnits(MemberReader& in, std::string_view name);

std::optional<ConsumedCapacity> ReadCapacity(MemberReader& in);
std::optional<std::vector<ConsumedCapacity>> ReadCapacityList(MemberReader& in);
void ReadMetrics(MemberReader& in, ItemCollectionMetrics& metrics);

using MetricsOfTables = std::vector<std::pair<std::string, std::vector<ItemCollectionMetrics>>>;
std::optional<MetricsOfTables> ReadMetricsOfTables(MemberReader& in);

// Calls `read(name, json)` for every member of the object called `name`, as long as none has failed.
template <class Read>
bool ForEachMember(MemberReader& in, std::string_view name, Read read) {
  const auto members = in.Map(name, "object");
  if (!members) return false;
  for (const auto& [key, json] : *members) {
    if (in.failed()) return false;
    read(std::string(key), json);
  }
  return true;
}

// One of a set of words; another word fails the reader, which says which one.
template <class E>
std::optional<E> ReadWord(MemberReader& in, std::string_view name) {
  const std::optional<std::string> text = in.String(name);
  if (!text) return std::nullopt;
  const std::optional<E> value = EnumFromText<E>(*text);
  if (!value) in.Fail(Error::Serialization(std::string(name) + " is '" + *text + "'"));
  return value;
}

}  // namespace stator

#endif  // STATOR_CLIENT_RESPONSE_PARTS_H_
