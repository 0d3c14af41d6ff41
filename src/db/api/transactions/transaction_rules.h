// What the transactions have in common: how many actions, which items, what they cost, how they are
// cancelled, and reads of several items as of one moment.
#ifndef STATOR_API_TRANSACTIONS_TRANSACTION_RULES_H_
#define STATOR_API_TRANSACTIONS_TRANSACTION_RULES_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/constraints.h"
#include "engine/catalog/table.h"
#include "engine/engine.h"
#include "engine/write/item_write.h"
#include "engine/write/transaction.h"
#include "expr/projection.h"
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

// One ConsumedCapacity per table, in the order of the actions. A table's ARN and its bare name meet
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

// What the answer to a transaction of writes still needs of its request once they are done.
struct TransactionCharges {
  std::vector<std::pair<std::string, std::string>> tables;  // reference and name, by action
  ReturnConsumedCapacity mode = ReturnConsumedCapacity::kNone;

  // A transaction that is repeated with its token is charged as reads. Absent if not asked for.
  std::optional<std::vector<ConsumedCapacity>> Of(TransactionOutcome&& outcome) const;
};

struct TransactionRead {
  std::string table_reference;  // as sent
  std::string table_name;
  // What is already known to be wrong with it: then table and key may be missing.
  std::optional<Error> refused;
  TablePtr table;
  Item key;
  std::optional<Projection> projection;
};

struct TransactionItems {
  std::vector<std::optional<Item>> items;  // absent where there is nothing to show
  std::optional<std::vector<ConsumedCapacity>> consumed_capacity;
};

// TransactionCanceled if anything stands against one of the reads. Two reads of one item are
// refused as a whole, unless a read is refused already.
Result<TransactionItems> ReadTransaction(const Engine& engine, std::vector<TransactionRead> reads,
                                         ReturnConsumedCapacity capacity);

}  // namespace stator

#endif  // STATOR_API_TRANSACTIONS_TRANSACTION_RULES_H_
