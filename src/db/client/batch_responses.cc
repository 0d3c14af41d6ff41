#include "client/response_parts.h"
#include "client/responses.h"

namespace stator {
namespace {

void ReadKeysMembers(MemberReader& in, KeysAndAttributes& keys) {
  if (const auto elements = in.List("Keys")) {
    keys.keys.emplace();
    for (const JsonValue element : *elements) {
      std::optional<Item> key = ReadWholeItem(in, element);
      if (!key) return;
      keys.keys->push_back(*std::move(key));
    }
  }
  keys.attributes_to_get = in.Strings("AttributesToGet");
  keys.consistent_read = in.Boolean("ConsistentRead");
  keys.projection_expression = in.String("ProjectionExpression");
  keys.expression_attribute_names = in.Names("ExpressionAttributeNames");
}

std::optional<Item> ReadHeldItem(MemberReader& in, std::string_view holder, std::string_view name) {
  auto held = in.Structure<std::optional<Item>>(
      holder, holder, [name](MemberReader& members, std::optional<Item>& item) {
        item = ReadItemMember(members, name);
      });
  return held.value_or(std::nullopt);
}

Result<WriteRequest> ReadWrite(JsonValue json) {
  MemberReader members(json);
  WriteRequest write;
  write.put_item = ReadHeldItem(members, "PutRequest", "Item");
  write.delete_key = ReadHeldItem(members, "DeleteRequest", "Key");
  // What comes back is sent again, so it has to be what was sent.
  if (write.put_item.has_value() == write.delete_key.has_value()) {
    members.Fail(Error::Serialization("a write is either a put or a delete"));
  }
  return members.Finish(std::move(write));
}

}  // namespace

void ReadMembers(MemberReader& in, BatchGetItemResponse& response) {
  ForEachMember(in, "Responses", [&](std::string table, JsonValue json) {
    if (json.kind() != JsonKind::kArray) return in.Fail(Error::Serialization("no list of items"));
    response.responses.emplace_back(std::move(table), ReadItems(in, json.Elements()));
  });
  auto keys =
      in.StructureMap<KeysAndAttributes>("UnprocessedKeys", "KeysAndAttributes", ReadKeysMembers);
  if (keys) response.unprocessed_keys = *std::move(keys);
  response.consumed_capacity = ReadCapacityList(in);
}

void ReadMembers(MemberReader& in, BatchWriteItemResponse& response) {
  ForEachMember(in, "UnprocessedItems", [&](std::string table, JsonValue json) {
    if (json.kind() != JsonKind::kArray) return in.Fail(Error::Serialization("no list of writes"));
    std::vector<WriteRequest> writes;
    for (const JsonValue element : json.Elements()) {
      Result<WriteRequest> write = ReadWrite(element);
      if (!write) return in.Fail(std::move(write).error());
      writes.push_back(*std::move(write));
    }
    response.unprocessed_items.emplace_back(std::move(table), std::move(writes));
  });
  response.item_collection_metrics = ReadMetricsOfTables(in);
  response.consumed_capacity = ReadCapacityList(in);
}

void ReadMembers(MemberReader& in, TransactGetItemsResponse& response) {
  auto items = in.Structures<std::optional<Item>>(
      "Responses", "ItemResponse",
      [](MemberReader& one, std::optional<Item>& item) { item = ReadItemMember(one, "Item"); });
  if (items) response.responses = *std::move(items);
  response.consumed_capacity = ReadCapacityList(in);
}

void ReadMembers(MemberReader& in, TransactWriteItemsResponse& response) {
  response.consumed_capacity = ReadCapacityList(in);
  response.item_collection_metrics = ReadMetricsOfTables(in);
}

}  // namespace stator
