// Changes of capacity that UpdateTable makes to a table and to its global indexes (behaviour.md
// §9.4).
#ifndef STATOR_API_TABLES_CAPACITY_CHANGE_H_
#define STATOR_API_TABLES_CAPACITY_CHANGE_H_

#include <string_view>

#include "base/clock.h"
#include "engine/catalog/table.h"
#include "stator/result.h"
#include "stator/table_operations.h"

namespace stator {

struct ChangeContext {
  TimeMs now;
  std::string_view region;
};

// Billing mode and provisioned throughput of the table.
Result<void> ChangeTableCapacity(const UpdateTableRequest& request, const ChangeContext& context,
                                 Table& table);
// Maxima for on-demand capacity, member by member; -1 clears one.
Result<void> ChangeOnDemand(const OnDemandThroughput& sent, BillingMode mode,
                            std::string_view index, OnDemandThroughput& on_demand);
// Warm throughput of the table.
Result<void> ChangeTableWarm(const WarmThroughput& sent, Table& table);

// The capacity of one global index. `was` is the billing mode before this request.
Result<void> ChangeIndexCapacity(const GlobalSecondaryIndexUpdate::UpdateAction& sent,
                                 BillingMode was, const ChangeContext& context, const Table& table,
                                 Index& index);

}  // namespace stator

#endif  // STATOR_API_TABLES_CAPACITY_CHANGE_H_
