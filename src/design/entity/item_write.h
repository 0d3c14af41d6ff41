// One write of one item, ready to be sent alone or within a transaction.
#ifndef STATOR_ENTITY_ITEM_WRITE_H_
#define STATOR_ENTITY_ITEM_WRITE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "entity/context.h"
#include "entity/expression.h"

namespace stator::entity {

struct ItemWrite {
  enum class Kind : std::uint8_t { kPut, kUpdate, kDelete, kCheck };
  Kind kind = Kind::kPut;
  std::string table_name;
  Item key;               // of all but kPut
  Item item;              // of kPut
  std::string update;     // of kUpdate
  std::string condition;  // empty: none
  ExpressionText expression;
  // What it means when the condition fails and the write only guards something: the value of a
  // sentinel that another item owns. Empty for the item's own write.
  std::string guards;
};

// A write whose condition did not hold, and the item that was there, if any.
struct FailedCondition {
  std::size_t index = 0;  // of the write
  std::optional<Item> item;
};

struct SendFailure {
  std::optional<FailedCondition> condition;
  bool contended = false;  // a transaction met another one; nothing is wrong with it
  std::optional<Error> error;
};

// Sends one write as it is, several as a transaction. The answer is the item as it now is (of a
// delete: as it was), when there is one write; nothing for transactions.
std::expected<std::optional<Item>, SendFailure> Send(Context& context,
                                                     const std::vector<ItemWrite>& writes,
                                                     std::string_view token = {});

}  // namespace stator::entity

#endif  // STATOR_ENTITY_ITEM_WRITE_H_
