#include "api/consumed_capacity.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "value/item_json.h"

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

void WriteArm(JsonWriter& out, std::string_view key, const IndexUnits& arm) {
  if (arm.empty()) return;
  out.Key(key).BeginObject();
  for (const auto& [name, units] : arm) {
    out.Key(name).BeginObject().Key("CapacityUnits").Units(units).EndObject();
  }
  out.EndObject();
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

void Write(JsonWriter& out, const ConsumedCapacity& capacity) {
  out.BeginObject();
  out.Key("TableName").String(capacity.table_name);
  out.Key("CapacityUnits").Units(capacity.capacity_units);
  if (capacity.read_capacity_units) {
    out.Key("ReadCapacityUnits").Units(*capacity.read_capacity_units);
  }
  if (capacity.write_capacity_units) {
    out.Key("WriteCapacityUnits").Units(*capacity.write_capacity_units);
  }
  if (capacity.table_units) {
    out.Key("Table").BeginObject().Key("CapacityUnits").Units(*capacity.table_units);
    if (capacity.read_capacity_units) out.Key("ReadCapacityUnits").Units(*capacity.table_units);
    if (capacity.write_capacity_units) out.Key("WriteCapacityUnits").Units(*capacity.table_units);
    out.EndObject();
  }
  WriteArm(out, "GlobalSecondaryIndexes", capacity.global_secondary_indexes);
  WriteArm(out, "LocalSecondaryIndexes", capacity.local_secondary_indexes);
  out.EndObject();
}

void Write(JsonWriter& out, const ItemCollectionMetrics& metrics) {
  out.BeginObject();
  out.Key("ItemCollectionKey");
  WriteItem(out, metrics.item_collection_key.view());
  out.Key("SizeEstimateRangeGB").BeginArray();
  out.Units(metrics.size_estimate_lower_gb).Units(metrics.size_estimate_upper_gb);
  out.EndArray().EndObject();
}

}  // namespace stator
