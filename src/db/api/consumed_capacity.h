// ConsumedCapacity and ItemCollectionMetrics: built from what the engine counted.
#ifndef STATOR_API_CONSUMED_CAPACITY_H_
#define STATOR_API_CONSUMED_CAPACITY_H_

#include <optional>
#include <string>
#include <vector>

#include "engine/catalog/table.h"
#include "engine/write/item_write.h"
#include "stator/operations.h"

namespace stator {

// The mode a request asks for; NONE when it asks for nothing.
ReturnConsumedCapacity CapacityMode(const std::optional<Choice<ReturnConsumedCapacity>>& requested);

// `table_name` is the reference as it was sent.
ConsumedCapacity WriteCapacity(std::string table_name, const WriteUnits& units,
                               ReturnConsumedCapacity mode);
// A read of the table itself, or of an index: the index's arm, with `table_units` for rows
// completed from the table.
ConsumedCapacity TableReadCapacity(std::string table_name, double units,
                                   ReturnConsumedCapacity mode);
ConsumedCapacity IndexReadCapacity(std::string table_name, const Index& index, double index_units,
                                   double table_units, ReturnConsumedCapacity mode);

// Adds `more` to `sum`, arm by arm.
void AddUnits(WriteUnits& sum, const WriteUnits& more);

// The metrics of an item's collection; only tables with a local index have them.
std::optional<ItemCollectionMetrics> CollectionMetrics(const Table& table, ItemView item);

}  // namespace stator

#endif  // STATOR_API_CONSUMED_CAPACITY_H_
