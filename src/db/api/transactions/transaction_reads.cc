#include "api/transactions/transaction_reads.h"

#include <algorithm>
#include <utility>

#include "api/request_rules.h"
#include "api/transactions/transaction_rules.h"
#include "base/try.h"
#include "capacity/units.h"
#include "engine/write/transaction.h"
#include "value/item_json.h"
#include "value/size.h"

namespace stator {
namespace {

// Two consistent reads a block.
constexpr double kTransactionFactor = 2;

// What stands against one read alone.
Result<void> CheckRead(const Engine& engine, const TransactionRead& read) {
  if (read.refused) return std::unexpected(*read.refused);
  if (!CheckNoEmptyKeys(read.table->keys, read.key.view())) {
    return Invalid("The provided key element does not match the schema");
  }
  RETURN_IF_ERROR(CheckKey(read.table->keys, read.key.view()));
  if (read.projection) {
    RETURN_IF_ERROR(CheckNoNestedKeys(*read.table, read.projection->paths()));
  }
  if (engine.IsInTransaction(*read.table, read.key.view())) {
    return std::unexpected(Error::TransactionConflict());
  }
  return {};
}

Result<void> CheckDistinct(const std::vector<TransactionRead>& reads) {
  std::vector<TransactionItem> items;
  for (const TransactionRead& read : reads) {
    if (read.refused) return {};
    items.push_back({read.table.get(), read.key.view()});
  }
  return CheckDistinctItems(items);
}

Result<std::vector<std::optional<Item>>> ReadAll(const Engine& engine,
                                                 const std::vector<TransactionRead>& reads) {
  RETURN_IF_ERROR(CheckDistinct(reads));
  std::vector<std::optional<Error>> refused;
  std::vector<Engine::ItemAddress> addresses;
  for (const TransactionRead& read : reads) {
    Result<void> fits = CheckRead(engine, read);
    refused.push_back(fits ? std::nullopt : std::optional(std::move(fits).error()));
    addresses.push_back({read.table.get(), read.key.view()});
  }
  RETURN_IF_ERROR(CheckNoneRefused(refused));
  return engine.ReadItems(addresses);
}

}  // namespace

Result<TransactionItems> ReadTransaction(const Engine& engine, std::vector<TransactionRead> reads,
                                         ReturnConsumedCapacity capacity) {
  TransactionItems answer;
  ASSIGN_OR_RETURN(answer.items, ReadAll(engine, reads));
  std::vector<ActionCharge> charges;
  std::size_t total_bytes = 0;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const TransactionRead& read = reads[i];
    std::optional<Item>& item = answer.items[i];
    // The whole item is charged, whatever the projection.
    const std::size_t bytes = item ? ItemSizeBytes(item->view()) : 0;
    total_bytes += bytes;
    const double units = kTransactionFactor * ReadUnits(ReadBlocks(bytes), /*consistent=*/true);
    charges.push_back({read.table_reference, read.table_name, {.table = units}});
    if (item && read.projection) item = read.projection->Apply(item->view());
    if (item && item->empty()) item.reset();
  }
  if (total_bytes > kMaxTransactionBytes) return std::unexpected(TransactionTooLarge());
  if (capacity != ReturnConsumedCapacity::kNone) {
    answer.consumed_capacity = TransactionCapacity(charges, ChargedAs::kReads, capacity);
  }
  return answer;
}

void WriteItemResponses(JsonWriter& out, const std::vector<std::optional<Item>>& items) {
  out.Key("Responses").BeginArray();
  for (const std::optional<Item>& item : items) {
    out.BeginObject();
    if (item) {
      out.Key("Item");
      WriteItem(out, item->view());
    }
    out.EndObject();
  }
  out.EndArray();
}

}  // namespace stator
