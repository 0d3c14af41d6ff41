// What a model consumes over time, an estimate times its rate, and what that costs per month.
#ifndef STATOR_MODEL_COST_COST_H_
#define STATOR_MODEL_COST_COST_H_

#include <string>
#include <vector>

#include "model/cost/charges.h"
#include "model/cost/price_list.h"
#include "model/estimate/estimate.h"

namespace stator::model {

// Errors that people make in such figures. Computing with one of them shows whether it explains a
// false figure.
struct Mistakes {
  bool no_indexes = false;     // writes to indexes are forgotten
  bool moves_once = false;     // a changed index key counts as one write
  bool all_strong = false;     // eventual reads count as strong ones
  bool all_eventual = false;   // strong reads count as eventual ones
  bool day_as_second = false;  // units per day are compared with units per second
  bool free_tier = false;      // the free tier covers requests on demand
  bool no_failures = false;    // failed conditions cost nothing
};

// Units of one run.
double ReadUnitsOf(const Estimate& estimate, Pick pick, const Mistakes& mistakes = {});
// Of the table and its indexes together.
double WriteUnitsOf(const Estimate& estimate, Pick pick, const Mistakes& mistakes = {});
double IndexWriteUnitsOf(const Estimate& estimate, const Index& index, Pick pick);

// Bytes that storage adds to the size of each item and each index entry.
inline constexpr double kStorageOverheadBytes = 100;
inline constexpr double kGigabyte = 1e9;
inline constexpr double kSecondsPerDay = 86400;

struct PatternCost {
  PatternCharges counted;
  double runs_per_second = 0;  // as requests are sent
  double reads_per_day = 0;    // units
  double writes_per_day = 0;   // units, indexes included
  double month_usd = 0;        // on demand, at typical sizes
  double month_usd_max = 0;    // at the greatest sizes
  // At the peak of its rate, at typical sizes.
  double peak_reads_per_second = 0;
  double peak_writes_per_second = 0;
};

// What a table or one of its indexes holds, and consumes per month.
struct PartCost {
  const Index* index = nullptr;  // null: the table itself
  double items = 0;
  double gigabytes = 0;
  bool size_known = true;
  double reads_per_month = 0;
  double writes_per_month = 0;
  double requests_usd = 0;  // on demand
  double storage_usd = 0;
  double peak_reads_per_second = 0;
  double peak_writes_per_second = 0;
  double provisioned_rcu = 0;  // what the peak needs
  double provisioned_wcu = 0;
  double provisioned_usd = 0;
};

struct TableCost {
  const Table* table = nullptr;
  PartCost base;
  std::vector<PartCost> indexes;
  double pitr_usd = 0;            // if an environment has it
  double stream_changes = 0;      // per month, if the table has a stream
  double OnDemandUsd() const;     // requests of the table and its indexes
  double ProvisionedUsd() const;  // likewise
  double StorageUsd() const;
};

struct Cost {
  const PriceList* list = nullptr;
  const Prices* prices = nullptr;
  double month_seconds = 0;
  std::vector<PatternCost> patterns;
  std::vector<TableCost> tables;
  double reads_per_month = 0;
  double writes_per_month = 0;
  double requests_usd = 0;
  double storage_usd = 0;  // above the free 25 GB
  double pitr_usd = 0;
  double stream_changes = 0;  // per month, of all tables
  double streams_usd = 0;     // at most one GetRecords per change, above the free ones
  double provisioned_usd = 0;
  double gigabytes = 0;
  // Above this utilisation, provisioned capacity is cheaper than on demand.
  double read_break_even = 0;
  double write_break_even = 0;
  double TotalUsd() const;  // on demand
};

// REQUIRES: the estimates are of the model and outlive the answer.
Cost ComputeCost(const Model& model, const std::vector<Estimate>& estimates, const PriceList& list,
                 const Prices& prices, const Mistakes& mistakes = {});

// The price of that many provisioned units for a month.
double ProvisionedUsd(const Prices& prices, bool infrequent_access, double month_seconds,
                      double rcu, double wcu);

}  // namespace stator::model

#endif  // STATOR_MODEL_COST_COST_H_
