// The keys of entities: which ones an entity fills, and from what.
#ifndef STATOR_RULES_ENTITY_KEYS_H_
#define STATOR_RULES_ENTITY_KEYS_H_

#include <string>
#include <string_view>
#include <vector>

#include "model/keys/key_access.h"
#include "model/model.h"

namespace stator::model {

// The attributes that a key attribute is made from: those of its template, or itself if it is a
// plain attribute of the entity. Empty: it is constant, or the entity does not fill it.
std::vector<std::string> KeySources(const Entity& entity, std::string_view key_attribute);

// Whether items of the entity have the key attribute.
bool Fills(const Entity& entity, std::string_view key_attribute);

// Whether the key attribute is computed: anything but the attribute of the same name.
bool IsComputed(const Entity& entity, std::string_view key_attribute);

// Partition attributes, then sort attributes.
std::vector<const KeyAttribute*> KeysOf(const Index& index);
std::vector<const KeyAttribute*> KeysOf(const Table& table);

// Whether items of the entity can be in the index.
bool IsIn(const Entity& entity, const Index& index);
std::vector<const Entity*> EntitiesIn(const Model& model, const Table& table, const Index& index);

// The sources of all these keys, each once.
std::vector<std::string> SourcesOf(const Entity& entity,
                                   const std::vector<const KeyAttribute*>& keys);

// Whether the attribute can be read from an entry of the index: it is projected, or a projected key
// is made from it alone, or it exists only as part of such a key.
bool Offers(const Table& table, const Index& index, const Entity& entity,
            std::string_view attribute);

// How one entity makes one key attribute of the table or of an index.
struct KeyUse {
  KeySchema schema;
  const Entity* entity = nullptr;
  const KeyAttribute* key = nullptr;
  bool sort = false;
  KeyTemplate made;

  std::string Target() const { return entity->name + "." + key->name; }
  Place place() const { return made.place.line > 0 ? made.place : entity->place; }
};

// Every key of every entity.
std::vector<KeyUse> KeyUses(const Model& model);

// The same, but an attribute that several keys share counts once, in the strictest role: in a sort
// key before a partition key, of the table before an index.
std::vector<KeyUse> DistinctKeyUses(const Model& model);

// Whether the value is a point in time.
bool IsTime(Unit unit);

}  // namespace stator::model

#endif  // STATOR_RULES_ENTITY_KEYS_H_
