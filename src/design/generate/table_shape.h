// A table as DynamoDB and every infrastructure tool see it: key schemas, attribute definitions, projections.
#ifndef STATOR_GENERATE_TABLE_SHAPE_H_
#define STATOR_GENERATE_TABLE_SHAPE_H_

#include <optional>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace stator::model {

// KeySchema: partition attributes first, then sort attributes.
struct KeyElement {
  KeyAttribute attribute;
  bool sorts = false;
  std::string_view KeyType() const { return sorts ? "RANGE" : "HASH"; }
};
// REQUIRES: the table has a key.
std::vector<KeyElement> KeySchemaOf(const Table& table);
// A local index has the table's partition key.
std::vector<KeyElement> KeySchemaOf(const Table& table, const Index& index);

// The key attributes of the table and its indexes, each once, in the order in which they are met:
// what AttributeDefinitions must list, no more and no less.
std::vector<KeyAttribute> AttributeDefinitionsOf(const Table& table);
// … of the table and these of its indexes.
std::vector<KeyAttribute> AttributeDefinitionsOf(const Table& table,
                                                 const std::vector<const Index*>& indexes);

bool HasSeveralAttributes(const Index& index);  // in its partition or sort key
std::vector<const Index*> GlobalIndexes(const Table& table);
std::vector<const Index*> LocalIndexes(const Table& table);

std::string_view ProjectionName(const Projection& projection);  // "KEYS_ONLY"
std::string_view TableClassName(const Table& table);            // "STANDARD_INFREQUENT_ACCESS"

// What a provisioned table's index is given: its own, or as much as the table. None on demand,
// where DynamoDB refuses it.
std::optional<Capacity> CapacityOf(const Table& table, const Index& index);

}  // namespace stator::model

#endif  // STATOR_GENERATE_TABLE_SHAPE_H_
