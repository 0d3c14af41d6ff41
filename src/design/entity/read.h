// Read patterns: several queries at once, merged into one order.
#ifndef STATOR_ENTITY_READ_H_
#define STATOR_ENTITY_READ_H_

#include "entity/strand.h"

namespace stator::entity {

EntityResult<Page> ReadPage(Context& context, std::string_view pattern,
                            const PatternParameters& parameters, const PageOptions& options);
EntityResult<std::int64_t> Count(Context& context, std::string_view pattern,
                                 const PatternParameters& parameters);

// The stored items of the keys that are there, in the order of the keys.
EntityResult<std::vector<Item>> GetItems(Context& context, const Home& home,
                                         const std::vector<Item>& item_keys, bool strong);

// True if the item's time is over.
bool HasExpired(const Context& context, const model::Entity& entity, ItemView item);

}  // namespace stator::entity

#endif  // STATOR_ENTITY_READ_H_
