// Items that keep values unique: one for each unique value of an entity, in the entity's own table.
//
//   partition key := "UNIQUE#" entity "#" attribute ("+" attribute)* "#" value ("#" value)*
//   sort key      := the same text
//
// A '#' or '%' within a value is written as %23 or %25, so that two lists of values never meet.
#ifndef STATOR_ENTITY_SENTINELS_H_
#define STATOR_ENTITY_SENTINELS_H_

#include <vector>

#include "entity/item_write.h"

namespace stator::entity {

// The writes that go along when an item changes from `before` to `after`; either may be null: the
// item is created, or deleted. Nothing for values that stay.
EntityResult<std::vector<ItemWrite>> SentinelWrites(const Home& home, const Item* before,
                                                    const Item* after);

// True if one of the attributes belongs to a unique value.
bool TouchesUnique(const model::Entity& entity, const std::vector<std::string>& attributes);

}  // namespace stator::entity

#endif  // STATOR_ENTITY_SENTINELS_H_
