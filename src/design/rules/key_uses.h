// Every key of every entity, for rules that look at all of them.
#ifndef STATOR_RULES_KEY_USES_H_
#define STATOR_RULES_KEY_USES_H_

#include <string>
#include <vector>

#include "model/keys/key_access.h"
#include "model/model.h"

namespace stator::model {

// How one entity makes one key attribute of the table or of an index.
struct KeyUse {
  KeySchema schema;
  const Entity* entity = nullptr;
  const KeyAttribute* key = nullptr;
  bool sort = false;
  KeyTemplate made;

  bool base() const { return schema.index == nullptr; }
  std::string Target() const { return entity->name + "." + key->name; }
  Place place() const { return made.place.line > 0 ? made.place : entity->place; }
};

std::vector<KeyUse> KeyUses(const Model& model);

// The same, but an attribute that several keys share counts once, in the strictest role: in a sort
// key before a partition key, of the table before an index.
std::vector<KeyUse> DistinctKeyUses(const Model& model);

}  // namespace stator::model

#endif  // STATOR_RULES_KEY_USES_H_
