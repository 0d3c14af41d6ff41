// Rules about capacity: billing mode, provisioned, on-demand and warm throughput (behaviour.md
// §9.3, §9.4).
#ifndef STATOR_API_TABLES_THROUGHPUT_RULES_H_
#define STATOR_API_TABLES_THROUGHPUT_RULES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "engine/catalog/table.h"
#include "stator/result.h"
#include "stator/table_operations.h"

namespace stator {

// The mode that a request asks for. BillingMode wins over its alias TableThroughputMode.
std::optional<BillingMode> SentBillingMode(const std::optional<Choice<BillingMode>>& billing_mode,
                                           const std::optional<Choice<BillingMode>>& alias);

// Whose capacity it is; some messages differ.
struct CapacityOwner {
  std::string_view index;  // empty: the table
  bool is_new = true;      // made by CreateTable, rather than changed by UpdateTable
};

// The throughput of a new table: exactly when its billing mode wants it, and within bounds.
Result<Throughput> NewTableThroughput(BillingMode mode,
                                      const std::optional<ProvisionedThroughput>& sent);
// The same for a new global index, of a new table or of an existing one.
Result<Throughput> NewIndexThroughput(BillingMode mode, const GlobalSecondaryIndex& sent,
                                      bool with_table);
Result<void> CheckBounds(const ProvisionedThroughput& sent, std::string_view index = {});

// Maxima must be positive, and there are none for provisioned capacity.
Result<void> CheckOnDemand(const OnDemandThroughput& sent, BillingMode mode, CapacityOwner owner);

// What a table or index is warmed up to: its mode's initial capacity, its own, or what was asked
// for.
struct WarmUnits {
  std::int64_t read = 0;
  std::int64_t write = 0;
};
WarmUnits WarmUnitsOf(BillingMode mode, const Throughput& throughput,
                      const std::optional<WarmThroughput>& asked);
// A new table or index cannot ask for less than it has anyway.
Result<void> CheckNewWarm(const WarmThroughput& sent, BillingMode mode,
                          const Throughput& throughput, std::string_view index = {});
// An existing one cannot ask for less than it has been given.
Result<void> CheckWarmGrows(const WarmThroughput& sent, WarmUnits current,
                            std::string_view index = {});

// No table or index may be given more than the account allows one table.
Result<void> CheckAccountLimits(const Throughput& throughput, std::string_view region);

// Decreases in the UTC day of `now`.
std::int64_t DecreasesToday(const Throughput& throughput, TimeMs now);
// Sets new units and keeps the books on increases and decreases, which are limited.
// REQUIRES: the units differ from the current ones.
Result<void> ChangeThroughput(const ProvisionedThroughput& sent, TimeMs now,
                              Throughput& throughput);

}  // namespace stator

#endif  // STATOR_API_TABLES_THROUGHPUT_RULES_H_
