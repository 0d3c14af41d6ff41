// A table as DynamoDB and every infrastructure tool see it: key schemas, attribute definitions, projections, and how
// entities make its keys.
#ifndef STATOR_GENERATE_TABLE_SHAPE_H_
#define STATOR_GENERATE_TABLE_SHAPE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace stator {
class JsonWriter;
}

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
// … of the table and of `indexes` only.
std::vector<KeyAttribute> AttributeDefinitionsOf(const Table& table,
                                                 const std::vector<const Index*>& indexes);

bool HasSeveralAttributes(const Index& index);  // in its partition or sort key
std::vector<const Index*> GlobalIndexes(const Table& table);
std::vector<const Index*> LocalIndexes(const Table& table);

std::string_view ProjectionName(const Projection& projection);  // "KEYS_ONLY"
std::string_view TableClassName(const Table& table);            // "STANDARD_INFREQUENT_ACCESS"

// The members that DynamoDB's requests and NoSQL Workbench share, as JSON.
void WriteProjection(const Projection& projection, JsonWriter& json);
void WriteThroughput(const Capacity& capacity, JsonWriter& json);

// The capacity of an index of a provisioned table: its own, or else the table's. None on demand, where DynamoDB
// refuses it.
std::optional<Capacity> CapacityOf(const Table& table, const Index& index);

// Key templates as people write them: "ALIAS#<chatId>".

// "{scheduledFor:013d}#{callId}" → "<scheduledFor:013d>#<callId>".
std::string AngleText(const KeyTemplate& key);

// How the entity makes this key attribute: its template, or <name> where it is an attribute of the
// entity; empty where the entity has no such attribute.
std::string KeyText(const Entity& entity, std::string_view attribute);

// True if the attribute is made from others by a template, and so is not set by callers.
bool IsDerived(const Entity& entity, std::string_view attribute);

}  // namespace stator::model

#endif  // STATOR_GENERATE_TABLE_SHAPE_H_
