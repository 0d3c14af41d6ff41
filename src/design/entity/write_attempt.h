// What all writes of entities share: reading the item, conditions from options, what a failure
// means and when to try again.
#ifndef STATOR_ENTITY_WRITE_ATTEMPT_H_
#define STATOR_ENTITY_WRITE_ATTEMPT_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "entity/conditional_write.h"
#include "model/keys/predicate.h"

namespace stator::entity {

// The item as it is now, read strongly.
EntityResult<std::optional<Item>> ReadItem(Context& context, const Home& home, const Item& key,
                                           bool strong = true);

// The error of a write that failed for good.
EntityError ErrorOf(const SendFailure& failure);
EntityError MissingError(const Home& home);
EntityError ExistsError(const Home& home, std::optional<Item> item);

// Waits a little, longer after each attempt, before a transaction that lost to another is sent
// again.
void WaitForOthers(Context& context, int attempt);

// The parsed `only_if`; nothing for an empty text.
EntityResult<std::optional<model::Predicate>> ParsedCondition(const std::string& only_if);
model::Parameters ParametersOf(const std::vector<std::pair<std::string, AttributeValue>>& given);

// Adds the conditions that the options ask for.
EntityResult<void> AddOptions(const Context& context, const Home& home, const WriteOptions& options,
                              const std::optional<model::Predicate>& only_if,
                              ConditionalWrite& write);
// Why the options refuse the stored item; nullopt: they do not.
std::optional<EntityError> JudgeOptions(const Context& context, const Home& home,
                                        const WriteOptions& options,
                                        const std::optional<model::Predicate>& only_if,
                                        const Item& item);

}  // namespace stator::entity

#endif  // STATOR_ENTITY_WRITE_ATTEMPT_H_
