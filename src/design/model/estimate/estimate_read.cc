#include "model/estimate/estimate_read.h"

#include <algorithm>
#include <cmath>

#include "model/estimate/item_size.h"
#include "model/estimate/population.h"
#include "model/keys/key_access.h"
#include "model/keys/truth.h"

namespace stator::model {
namespace {

bool IsResidue(const Plan& plan, const Term& term) {
  return std::ranges::any_of(plan.residue, [&](const Term& one) {
    return one.attribute == term.attribute && one.comparison == term.comparison &&
           one.place == term.place;
  });
}

std::vector<std::string> SourcesOf(const Entity& entity, const std::string& attribute) {
  const KeyTemplate* key = entity.FindKey(attribute);
  if (key == nullptr) return {attribute};
  return key->Sources();
}

// Whether the term speaks of another entity's attribute, which this one does not have.
bool IsOfAnother(const Term& term, const Entity& entity) {
  return !term.entity.empty() && term.entity != entity.name &&
         entity.FindAttribute(term.attribute) == nullptr &&
         entity.FindKey(term.attribute) == nullptr;
}

// The sources of the entity that the key condition fixes.
std::vector<Bound> BoundBy(const Plan& plan, const Entity& entity,
                           const std::string& foreach_value) {
  std::vector<Bound> bound;
  const auto add = [&](std::string attribute, std::string value, double choices) {
    if (attribute == kShard) return;
    const bool known =
        std::ranges::any_of(bound, [&](const Bound& one) { return one.attribute == attribute; });
    if (!known) bound.push_back({std::move(attribute), std::move(value), choices});
  };
  const ReadDetail& read = plan.pattern->read;
  if (!read.foreach_attribute.empty()) {
    for (std::string& source : SourcesOf(entity, read.foreach_attribute)) {
      add(std::move(source), foreach_value, 1);
    }
  }
  if (plan.pattern->kind == PatternKind::kGet) {
    for (const std::string& name : plan.pattern->by) {
      for (std::string& source : SourcesOf(entity, name)) add(std::move(source), "", 1);
    }
  }
  for (const Term& term : read.where) {
    const bool equal = term.comparison == Comparison::kEqual;
    const bool in = term.comparison == Comparison::kIn;
    if ((!equal && !in) || IsResidue(plan, term) || IsOfAnother(term, entity)) continue;
    std::string value;
    if (equal && !term.operands.empty() && term.operands.front().kind == Operand::Kind::kText) {
      value = term.operands.front().text;
    }
    for (std::string& source : SourcesOf(entity, term.attribute)) {
      add(std::move(source), value, in ? static_cast<double>(term.operands.size()) : 1);
    }
  }
  // Whatever is in the partition that is read shares the partition key.
  if (plan.operation == Operation::kQuery) {
    for (const KeyAttribute* key : SchemaOf(*plan.table, plan.index).partition) {
      for (std::string& source : SourcesOf(entity, key->name)) add(std::move(source), "", 1);
    }
  }
  return bound;
}

// True if the values name one item of the table.
bool IsWholeKey(const Table& table, const Entity& entity, const std::vector<Bound>& bound) {
  if (!table.partition) return false;
  std::vector<std::string> sources = SourcesOf(entity, table.partition->name);
  if (table.sort) {
    const std::vector<std::string> more = SourcesOf(entity, table.sort->name);
    sources.insert(sources.end(), more.begin(), more.end());
  }
  return std::ranges::all_of(sources, [&](const std::string& source) {
    return std::ranges::any_of(bound, [&](const Bound& one) { return one.attribute == source; });
  });
}

// The part of a partition that a range of the sort key takes; all of it if the model does not say.
double RangeShare(const Plan& plan, const Entity& entity) {
  double share = 1;
  for (const Term& term : plan.pattern->read.where) {
    if (term.comparison == Comparison::kEqual || term.comparison == Comparison::kIn) continue;
    if (IsResidue(plan, term)) continue;
    share *= Selectivity(entity, term).value_or(1);
  }
  return share;
}

// True if the model says what part of a partition the range takes.
bool RangeIsTold(const Plan& plan, const Entity& entity) {
  return std::ranges::all_of(plan.pattern->read.where, [&](const Term& term) {
    const bool ranges = term.comparison != Comparison::kEqual && term.comparison != Comparison::kIn;
    return !ranges || IsResidue(plan, term) || Selectivity(entity, term).has_value();
  });
}

// The number of items that gives that many results.
Amount ItemsFor(const Amount& results, double passing, const Amount& items) {
  return {std::min(items.typical, results.typical / passing),
          std::min(items.max, results.max / passing)};
}

double EntityBytes(const Model& model, const Plan& plan, const Entity& entity, Pick pick) {
  return (plan.index == nullptr ? ItemBytes(model, entity)
                                : EntryBytes(model, entity, *plan.index)).*
         pick;
}

// The part of the items in the range that the index holds: all of them, if the values that are
// asked for are those that put items into it.
double ShareInRange(const Model& model, const Plan& plan, const Entity& entity,
                    const std::vector<Bound>& bound) {
  const double share = EntryShare(model, entity, *plan.index);
  if (share <= 0 || !plan.index->sparse || !plan.index->sparse->when) return share;
  Known known;
  for (const Bound& one : bound) known[one.attribute] = KnownAttribute::Present();
  return Evaluate(*plan.index->sparse->when, known) == Truth::kTrue ? 1 : share;
}

std::optional<Amount> EntityItems(const Model& model, const Plan& plan, const Entity& entity,
                                  const std::string& value, std::string& missing) {
  std::optional<Amount> items;
  if (plan.operation == Operation::kScan) {
    items = TotalItems(entity);
    if (!items) missing = "volume of " + entity.name;
  } else {
    const std::vector<Bound> bound = BoundBy(plan, entity, value);
    items =
        IsWholeKey(*plan.table, entity, bound) ? Amount{1, 1} : ItemsWith(entity, bound, missing);
    if (items) items->typical *= RangeShare(plan, entity);
  }
  if (items && plan.index != nullptr) {
    const double share = ShareInRange(model, plan, entity, BoundBy(plan, entity, value));
    items->typical *= share;
    items->max *= share > 0 ? 1 : 0;
  }
  return items;
}

// The typical part of items that passes; absent: unknown.
std::optional<double> PassingShare(const Plan& plan, const Entity& entity) {
  double share = 1;
  for (const Term& term : plan.residue) {
    const std::optional<double> one = Selectivity(entity, term);
    if (!one) return std::nullopt;
    share *= *one;
  }
  if (const auto& filter = plan.pattern->read.filter) {
    const std::optional<double> one = Selectivity(entity, *filter);
    if (!one) return std::nullopt;
    share *= *one;
  }
  return share;
}

std::vector<const Entity*> EntitiesRead(const Model& model, const Plan& plan) {
  if (!plan.present.empty()) return plan.present;
  if (plan.entity != nullptr) return {plan.entity};
  return model.EntitiesOf(*plan.table);
}

constexpr double kBatchGetItems = 100;

// Entries typically read until that many matches are found, if the matches are spread evenly.
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
  const double units = hits * ItemReadUnits(bytes, false);
  estimate.read_units.*pick += units;
  if (plan.index != nullptr) estimate.fetched_read_units.*pick += units;
  estimate.bytes_read.*pick += hits * bytes;
  estimate.items_read.*pick += hits;
  estimate.pages.*pick += hits;
}

void AddRange(const Model& model, const Plan& plan, const RangeTotals& range, Estimate& estimate) {
  const ReadDetail& read = plan.pattern->read;
  const double shards = ShardsOf(plan);
  // A get of several items through an index is one query per item.
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
    // Merged shards return no more than was asked for.
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

EntityRanges FindRanges(const Model& model, const Plan& plan, const std::string& foreach_value) {
  EntityRanges found;
  const std::vector<const Entity*> entities = EntitiesRead(model, plan);
  const std::optional<Amount>& stated = plan.pattern->items;
  const bool filters = plan.pattern->read.filter || !plan.residue.empty();
  for (const Entity* entity : entities) {
    std::optional<Amount> items = EntityItems(model, plan, *entity, foreach_value, found.missing);
    if (!items) continue;
    const bool wanted = IsWanted(plan, *entity);
    // Other entities in the partition are read too; a filter excludes all of them.
    std::optional<double> passing = wanted ? PassingShare(plan, *entity) : filters ? 0 : 1;
    // Where the selectivity of the predicates is unknown, the stated `items` replace it.
    if (!passing && stated && items->typical > 0) {
      passing = std::min(1.0, stated->typical / items->typical);
    } else if (wanted && stated && passing > 0 && !RangeIsTold(plan, *entity)) {
      items = ItemsFor(*stated, *passing, *items);
    }
    found.ranges.push_back({entity, *items, passing.value_or(1)});
  }
  // Where volumes are unknown, likewise.
  if (stated && !found.missing.empty() && !filters) {
    const Entity* entity =
        plan.entity != nullptr || entities.empty() ? plan.entity : entities.front();
    if (entity == nullptr) return found;
    found.ranges = {{entity, *stated, 1}};
    found.missing.clear();
  }
  return found;
}

RangeTotals AddUp(const Model& model, const Plan& plan, const std::vector<EntityRange>& ranges) {
  RangeTotals totals;
  for (const EntityRange& range : ranges) {
    for (const Pick pick : {&Amount::typical, &Amount::max}) {
      totals.items.*pick += range.items.*pick;
      totals.bytes.*pick += range.items.*pick * EntityBytes(model, plan, *range.entity, pick);
      totals.matches.*pick += range.items.*pick * range.passing;
    }
  }
  return totals;
}

std::vector<std::string> ForeachValues(const Plan& plan) {
  const ReadDetail& read = plan.pattern->read;
  if (read.foreach_attribute.empty()) return {""};
  if (!read.foreach_values.empty()) return read.foreach_values;
  for (const Entity* entity : plan.present) {
    const Attribute* attribute = entity->FindAttribute(read.foreach_attribute);
    if (attribute != nullptr && !attribute->values.empty()) return attribute->values;
  }
  return std::vector<std::string>(static_cast<std::size_t>(std::max<std::int64_t>(1, plan.calls)));
}

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
