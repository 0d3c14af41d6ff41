// Items that come and go: creation, deletion, and changes of the primary key.
#ifndef STATOR_ENTITY_LIFECYCLE_H_
#define STATOR_ENTITY_LIFECYCLE_H_

#include "entity/conditional_write.h"

namespace stator::entity {

// The put under the condition that the item is new, then the puts of its sentinels.
EntityResult<std::vector<ConditionalWrite>> CreateWrites(Context& context, const Home& home,
                                                         const Item& attributes);

// Completes an item: every derived key as the model says. Keys that the item must not have are
// removed.
EntityResult<Item> WithDerivedKeys(Context& context, const Home& home, Item item);

EntityResult<Item> Create(Context& context, std::string_view entity, const Item& attributes);

EntityResult<Item> Delete(Context& context, std::string_view entity, const Item& key,
                          const WriteOptions& options);
EntityResult<Item> Rekey(Context& context, std::string_view entity, const Item& key,
                         const Change& change, const WriteOptions& options);

// The delete of the item and those of its sentinels. `current` is the stored item; it may be null
// if the entity has no unique attributes.
EntityResult<std::vector<ConditionalWrite>> DeleteWrites(const Context& context, const Home& home,
                                                         const Item& item_key, const Item* current,
                                                         const WriteOptions& options);

}  // namespace stator::entity

#endif  // STATOR_ENTITY_LIFECYCLE_H_
