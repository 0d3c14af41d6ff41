// Units of reads: what lies in the range that is read, page by page.
#include <algorithm>
#include <cmath>

#include "model/estimate/estimate_pages.h"
#include "model/estimate/estimate_parts.h"
#include "model/estimate/estimate_range.h"
#include "model/estimate/item_size.h"

namespace stator::model {
namespace {

constexpr double kBatchGetItems = 100;

// Entries that are usually read until so many matches are found, when they lie anywhere.
double ReadUntilFound(double items, double matches, double want) {
  if (want >= matches) return items;
  return std::min(items, std::ceil(want * (items + 1) / (matches + 1)));
}

PageRun MakeRun(const Plan& plan, const RangeTotals& range, Pick pick, double shards) {
  const ReadDetail& read = plan.pattern->read;
  PageRun run;
  run.available = range.items.*pick / shards;
  run.entry_bytes = range.items.*pick > 0 ? range.bytes.*pick / range.items.*pick : 0;
  run.strong = read.strong;
  if (read.limit) run.limit = static_cast<double>(*read.limit);
  if (read.page) run.limit = static_cast<double>(*read.page);
  if (read.want) {
    const auto want = static_cast<double>(*read.want);
    const bool filters = read.filter.has_value() || !plan.residue.empty();
    const double found = pick == &Amount::max
                             ? run.available
                             : ReadUntilFound(run.available, range.matches.*pick / shards, want);
    run.wanted = filters ? found : std::min(run.available, want);
    if (run.wanted <= 0) run.wanted = want;
    if (!filters && !read.limit) run.limit = want;
  }
  run.one_request = !read.all && !read.want &&
                    (read.limit || read.page || read.count_by_length || read.first_match);
  return run;
}

void AddPages(const PageTotals& totals, double times, Pick pick, Estimate& estimate) {
  estimate.items_read.*pick += totals.items * times;
  estimate.bytes_read.*pick += totals.bytes * times;
  estimate.pages.*pick += totals.pages * times;
  estimate.read_units.*pick += totals.units * times;
}

double ReturnedBy(const ReadDetail& read, const RangeTotals& range, const PageTotals& totals,
                  Pick pick, double shards) {
  const double available = range.items.*pick / shards;
  const double matching = available > 0 ? range.matches.*pick / shards / available : 0;
  double returned = totals.items * std::min(1.0, matching);
  if (read.want) {
    returned = std::min(range.matches.*pick / shards, static_cast<double>(*read.want));
  }
  return returned;
}

// A local index that lacks what is asked for reads the whole item behind each entry.
double ReachBackUnits(const Model& model, const Plan& plan, double items, Pick pick) {
  if (plan.index == nullptr || !plan.index->local || plan.entity == nullptr) return 0;
  const auto& needs = plan.pattern->read.needs;
  const bool covered = std::ranges::all_of(
      needs, [&](const std::string& name) { return Projects(*plan.table, *plan.index, name); });
  if (covered && (!needs.empty() || plan.index->projection.kind == Projection::Kind::kAll))
    return 0;
  if (plan.pattern->read.count) return 0;
  return items * ItemReadUnits(ItemBytes(model, *plan.entity).*pick, plan.pattern->read.strong);
}

void AddThenGet(const Model& model, const Plan& plan, Pick pick, Estimate& estimate) {
  const ReadDetail& read = plan.pattern->read;
  if (!read.then_get) return;
  const Entity* entity = model.FindEntity(*read.then_get);
  if (entity == nullptr) return;
  const double hits = estimate.items_returned.*pick;
  const double bytes = ItemBytes(model, *entity).*pick;
  // Reading by key afterwards may be strong even where the index is not.
  estimate.read_units.*pick += hits * ItemReadUnits(bytes, false);
  estimate.bytes_read.*pick += hits * bytes;
  estimate.items_read.*pick += hits;
  estimate.pages.*pick += hits;
}

double ShardsOf(const Plan& plan) {
  return plan.index != nullptr && plan.index->shards ? std::max(1, plan.index->shards->count) : 1;
}

void AddRange(const Model& model, const Plan& plan, const RangeTotals& range, Estimate& estimate) {
  const ReadDetail& read = plan.pattern->read;
  const double shards = ShardsOf(plan);
  // A get of several items through an index is a query for each.
  const double repeats = plan.pattern->kind == PatternKind::kGet
                             ? static_cast<double>(std::max<std::int64_t>(1, read.batch))
                             : 1;
  const double asked = (read.all_shards ? shards : 1) * repeats;
  for (const Pick pick : {&Amount::typical, &Amount::max}) {
    const PageTotals totals = ReadPages(MakeRun(plan, range, pick, shards));
    AddPages(totals, asked, pick, estimate);
    estimate.read_units.*pick += asked * ReachBackUnits(model, plan, totals.items, pick);
    estimate.items_returned.*pick += asked * ReturnedBy(read, range, totals, pick, shards);
  }
}

void FinishRange(const Model& model, const Plan& plan, Estimate& estimate) {
  const ReadDetail& read = plan.pattern->read;
  for (const Pick pick : {&Amount::typical, &Amount::max}) {
    // Merging shards gives no more than was asked for.
    if (read.want) {
      estimate.items_returned.*pick =
          std::min(estimate.items_returned.*pick, static_cast<double>(*read.want));
    }
    AddThenGet(model, plan, pick, estimate);
  }
}

void EstimateRange(const Model& model, const Plan& plan, Estimate& estimate) {
  for (const std::string& value : ForeachValues(plan)) {
    const EntityRanges found = FindRanges(model, plan, value);
    if (!found.missing.empty()) {
      estimate.known = false;
      estimate.missing = found.missing;
    }
    AddRange(model, plan, AddUp(model, plan, found.ranges), estimate);
  }
  FinishRange(model, plan, estimate);
}

void EstimateGets(const Model& model, const Plan& plan, Estimate& estimate) {
  const ReadDetail& read = plan.pattern->read;
  const auto gets = static_cast<double>(std::max<std::int64_t>(1, read.batch));
  for (const Pick pick : {&Amount::typical, &Amount::max}) {
    const double bytes = ItemBytes(model, *plan.entity).*pick;
    estimate.items_read.*pick = gets;
    estimate.items_returned.*pick = gets;
    estimate.bytes_read.*pick = gets * bytes;
    estimate.read_units.*pick = gets * ItemReadUnits(bytes, read.strong);
    estimate.pages.*pick =
        plan.operation == Operation::kBatchGetItem ? std::ceil(gets / kBatchGetItems) : gets;
  }
}

}  // namespace

Estimate EstimateRanges(const Model& model, const Plan& plan,
                        const std::vector<std::vector<EntityRange>>& requests) {
  Estimate estimate;
  estimate.plan = &plan;
  for (const std::vector<EntityRange>& ranges : requests) {
    AddRange(model, plan, AddUp(model, plan, ranges), estimate);
  }
  FinishRange(model, plan, estimate);
  return estimate;
}

void EstimateRead(const Model& model, const Plan& plan, Estimate& estimate) {
  const bool by_key =
      plan.operation == Operation::kGetItem || plan.operation == Operation::kBatchGetItem;
  if (plan.table == nullptr || (by_key && plan.entity == nullptr)) {
    estimate.known = false;
    estimate.missing = "what is read";
    return;
  }
  if (by_key) {
    EstimateGets(model, plan, estimate);
  } else {
    EstimateRange(model, plan, estimate);
  }
}

}  // namespace stator::model
