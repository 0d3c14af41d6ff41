#include "api/consumed_capacity.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace stator {
namespace {

double Sum(const IndexUnits& units) {
  return std::accumulate(units.begin(), units.end(), 0.0,
                         [](double sum, const auto& entry) { return sum + entry.second; });
}

void AddArm(IndexUnits& sum, const IndexUnits& more) {
  for (const auto& [name, units] : more) {
    const auto found = std::ranges::find(sum, name, &IndexUnits::value_type::first);
    if (found == sum.end()) {
      sum.emplace_back(name, units);
    } else {
      found->second += units;
    }
  }
}

}  // namespace

ReturnConsumedCapacity CapacityMode(
    const std::optional<Choice<ReturnConsumedCapacity>>& requested) {
  return requested ? requested->value() : ReturnConsumedCapacity::kNone;
}

ConsumedCapacity WriteCapacity(std::string table_name, const WriteUnits& units,
                               ReturnConsumedCapacity mode) {
  ConsumedCapacity capacity{.table_name = std::move(table_name)};
  capacity.capacity_units = units.table + Sum(units.global_indexes) + Sum(units.local_indexes);
  if (mode == ReturnConsumedCapacity::kIndexes) {
    capacity.table_units = units.table;
    capacity.global_secondary_indexes = units.global_indexes;
    capacity.local_secondary_indexes = units.local_indexes;
  }
  return capacity;
}

ConsumedCapacity TableReadCapacity(std::string table_name, double units,
                                   ReturnConsumedCapacity mode) {
  return WriteCapacity(std::move(table_name), {.table = units}, mode);
}

ConsumedCapacity IndexReadCapacity(std::string table_name, const Index& index, double index_units,
                                   double table_units, ReturnConsumedCapacity mode) {
  WriteUnits units{.table = table_units};
  (index.global ? units.global_indexes : units.local_indexes).emplace_back(index.name, index_units);
  return WriteCapacity(std::move(table_name), units, mode);
}

void AddUnits(WriteUnits& sum, const WriteUnits& more) {
  sum.table += more.table;
  AddArm(sum.global_indexes, more.global_indexes);
  AddArm(sum.local_indexes, more.local_indexes);
}

std::optional<ItemCollectionMetrics> CollectionMetrics(const Table& table, ItemView item) {
  if (!table.has_local_index()) return std::nullopt;
  const std::string& name = table.keys.hash.front().name;
  ItemCollectionMetrics metrics;
  if (const std::optional<ValueView> value = item.Find(name)) {
    metrics.item_collection_key.Set(name, AttributeValue::FromView(*value));
  }
  return metrics;
}

}  // namespace stator
