#include "client/response_parts.h"
#include "client/responses.h"

namespace stator {

void ReadMembers(MemberReader& in, GetItemResponse& response) {
  response.item = ReadItemMember(in, "Item");
  response.consumed_capacity = ReadCapacity(in);
}

void ReadMembers(MemberReader& in, WriteItemResponse& response) {
  response.attributes = ReadItemMember(in, "Attributes");
  response.consumed_capacity = ReadCapacity(in);
  response.item_collection_metrics = in.Structure<ItemCollectionMetrics>(
      "ItemCollectionMetrics", "ItemCollectionMetrics", ReadMetrics);
}

void ReadMembers(MemberReader& in, PageResponse& response) {
  response.items = ReadItemList(in, "Items");
  response.count = in.Integer("Count").value_or(0);
  response.scanned_count = in.Integer("ScannedCount").value_or(0);
  response.last_evaluated_key = ReadItemMember(in, "LastEvaluatedKey");
  response.consumed_capacity = ReadCapacity(in);
}

}  // namespace stator
