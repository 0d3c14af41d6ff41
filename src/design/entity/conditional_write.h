// One write of one item, ready to be sent alone or within a transaction, and the writes of
// sentinels that go along with it.
//
// Sentinels are items that keep values unique: one for each unique value of an entity, in the
// entity's own table.
//
//   partition key := "UNIQUE#" entity "#" attribute ("+" attribute)* "#" value ("#" value)*
//   sort key      := the same text
//
// A '#' or '%' within a value is written as %23 or %25, so that two lists of values never meet.
#ifndef STATOR_ENTITY_CONDITIONAL_WRITE_H_
#define STATOR_ENTITY_CONDITIONAL_WRITE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "entity/conditional_write.h"
#include "entity/context.h"
#include "entity/expression.h"

namespace stator::entity {

struct ConditionalWrite {
  enum class Kind : std::uint8_t { kPut, kUpdate, kDelete, kCheck };
  Kind kind = Kind::kPut;
  std::string table_name;
  Item key;               // of all but kPut
  Item item;              // of kPut
  std::string update;     // of kUpdate
  std::string condition;  // empty: none
  ExpressionText expression;
  // Of a sentinel: the message for a failed condition, which means that another item has the value.
  // Empty for the item's own write.
  std::string not_unique;
};

// A write whose condition did not hold, and the item that was found, if any.
struct FailedCondition {
  std::size_t index = 0;  // of the write
  std::optional<Item> item;
};

struct SendFailure {
  std::optional<FailedCondition> condition;
  bool contended = false;  // another transaction was in the way; the same may succeed later
  std::optional<Error> error;
};

// A put under the condition that the table has no item with its key.
ConditionalWrite PutNew(const Home& home, Item item);

// Sends one write as it is, several as a transaction. The answer is the item after the write (of a
// delete: before it) when there is one write; nothing for transactions.
std::expected<std::optional<Item>, SendFailure> Send(Context& context,
                                                     const std::vector<ConditionalWrite>& writes,
                                                     std::string_view token = {});

// Appends the writes of sentinels for an item that changes from `before` to `after`; either may be
// null: the item is created, or deleted. Values that stay the same need none.
EntityResult<void> AddSentinels(const Home& home, const Item* before, const Item* after,
                                std::vector<ConditionalWrite>& writes);

// True if one of the attributes belongs to a unique value.
bool TouchesUnique(const model::Entity& entity, const std::vector<std::string>& attributes);

}  // namespace stator::entity

#endif  // STATOR_ENTITY_CONDITIONAL_WRITE_H_
