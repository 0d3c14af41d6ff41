#include "api/transactions/transaction_rules.h"

#include <algorithm>
#include <string>
#include <utility>

#include "api/consumed_capacity.h"
#include "api/request_rules.h"
#include "base/try.h"
#include "capacity/units.h"
#include "engine/write/transaction.h"
#include "value/item_codec.h"
#include "value/item_json.h"
#include "value/size.h"

namespace stator {

namespace {

constexpr std::size_t kMaxActions = 100;
constexpr std::size_t kMaxTokenLength = 36;

// Names an item among all tables; absent when the item lacks a key attribute.
std::optional<std::string> IdentityOf(const TransactionItem& target) {
  std::vector<std::string> names;
  for (const auto* attributes : {&target.table->keys.hash, &target.table->keys.range}) {
    for (const KeyAttribute& attribute : *attributes) names.push_back(attribute.name);
  }
  std::ranges::sort(names);
  std::string key = ProjectTopLevel(target.item, names);
  if (ItemView(key).size() != names.size()) return std::nullopt;
  return std::to_string(target.table->number) + ' ' + key;
}

}  // namespace

void ConstrainActions(Constraints& check, std::string_view path, std::optional<std::size_t> count) {
  if (!count) return check.NotNull(path, count);
  check.Length(Constraints::Quoted(*count == 0 ? "[]" : "[…]"), path, *count, 1, kMaxActions);
}

void ConstrainRequestToken(Constraints& check, const std::optional<std::string>& token) {
  if (!token) return;
  check.Length(Constraints::Quoted(*token), "clientRequestToken", token->size(), 1,
               kMaxTokenLength);
}

bool NamesItemTwice(std::span<const TransactionItem> items) {
  std::vector<std::string> identities;
  identities.reserve(items.size());
  for (const TransactionItem& item : items) {
    if (std::optional<std::string> identity = IdentityOf(item)) {
      identities.push_back(*std::move(identity));
    }
  }
  std::ranges::sort(identities);
  return std::ranges::adjacent_find(identities) != identities.end();
}

Result<void> CheckDistinctItems(std::span<const TransactionItem> items) {
  if (!NamesItemTwice(items)) return {};
  return Invalid("Transaction request cannot include multiple operations on one item");
}

Result<void> CheckNoEmptyKeys(const KeySchema& schema, ItemView item) {
  for (const auto* attributes : {&schema.hash, &schema.range}) {
    for (const KeyAttribute& attribute : *attributes) {
      const std::optional<ValueView> value = item.Find(attribute.name);
      if (!value || !Matches(attribute.type, value->type())) continue;
      RETURN_IF_ERROR(CheckKeyValue(attribute, *value));
    }
  }
  return {};
}

Result<void> CheckNoneRefused(std::span<const std::optional<Error>> refused) {
  std::vector<CancellationReason> reasons;
  bool is_cancelled = false;
  for (const std::optional<Error>& error : refused) {
    CancellationReason& reason = reasons.emplace_back();
    if (!error) continue;
    std::optional<CancellationReason> of_error = ReasonOf(*error);
    if (!of_error) return std::unexpected(*error);
    reason = *std::move(of_error);
    is_cancelled = true;
  }
  if (!is_cancelled) return {};
  return std::unexpected(CanceledFor(std::move(reasons)));
}

std::vector<ConsumedCapacity> TransactionCapacity(std::span<const ActionCharge> charges,
                                                  ChargedAs charged_as,
                                                  ReturnConsumedCapacity mode) {
  std::vector<ActionCharge> tables;
  for (const ActionCharge& charge : charges) {
    const auto found = std::ranges::find(tables, charge.table_name, &ActionCharge::table_name);
    if (found == tables.end()) {
      tables.push_back(charge);
    } else {
      AddUnits(found->units, charge.units);
    }
  }
  std::vector<ConsumedCapacity> list;
  for (const ActionCharge& table : tables) {
    ConsumedCapacity capacity =
        WriteCapacity(std::string(table.table_reference), table.units, mode);
    (charged_as == ChargedAs::kReads ? capacity.read_capacity_units
                                     : capacity.write_capacity_units) = capacity.capacity_units;
    list.push_back(std::move(capacity));
  }
  return list;
}

std::optional<std::vector<ConsumedCapacity>> TransactionCharges::Of(
    TransactionOutcome&& outcome) const {
  if (mode == ReturnConsumedCapacity::kNone) return std::nullopt;
  std::vector<ActionCharge> charges;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    charges.push_back({tables[i].first, tables[i].second, std::move(outcome.units[i])});
  }
  return TransactionCapacity(charges, outcome.is_replay ? ChargedAs::kReads : ChargedAs::kWrites,
                             mode);
}

namespace {

// Two consistent reads per block.
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
  if (total_bytes > kMaxTransactionBytes) return std::unexpected(TransactionTooLarge(total_bytes));
  if (capacity != ReturnConsumedCapacity::kNone) {
    answer.consumed_capacity = TransactionCapacity(charges, ChargedAs::kReads, capacity);
  }
  return answer;
}

}  // namespace stator
