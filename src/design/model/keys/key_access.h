// The keys of tables and indexes in one form, and how an entity makes them.
#ifndef STATOR_MODEL_KEYS_KEY_ACCESS_H_
#define STATOR_MODEL_KEYS_KEY_ACCESS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace stator::model {

// The key of a table (index == nullptr) or of one of its indexes. Points into the model.
struct KeySchema {
  const Table* table = nullptr;
  const Index* index = nullptr;
  std::vector<const KeyAttribute*> partition;
  std::vector<const KeyAttribute*> sort;

  bool Has(std::string_view attribute) const;  // is one of the key attributes
  std::string Name() const;                    // "jobs" or "jobs.StatusIndex"
};

KeySchema SchemaOf(const Table& table);
KeySchema SchemaOf(const Table& table, const Index& index);
// The table itself if `index` is null.
KeySchema SchemaOf(const Table& table, const Index* index);
// The table's own key, then those of its indexes.
std::vector<KeySchema> SchemasOf(const Table& table);

bool IsKeyOf(const Table& table, std::string_view attribute);
bool IsKeyOf(const Index& index, std::string_view attribute);
// The type that the table or one of its indexes gives to the attribute; text if it is not a key.
Type TypeOfKey(const Table& table, std::string_view attribute);

// How `entity` makes the key attribute: its template, or the attribute of that name itself. Absent:
// its items lack the attribute.
std::optional<KeyTemplate> TemplateFor(const Entity& entity, std::string_view key_attribute);
// The same for the table's own key, which every item has: never absent.
KeyTemplate BaseTemplateFor(const Entity& entity, std::string_view key_attribute);

// True if items of the entity can carry all attributes of this key.
bool Holds(const KeySchema& schema, const Entity& entity);

// Names of the attributes that make the partition key, or the whole key, of an entity.
std::vector<std::string> PartitionSources(const KeySchema& schema, const Entity& entity);
std::vector<std::string> KeySources(const KeySchema& schema, const Entity& entity);

// The values that the attribute can have, when they are few: of an enum, a bool, or the states of
// the entity's machine. Empty: not known.
std::vector<std::string> ValuesOf(const Entity& entity, std::string_view attribute);

}  // namespace stator::model

#endif  // STATOR_MODEL_KEYS_KEY_ACCESS_H_
