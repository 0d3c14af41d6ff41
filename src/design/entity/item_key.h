// The primary key of an item, from the attributes that it is made of.
#ifndef STATOR_ENTITY_ITEM_KEY_H_
#define STATOR_ENTITY_ITEM_KEY_H_

#include "entity/context.h"

namespace stator::entity {

// `known` holds at least the sources of the base key; more does not hurt.
EntityResult<Item> ItemKey(const Home& home, const Item& known);

// The attributes of `given` that the base key is made of, checked. The rest is ignored, so that a
// stored item will do as a key.
EntityResult<Item> GivenSources(const Home& home, const Item& given);

// The primary key of an item as it is stored.
Item StoredKey(const model::Table& table, ItemView item);

// The attributes that the base key is made of.
std::vector<std::string> KeySources(const Home& home);

}  // namespace stator::entity

#endif  // STATOR_ENTITY_ITEM_KEY_H_
