#include "client/response_parts.h"

#include "client/responses.h"
#include "value/item_json.h"
#include "value/value_problem.h"

namespace stator {
namespace {

bool IsNumber(JsonValue json) {
  return json.kind() == JsonKind::kInteger || json.kind() == JsonKind::kDecimal;
}

std::optional<Item> Checked(MemberReader& in, std::optional<Item> item) {
  if (!item || item->problem() == nullptr) return item;
  in.Fail(Error::Serialization(ProblemMessage(*item->problem(), Wording::kCurrent)));
  return std::nullopt;
}

IndexUnits ReadArm(MemberReader& in, std::string_view name) {
  IndexUnits arm;
  ForEachMember(in, name, [&](std::string index, JsonValue json) {
    MemberReader members(json);
    const double units = ReadUnits(members, "CapacityUnits");
    if (members.failed()) return in.Fail(Error::Serialization("no capacity of an index"));
    arm.emplace_back(std::move(index), units);
  });
  return arm;
}

void ReadCapacityMembers(MemberReader& in, ConsumedCapacity& capacity) {
  capacity.table_name = in.String("TableName").value_or("");
  capacity.capacity_units = ReadUnits(in, "CapacityUnits");
  capacity.read_capacity_units = ReadOptionalUnits(in, "ReadCapacityUnits");
  capacity.write_capacity_units = ReadOptionalUnits(in, "WriteCapacityUnits");
  capacity.table_units = in.Structure<double>(
      "Table", "Capacity",
      [](MemberReader& table, auto& units) { units = ReadUnits(table, "CapacityUnits"); });
  capacity.global_secondary_indexes = ReadArm(in, "GlobalSecondaryIndexes");
  capacity.local_secondary_indexes = ReadArm(in, "LocalSecondaryIndexes");
}

}  // namespace

Error UnreadableAnswer(std::string_view why) {
  return Error::NoAnswer(std::string("the endpoint's answer cannot be read: ").append(why));
}

std::optional<Item> ReadItemMember(MemberReader& in, std::string_view name) {
  return Checked(in, in.Item(name, Wording::kCurrent));
}

std::optional<Item> ReadWholeItem(MemberReader& in, JsonValue json) {
  Result<Item> item = ReadItem(json, Wording::kCurrent);
  if (item) return Checked(in, *std::move(item));
  in.Fail(std::move(item).error());
  return std::nullopt;
}

ItemList ReadItems(MemberReader& in, const std::vector<JsonValue>& elements) {
  ItemList items;
  for (const JsonValue element : elements) {
    const std::optional<Item> item = ReadWholeItem(in, element);
    if (!item) break;
    items.Append(item->view());
  }
  return items;
}

std::optional<ItemList> ReadItemList(MemberReader& in, std::string_view name) {
  const std::optional<std::vector<JsonValue>> elements = in.List(name);
  if (!elements) return std::nullopt;
  return ReadItems(in, *elements);
}

std::optional<double> ReadOptionalUnits(MemberReader& in, std::string_view name) {
  const std::optional<JsonValue> json = in.Find(name);
  if (!json) return std::nullopt;
  if (IsNumber(*json)) return json->number();
  in.Fail(Error::Serialization(std::string(name) + " is not a number"));
  return std::nullopt;
}

double ReadUnits(MemberReader& in, std::string_view name) {
  return ReadOptionalUnits(in, name).value_or(0);
}

std::optional<ConsumedCapacity> ReadCapacity(MemberReader& in) {
  return in.Structure<ConsumedCapacity>("ConsumedCapacity", "ConsumedCapacity",
                                        ReadCapacityMembers);
}

std::optional<std::vector<ConsumedCapacity>> ReadCapacityList(MemberReader& in) {
  return in.Structures<ConsumedCapacity>("ConsumedCapacity", "ConsumedCapacity",
                                         ReadCapacityMembers);
}

void ReadMetrics(MemberReader& in, ItemCollectionMetrics& metrics) {
  metrics.item_collection_key = ReadItemMember(in, "ItemCollectionKey").value_or(Item());
  const std::optional<std::vector<JsonValue>> range = in.List("SizeEstimateRangeGB");
  if (!range) return;
  if (range->size() != 2 || !IsNumber((*range)[0]) || !IsNumber((*range)[1])) {
    return in.Fail(Error::Serialization("SizeEstimateRangeGB is not a range"));
  }
  metrics.size_estimate_lower_gb = (*range)[0].number();
  metrics.size_estimate_upper_gb = (*range)[1].number();
}

std::optional<MetricsOfTables> ReadMetricsOfTables(MemberReader& in) {
  MetricsOfTables tables;
  const bool found =
      ForEachMember(in, "ItemCollectionMetrics", [&](std::string table, JsonValue json) {
        if (json.kind() != JsonKind::kArray) return in.Fail(Error::Serialization("no list"));
        std::vector<ItemCollectionMetrics> list;
        for (const JsonValue element : json.Elements()) {
          MemberReader members(element);
          ItemCollectionMetrics metrics;
          if (!members.failed()) ReadMetrics(members, metrics);
          Result<ItemCollectionMetrics> one = members.Finish(std::move(metrics));
          if (!one) return in.Fail(std::move(one).error());
          list.push_back(*std::move(one));
        }
        tables.emplace_back(std::move(table), std::move(list));
      });
  if (!found) return std::nullopt;
  return tables;
}

}  // namespace stator
