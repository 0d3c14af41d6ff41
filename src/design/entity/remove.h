// Deletions, and changes of the primary key.
#ifndef STATOR_ENTITY_REMOVE_H_
#define STATOR_ENTITY_REMOVE_H_

#include "entity/item_write.h"

namespace stator::entity {

EntityResult<Item> Delete(Context& context, std::string_view entity, const Item& key,
                          const WriteOptions& options);
EntityResult<Item> Rekey(Context& context, std::string_view entity, const Item& key,
                         const Change& change, const WriteOptions& options);

// The delete of the item and those of its sentinels. `current` is the item that is there; it may be
// null if the entity has no unique attributes.
EntityResult<std::vector<ItemWrite>> DeleteWrites(const Context& context, const Home& home,
                                                  const Item& item_key, const Item* current,
                                                  const WriteOptions& options);

}  // namespace stator::entity

#endif  // STATOR_ENTITY_REMOVE_H_
