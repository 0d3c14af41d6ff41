#include "proof/month.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "model/cost/cost.h"
#include "model/names.h"

namespace stator::proof {
namespace {

using model::Pattern;
using model::PatternKind;

bool Agree(double priced, double metered) {
  constexpr double kNothing = 1e-6;
  const double difference = std::abs(priced - metered);
  return difference <= kNothing || difference <= kMonthTolerance * std::max(priced, metered);
}

void AddUnits(const UnitsByPlace& from, double weight, UnitsByPlace& to) {
  for (const auto& [place, units] : from) {
    to[place].reads += weight * units.reads;
    to[place].writes += weight * units.writes;
  }
}

// Plays a cache long enough that chance does not matter, and returns the share of the reads that
// have to be sent: each of them loads something, and some reads find it until its time is over.
double ShareThatMisses(double per_second, double keys, double time_s) {
  constexpr int kLoads = 100'000;
  constexpr double kNearlyAll = 1e6;  // chance makes no difference any more
  const double mean = per_second / keys * time_s;
  if (mean > kNearlyAll) return 1 / (1 + mean);
  std::mt19937_64 random(1);
  std::poisson_distribution<std::uint64_t> reads_that_find_it(mean);
  double reads = kLoads;
  for (int i = 0; i < kLoads; ++i) reads += static_cast<double>(reads_that_find_it(random));
  return kLoads / reads;
}

// A failed condition cancels a transaction, and that tells no units: the month is one without.
model::Model WithoutCancelled(const model::Model& model) {
  model::Model calm = model;
  for (Pattern& pattern : calm.patterns) {
    const bool is_member = std::ranges::any_of(model.patterns, [&](const Pattern& other) {
      return model::Contains(other.parts, pattern.name);
    });
    const bool writes_several =
        model::ResolvePattern(model, pattern).operation == model::Operation::kTransactWriteItems;
    if (is_member || writes_several) pattern.write.duplicate_share = 0;
  }
  return calm;
}

class MonthRun {
 public:
  MonthRun(const model::Model& model, const std::vector<Proof>& proofs, double max_items)
      : model_(model),
        calm_(WithoutCancelled(model)),
        proofs_(proofs),
        max_items_(max_items),
        plans_(model::ResolvePatterns(calm_)),
        estimates_(model::EstimatePlans(calm_, plans_)),
        month_s_(static_cast<double>(model.assume.month.count())) {}

  Month Run() && {
    for (std::size_t i = 0; i < model_.patterns.size(); ++i) Play(i);
    Compare();
    return std::move(month_);
  }

 private:
  void Play(std::size_t at) {
    const Pattern& pattern = model_.patterns[at];
    if (!pattern.rate) return;
    bool is_member = false;
    for (const Pattern& other : model_.patterns) {
      if (!model::Contains(other.parts, pattern.name)) continue;
      if (other.rate) return;  // it is made when the transaction is
      is_member = true;
    }
    const double calls = pattern.rate->per_second * month_s_;
    month_.calls += calls;
    if (is_member) {
      AddRuns(at, ProveInTransaction(pattern), calls);
    } else {
      AddRuns(at, proofs_[at], calls * ShareSent(pattern, plans_[at]));
    }
  }

  // A transaction that holds this write or read and nothing else.
  Proof ProveInTransaction(const Pattern& pattern) const {
    model::Model alone = model_;
    alone.patterns.push_back({.name = "only " + pattern.name,
                              .kind = PatternKind::kTransaction,
                              .parts = {pattern.name}});
    return ProvePattern(alone, alone.patterns.back(), max_items_);
  }

  // The part of the calls that a cache does not answer.
  double ShareSent(const Pattern& pattern, const model::Plan& plan) const {
    if (!pattern.read.cache || pattern.rate->per_second <= 0) return 1;
    const double keys = model::CachedKeys(calm_, plan).value_or(1);
    const auto time_s = static_cast<double>(pattern.read.cache->count());
    return time_s > 0 ? ShareThatMisses(pattern.rate->per_second, keys, time_s) : 1;
  }

  void AddRuns(std::size_t at, const Proof& proof, double runs) {
    if (!proof.ran) {
      month_.left_out.push_back(model_.patterns[at].name);
      AddUnits(PricedOf({estimates_[at]}), 1, metered_);
      return;
    }
    // Fewer items than declared were loaded, or somewhat larger ones: all are taken to be like them.
    const double predicted = proof.predicted.read_units;
    const bool differs = proof.scale < 1 || proof.resized;
    const double grow =
        differs && predicted > 0 ? estimates_[at].read_units.typical / predicted : 1;
    AddUnits(proof.measured.metered, runs * grow, metered_);
  }

  // By the estimates alone.
  UnitsByPlace PricedOf(const std::vector<model::Estimate>& estimates) const {
    const model::PriceList& list = model::BuiltInPriceLists().front();
    const model::Cost cost = model::ComputeCost(calm_, estimates, list, list.regions.front());
    UnitsByPlace priced;
    for (const model::TableCost& table : cost.tables) {
      const auto add = [&](const std::string& index, const model::PartCost& part) {
        priced[{table.table->id, index}] = {part.reads_per_month, part.writes_per_month};
      };
      add("", table.base);
      for (const model::PartCost& part : table.indexes) add(part.index->name, part);
    }
    return priced;
  }

  void Compare() {
    UnitsByPlace priced = PricedOf(estimates_);
    month_.total.name = "all";
    const auto add = [&](const std::string& table, const std::string& index) {
      const MonthPlace place{.name = index.empty() ? table : table + "." + index,
                             .priced = priced[{table, index}],
                             .metered = metered_[{table, index}]};
      for (const auto member : {&Units::reads, &Units::writes}) {
        month_.total.priced.*member += place.priced.*member;
        month_.total.metered.*member += place.metered.*member;
      }
      month_.places.push_back(place);
    };
    for (const model::Table& table : model_.tables) {
      add(table.id, "");
      for (const model::Index& index : table.indexes) add(table.id, index.name);
    }
  }

  const model::Model& model_;
  const model::Model calm_;
  const std::vector<Proof>& proofs_;
  const double max_items_;
  const std::vector<model::Plan> plans_;
  const std::vector<model::Estimate> estimates_;
  const double month_s_;
  UnitsByPlace metered_;
  Month month_;
};

}  // namespace

bool MonthPlace::ok() const {
  return Agree(priced.reads, metered.reads) && Agree(priced.writes, metered.writes);
}

bool Month::ok() const { return total.ok() && std::ranges::all_of(places, &MonthPlace::ok); }

Month ProveMonth(const model::Model& model, const std::vector<Proof>& proofs, double max_items) {
  return MonthRun(model, proofs, max_items).Run();
}

}  // namespace stator::proof
