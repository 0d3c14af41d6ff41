// New items.
#ifndef STATOR_ENTITY_CREATE_H_
#define STATOR_ENTITY_CREATE_H_

#include "entity/item_write.h"

namespace stator::entity {

// The put under the condition that the item is new, then the puts of its sentinels.
EntityResult<std::vector<ItemWrite>> CreateWrites(Context& context, const Home& home,
                                                  const Item& attributes);

// Completes an item: every derived key as the model says. Keys that must not be there are removed.
EntityResult<Item> WithDerivedKeys(Context& context, const Home& home, Item item);

EntityResult<Item> Create(Context& context, std::string_view entity, const Item& attributes);

// What it means that a write of a creation failed.
EntityError CreateError(const Home& home, const std::vector<ItemWrite>& writes,
                        const SendFailure& failure);

}  // namespace stator::entity

#endif  // STATOR_ENTITY_CREATE_H_
