#include "model/cost/cost.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/estimate/item_size.h"
#include "model/estimate/population.h"

namespace stator::model {
namespace {

bool ReadsStrongly(const Pattern& pattern) {
  return pattern.kind == PatternKind::kWrite
             ? pattern.write.read_first == WriteDetail::ReadFirst::kStrong
             : pattern.read.strong;
}

bool Moves(const Plan& plan, const Index* index) {
  const bool here = std::ranges::any_of(plan.effects, [&](const IndexEffect& effect) {
    return effect.index == index && effect.kind == IndexEffect::Kind::kMove;
  });
  return here ||
         std::ranges::any_of(plan.parts, [&](const Plan& part) { return Moves(part, index); });
}

// The part of the requests whose condition fails.
double FailingShare(const Plan& plan) {
  double share = plan.pattern->write.duplicate_share;
  for (const Plan& part : plan.parts) share = std::max(share, FailingShare(part));
  return share;
}

constexpr double kSecondsPerHour = 3600;

struct RequestPrices {
  double read = 0;
  double write = 0;
};

RequestPrices RequestPricesOf(const Prices& prices, const Table* table) {
  const bool rare = table != nullptr && table->infrequent_access;
  return {(rare ? prices.ia_read_million : prices.read_million) / 1e6,
          (rare ? prices.ia_write_million : prices.write_million) / 1e6};
}

// Items of the table that a run changes; a write whose condition fails changes none.
double ChangesOf(const Plan& plan, const Table& table) {
  double changes = 0;
  for (const Plan& part : plan.parts) changes += ChangesOf(part, table);
  if (!plan.parts.empty() || plan.table != &table || plan.pattern == nullptr) return changes;
  const bool writes = plan.resolved() && plan.pattern->kind == PatternKind::kWrite;
  return writes ? 1 - plan.pattern->write.duplicate_share : 0;
}

// The part of what a read takes that comes from this table (null) or index.
double PartOfRead(const Estimate& estimate, const Index* index) {
  const double all = estimate.read_units.typical;
  const double fetched = all > 0 ? estimate.fetched_read_units.typical / all : 0;
  if (estimate.plan->index == nullptr) return index == nullptr ? 1 : 0;
  if (index == nullptr) return fetched;
  return estimate.plan->index == index ? 1 - fetched : 0;
}

// The rest of a month's bill for requests if the free tier covered requests on demand.
double Billed(double units, double free_units_per_second, double seconds) {
  return std::max(0.0, units - free_units_per_second * seconds);
}

class Calculator {
 public:
  Calculator(const Model& model, const std::vector<Estimate>& estimates, const PriceList& list,
             const Prices& prices, const Mistakes& mistakes)
      : model_(model), estimates_(estimates), mistakes_(mistakes) {
    cost_.list = &list;
    cost_.prices = &prices;
    cost_.month_seconds = static_cast<double>(model.assume.month.count());
  }

  Cost Run() && {
    for (PatternCharges& counted : ChargesOf(model_, estimates_)) AddPattern(std::move(counted));
    for (const Table& table : model_.tables) AddTable(table);
    AddTotals();
    return std::move(cost_);
  }

 private:
  void AddPattern(PatternCharges counted) {
    PatternCost pattern;
    pattern.counted = std::move(counted);
    for (const Charge& charge : pattern.counted.charges) {
      pattern.runs_per_second = charge.runs_per_second;  // of a transaction: the same for all
      AddCharge(charge, pattern);
    }
    cost_.patterns.push_back(std::move(pattern));
  }

  void AddCharge(const Charge& charge, PatternCost& pattern) const {
    const Estimate& estimate = charge.estimate;
    const double reads = ReadUnitsOf(estimate, &Amount::typical, mistakes_);
    const double writes = WriteUnitsOf(estimate, &Amount::typical, mistakes_);
    const double most_reads = ReadUnitsOf(estimate, &Amount::max, mistakes_);
    const double most_writes = WriteUnitsOf(estimate, &Amount::max, mistakes_);
    const RequestPrices each = RequestPricesOf(*cost_.prices, estimate.plan->table);
    const double month_runs = charge.runs_per_second * cost_.month_seconds;
    pattern.reads_per_day += charge.runs_per_second * reads * kSecondsPerDay;
    pattern.writes_per_day += charge.runs_per_second * writes * kSecondsPerDay;
    pattern.month_usd += month_runs * (reads * each.read + writes * each.write);
    pattern.month_usd_max += month_runs * (most_reads * each.read + most_writes * each.write);
    pattern.peak_reads_per_second += charge.peak_runs_per_second * reads;
    pattern.peak_writes_per_second += charge.peak_runs_per_second * writes;
  }

  void AddTable(const Table& table) {
    TableCost cost;
    cost.table = &table;
    cost.base = MakePart(table, nullptr);
    for (const Index& index : table.indexes) cost.indexes.push_back(MakePart(table, &index));
    if (!table.pitr.empty()) {
      double gigabytes = cost.base.gigabytes;
      for (const PartCost& part : cost.indexes) {
        if (part.index->local) gigabytes += part.gigabytes;
      }
      cost.pitr_usd = gigabytes * cost_.prices->pitr_gb;
    }
    if (!table.stream.empty()) cost.stream_changes = StreamChanges(table);
    cost_.tables.push_back(std::move(cost));
  }

  PartCost MakePart(const Table& table, const Index* index) const {
    PartCost part;
    part.index = index;
    Measure(table, part);
    AddRequests(table, part);
    const RequestPrices each = RequestPricesOf(*cost_.prices, &table);
    part.requests_usd = part.reads_per_month * each.read + part.writes_per_month * each.write;
    part.storage_usd = part.gigabytes * (table.infrequent_access ? cost_.prices->ia_storage_gb
                                                                 : cost_.prices->storage_gb);
    SetProvisioned(table, part);
    return part;
  }

  void Measure(const Table& table, PartCost& part) const {
    for (const Entity* entity : model_.EntitiesOf(table)) {
      const double share = part.index == nullptr ? 1 : EntryShare(model_, *entity, *part.index);
      if (share <= 0) continue;
      const std::optional<Amount> total = TotalItems(*entity);
      if (!total) {
        part.size_known = false;
        continue;
      }
      const Amount bytes = part.index == nullptr ? ItemBytes(model_, *entity)
                                                 : EntryBytes(model_, *entity, *part.index);
      const double items = total->typical * share;
      part.items += items;
      part.gigabytes += items * (bytes.typical + kStorageOverheadBytes) / kGigabyte;
    }
  }

  void AddRequests(const Table& table, PartCost& part) const {
    Mistakes table_only = mistakes_;
    table_only.no_indexes = true;
    for (const PatternCost& pattern : cost_.patterns) {
      for (const Charge& charge : pattern.counted.charges) {
        const Estimate& estimate = charge.estimate;
        if (estimate.plan->table != &table) continue;
        const double reads =
            PartOfRead(estimate, part.index) * ReadUnitsOf(estimate, &Amount::typical, mistakes_);
        const double writes = part.index == nullptr
                                  ? WriteUnitsOf(estimate, &Amount::typical, table_only)
                                  : IndexWriteUnitsOf(estimate, *part.index, &Amount::typical);
        const double month = charge.runs_per_second * cost_.month_seconds;
        part.reads_per_month += month * reads;
        part.writes_per_month += month * writes;
        part.peak_reads_per_second += charge.peak_runs_per_second * reads;
        part.peak_writes_per_second += charge.peak_runs_per_second * writes;
      }
    }
  }

  // A local index shares its table's capacity.
  void SetProvisioned(const Table& table, PartCost& part) const {
    if (part.index != nullptr && part.index->local) return;
    const std::optional<Capacity>& stated =
        part.index == nullptr ? table.provisioned : part.index->capacity;
    part.provisioned_rcu =
        stated ? stated->read : std::max(1.0, std::ceil(part.peak_reads_per_second));
    part.provisioned_wcu =
        stated ? stated->write : std::max(1.0, std::ceil(part.peak_writes_per_second));
    part.provisioned_usd =
        ProvisionedUsd(*cost_.prices, table.infrequent_access, cost_.month_seconds,
                       part.provisioned_rcu, part.provisioned_wcu);
  }

  double StreamChanges(const Table& table) const {
    double changes = 0;
    for (const PatternCost& pattern : cost_.patterns) {
      for (const Charge& charge : pattern.counted.charges) {
        changes +=
            charge.runs_per_second * cost_.month_seconds * ChangesOf(*charge.estimate.plan, table);
      }
    }
    return changes;
  }

  void AddTotals() {
    for (const PatternCost& pattern : cost_.patterns) {
      const double days = cost_.month_seconds / kSecondsPerDay;
      cost_.reads_per_month += pattern.reads_per_day * days;
      cost_.writes_per_month += pattern.writes_per_day * days;
      cost_.requests_usd += pattern.month_usd;
    }
    double standard_gb = 0;
    for (const TableCost& table : cost_.tables) {
      cost_.pitr_usd += table.pitr_usd;
      cost_.stream_changes += table.stream_changes;
      cost_.provisioned_usd += table.ProvisionedUsd();
      const double gigabytes = GigabytesOf(table);
      cost_.gigabytes += gigabytes;
      if (table.table->infrequent_access) {
        cost_.storage_usd += table.StorageUsd();
      } else {
        standard_gb += gigabytes;
      }
    }
    cost_.storage_usd +=
        std::max(0.0, standard_gb - cost_.list->free_storage_gb) * cost_.prices->storage_gb;
    cost_.streams_usd = std::max(0.0, cost_.stream_changes - cost_.list->free_streams) / 1e5 *
                        cost_.prices->streams_100k;
    if (mistakes_.free_tier) ApplyFreeTier();
    SetBreakEven();
  }

  static double GigabytesOf(const TableCost& table) {
    double gigabytes = table.base.gigabytes;
    for (const PartCost& part : table.indexes) gigabytes += part.gigabytes;
    return gigabytes;
  }

  void ApplyFreeTier() {
    const double reads = Billed(cost_.reads_per_month, cost_.list->free_rcu, cost_.month_seconds);
    const double writes = Billed(cost_.writes_per_month, cost_.list->free_wcu, cost_.month_seconds);
    cost_.requests_usd =
        (reads * cost_.prices->read_million + writes * cost_.prices->write_million) / 1e6;
    for (PatternCost& pattern : cost_.patterns) {
      if (reads <= 0 && writes <= 0) pattern.month_usd = 0;
    }
  }

  void SetBreakEven() {
    const Prices& prices = *cost_.prices;
    if (prices.read_million > 0) {
      cost_.read_break_even = prices.rcu_hour / kSecondsPerHour / (prices.read_million / 1e6);
    }
    if (prices.write_million > 0) {
      cost_.write_break_even = prices.wcu_hour / kSecondsPerHour / (prices.write_million / 1e6);
    }
  }

  const Model& model_;
  const std::vector<Estimate>& estimates_;
  const Mistakes mistakes_;
  Cost cost_;
};

double SumOf(const TableCost& table, double PartCost::* member) {
  double sum = table.base.*member;
  for (const PartCost& part : table.indexes) sum += part.*member;
  return sum;
}

}  // namespace

double ReadUnitsOf(const Estimate& estimate, Pick pick, const Mistakes& mistakes) {
  const double units = estimate.read_units.*pick;
  const bool strong = ReadsStrongly(*estimate.plan->pattern);
  if (mistakes.all_strong && !strong) return units * 2;
  if (mistakes.all_eventual && strong) return units / 2;
  return units;
}

double WriteUnitsOf(const Estimate& estimate, Pick pick, const Mistakes& mistakes) {
  double units = estimate.write_units.*pick;
  if (mistakes.no_failures) units *= 1 - FailingShare(*estimate.plan);
  if (mistakes.no_indexes) return units;
  for (const auto& [index, amount] : estimate.index_write_units) {
    const bool halve = mistakes.moves_once && Moves(*estimate.plan, index);
    units += amount.*pick / (halve ? 2 : 1);
  }
  return units;
}

double IndexWriteUnitsOf(const Estimate& estimate, const Index& index, Pick pick) {
  for (const auto& [known, amount] : estimate.index_write_units) {
    if (known == &index) return amount.*pick;
  }
  return 0;
}

double TableCost::OnDemandUsd() const { return SumOf(*this, &PartCost::requests_usd); }
double TableCost::ProvisionedUsd() const { return SumOf(*this, &PartCost::provisioned_usd); }
double TableCost::StorageUsd() const { return SumOf(*this, &PartCost::storage_usd); }
double Cost::TotalUsd() const { return requests_usd + storage_usd + pitr_usd + streams_usd; }

double ProvisionedUsd(const Prices& prices, bool infrequent_access, double month_seconds,
                      double rcu, double wcu) {
  const double hours = month_seconds / kSecondsPerHour;
  return hours * (rcu * (infrequent_access ? prices.ia_rcu_hour : prices.rcu_hour) +
                  wcu * (infrequent_access ? prices.ia_wcu_hour : prices.wcu_hour));
}

Cost ComputeCost(const Model& model, const std::vector<Estimate>& estimates, const PriceList& list,
                 const Prices& prices, const Mistakes& mistakes) {
  return Calculator(model, estimates, list, prices, mistakes).Run();
}

}  // namespace stator::model
