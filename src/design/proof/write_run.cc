// What the requests of a write consume.
#include <algorithm>

#include "base/try.h"
#include "proof/proof.h"
#include "proof/write_steps.h"

namespace stator::proof {
namespace {

void Count(const ConsumedCapacity& consumed, Measure& measure) {
  measure.write_units += consumed.table_units.value_or(consumed.capacity_units);
  for (const IndexUnits* indexes :
       {&consumed.global_secondary_indexes, &consumed.local_secondary_indexes}) {
    for (const auto& [index, units] : *indexes) {
      if (units > 0) measure.AddIndexUnits(index, units);
    }
  }
}

constexpr auto kIndexes = ReturnConsumedCapacity::kIndexes;

Result<WriteItemResponse> WriteOne(Database& database, const TransactWriteItem& write) {
  if (write.put) {
    return database.PutItem({.table_name = write.put->table_name,
                             .item = write.put->item,
                             .return_consumed_capacity = kIndexes,
                             .condition_expression = write.put->condition_expression,
                             .expression_attribute_names = write.put->expression_attribute_names});
  }
  if (write.update) {
    return database.UpdateItem(
        {.table_name = write.update->table_name,
         .key = write.update->key,
         .return_consumed_capacity = kIndexes,
         .update_expression = write.update->update_expression,
         .condition_expression = write.update->condition_expression,
         .expression_attribute_names = write.update->expression_attribute_names,
         .expression_attribute_values = write.update->expression_attribute_values});
  }
  return database.DeleteItem(
      {.table_name = write.delete_item->table_name,
       .key = write.delete_item->key,
       .return_consumed_capacity = kIndexes,
       .condition_expression = write.delete_item->condition_expression,
       .expression_attribute_names = write.delete_item->expression_attribute_names});
}

double CountedWrites(const Database& database) {
  double units = 0;
  for (const Database::ConsumedUnits& place : database.GetStats().consumed_units) {
    units += place.writes;
  }
  return units;
}

// The write with a condition that does not hold. The error tells no units; the database counts them.
// REQUIRES: the item is there.
Result<double> FailOnce(Database& database, TransactWriteItem write, const std::string& key) {
  const auto forbid = [&](auto& one) {
    one->condition_expression = "attribute_not_exists(#key)";
    if (!one->expression_attribute_names) one->expression_attribute_names.emplace();
    one->expression_attribute_names->emplace_back("#key", key);
    std::erase_if(*one->expression_attribute_names,
                  [](const auto& name) { return name.first == "#pk"; });
  };
  if (write.put) forbid(write.put);
  if (write.update) forbid(write.update);
  if (write.delete_item) forbid(write.delete_item);
  const double before = CountedWrites(database);
  const Result<WriteItemResponse> response = WriteOne(database, write);
  if (response) return std::unexpected(Error::Validation("a condition that must fail held"));
  if (response.error().code() != ErrorCode::kConditionalCheckFailed) {
    return std::unexpected(response.error());
  }
  return CountedWrites(database) - before;
}

Result<void> WriteAlone(Database& database, const Steps& steps, Measure& measure) {
  const TransactWriteItem& write = steps.writes.front();
  const bool fails = steps.failing_share > 0;
  double failed_units = 0;
  if (fails && !steps.before.empty()) {
    ASSIGN_OR_RETURN(failed_units, FailOnce(database, write, steps.key));
  }
  ASSIGN_OR_RETURN(const WriteItemResponse response, WriteOne(database, write));
  Count(*response.consumed_capacity, measure);
  if (fails && steps.before.empty()) {
    ASSIGN_OR_RETURN(failed_units, FailOnce(database, write, steps.key));
  }
  const double happens = 1 - steps.failing_share;
  measure.write_units = happens * measure.write_units + steps.failing_share * failed_units;
  for (auto& [index, units] : measure.index_write_units) units *= happens;
  return {};
}

}  // namespace

Result<void> RunSteps(Database& database, const Steps& steps, Measure& measure) {
  for (const auto& [table, item] : steps.before) {
    RETURN_IF_ERROR(database.PutItem({.table_name = table, .item = item}));
  }
  if (!steps.gets.empty()) {
    ASSIGN_OR_RETURN(const TransactGetItemsResponse got,
                     database.TransactGetItems(
                         {.transact_items = steps.gets, .return_consumed_capacity = kIndexes}));
    for (const ConsumedCapacity& consumed : *got.consumed_capacity) {
      measure.read_units += consumed.capacity_units;
    }
    measure.items_read = measure.items_returned = static_cast<double>(steps.gets.size());
  }
  for (const GetItemRequest& read : steps.reads_first) {
    ASSIGN_OR_RETURN(const GetItemResponse got, database.GetItem(read));
    measure.items_read += got.item ? 1 : 0;
    measure.read_units += got.consumed_capacity->capacity_units;
  }
  if (steps.writes.empty()) return {};
  if (!steps.transaction) return WriteAlone(database, steps, measure);
  ASSIGN_OR_RETURN(const TransactWriteItemsResponse written,
                   database.TransactWriteItems(
                       {.transact_items = steps.writes, .return_consumed_capacity = kIndexes}));
  for (const ConsumedCapacity& consumed : *written.consumed_capacity) Count(consumed, measure);
  return {};
}

}  // namespace stator::proof
