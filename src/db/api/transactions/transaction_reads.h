// Reads of several items as of one moment: what TransactGetItems and ExecuteTransaction have in
// common.
#ifndef STATOR_API_TRANSACTIONS_TRANSACTION_READS_H_
#define STATOR_API_TRANSACTIONS_TRANSACTION_READS_H_

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "expr/projection.h"
#include "stator/item.h"
#include "stator/operations.h"
#include "stator/result.h"
#include "value/json_writer.h"

namespace stator {

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

// "Responses": [{"Item": …}, {}, …]
void WriteItemResponses(JsonWriter& out, const std::vector<std::optional<Item>>& items);

}  // namespace stator

#endif  // STATOR_API_TRANSACTIONS_TRANSACTION_READS_H_
