// What BatchGetItem and BatchWriteItem have in common.
#ifndef STATOR_API_ITEMS_BATCH_RULES_H_
#define STATOR_API_ITEMS_BATCH_RULES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/constraints.h"
#include "api/member_reader.h"
#include "stator/item.h"
#include "stator/operations.h"
#include "stator/result.h"
#include "value/json_writer.h"

namespace stator {

// A list of keys; DynamoDB has a message of its own for elements that are no maps.
std::optional<std::vector<Item>> ReadKeys(MemberReader& in, std::string_view name, Wording wording);
// What DynamoDB says when a list inside a map, or a map inside a list, is something else.
Error NotACollectionElement();

// Table names are the keys of RequestItems: all of them are wrong or none is.
void ConstrainTableKeyNames(Constraints& check, const std::vector<std::string_view>& names);
template <class Map>
void ConstrainTableKeys(Constraints& check, const Map& tables) {
  std::vector<std::string_view> names;
  for (const auto& entry : tables) names.push_back(entry.first);
  ConstrainTableKeyNames(check, names);
}

// "Provided list of item keys contains duplicates"
Result<void> CheckNoDuplicates(const std::vector<Item>& keys);

// One ConsumedCapacity a table, when it was asked for.
void WriteCapacityList(JsonWriter& out, const std::optional<std::vector<ConsumedCapacity>>& list);

}  // namespace stator

#endif  // STATOR_API_ITEMS_BATCH_RULES_H_
