// What responses of item operations tell about capacity and item collections.
#ifndef STATOR_WIRE_CAPACITY_FIELDS_H_
#define STATOR_WIRE_CAPACITY_FIELDS_H_

#include "stator/operations.h"
#include "wire/field_list.h"

namespace stator {

template <class Visitor>
void IndexUnitsFields(Visitor& visit, std::string_view name, IndexUnits& indexes) {
  if (!visit.When(!indexes.empty())) return;
  visit.Each(name, "Capacity", indexes,
             [](auto& of_index, double& units) { of_index("CapacityUnits", units); });
}

template <class Visitor>
void Fields(Visitor& visit, ConsumedCapacity& capacity) {
  visit("TableName", capacity.table_name);
  visit("CapacityUnits", capacity.capacity_units);
  visit("ReadCapacityUnits", capacity.read_capacity_units);
  visit("WriteCapacityUnits", capacity.write_capacity_units);
  if (visit.When(capacity.table_units.has_value())) {
    visit.Group("Table", [&](Visitor& table) {
      // Transactions show the same number twice.
      table("CapacityUnits", capacity.table_units);
      if (table.When(capacity.read_capacity_units.has_value())) {
        table("ReadCapacityUnits", capacity.table_units);
      }
      if (table.When(capacity.write_capacity_units.has_value())) {
        table("WriteCapacityUnits", capacity.table_units);
      }
    });
  }
  IndexUnitsFields(visit, "GlobalSecondaryIndexes", capacity.global_secondary_indexes);
  IndexUnitsFields(visit, "LocalSecondaryIndexes", capacity.local_secondary_indexes);
}

template <class Visitor>
void Fields(Visitor& visit, ItemCollectionMetrics& metrics) {
  visit("ItemCollectionKey", metrics.item_collection_key);
  visit.Range("SizeEstimateRangeGB", metrics.size_estimate_lower_gb,
              metrics.size_estimate_upper_gb);
}

}  // namespace stator

#endif  // STATOR_WIRE_CAPACITY_FIELDS_H_
