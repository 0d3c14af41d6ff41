// What the transactions have in common: how many actions, which items, what they cost, and how they
// are cancelled.
#ifndef STATOR_API_TRANSACTIONS_TRANSACTION_RULES_H_
#define STATOR_API_TRANSACTIONS_TRANSACTION_RULES_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/constraints.h"
#include "engine/catalog/table.h"
#include "engine/write/item_write.h"
#include "stator/item.h"
#include "stator/operations.h"
#include "stator/result.h"

namespace stator {

// 1 to 100 actions; absent when the member is missing.
void ConstrainActions(Constraints& check, std::string_view path, std::optional<std::size_t> count);

// 1 to 36 characters, if there are any.
void ConstrainRequestToken(Constraints& check, const std::optional<std::string>& token);

// Whether an item is named twice. One without all key attributes of its table is not compared.
struct TransactionItem {
  const Table* table;
  ItemView item;  // or its key
};
bool NamesItemTwice(std::span<const TransactionItem> items);
// "Transaction request cannot include multiple operations on one item"
Result<void> CheckDistinctItems(std::span<const TransactionItem> items);

// An S or B of length zero in a key attribute.
Result<void> CheckNoEmptyKeys(const KeySchema& schema, ItemView item);

// TransactionCanceled if anything stands against one of the actions.
Result<void> CheckNoneRefused(std::span<const std::optional<Error>> refused);

// One ConsumedCapacity a table, in the order of the actions. A table's ARN and its bare name meet
// in one entry.
struct ActionCharge {
  std::string_view table_reference;  // as sent
  std::string_view table_name;
  WriteUnits units;
};
enum class ChargedAs : std::uint8_t { kReads, kWrites };
std::vector<ConsumedCapacity> TransactionCapacity(std::span<const ActionCharge> charges,
                                                  ChargedAs charged_as,
                                                  ReturnConsumedCapacity mode);

}  // namespace stator

#endif  // STATOR_API_TRANSACTIONS_TRANSACTION_RULES_H_
