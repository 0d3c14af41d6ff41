#include "model/estimate/estimate_range.h"

#include <algorithm>

#include "model/estimate/estimate_parts.h"
#include "model/estimate/item_size.h"
#include "model/estimate/population.h"

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

// The sources of the entity that the key condition fixes.
std::vector<Bound> BoundBy(const Plan& plan, const Entity& entity,
                           const std::string& foreach_value) {
  std::vector<Bound> bound;
  const auto add = [&](std::string attribute, std::string value, double choices) {
    if (attribute == "shard") return;
    const bool there =
        std::ranges::any_of(bound, [&](const Bound& one) { return one.attribute == attribute; });
    if (!there) bound.push_back({std::move(attribute), std::move(value), choices});
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
    if ((!equal && !in) || IsResidue(plan, term)) continue;
    std::string value;
    if (equal && !term.operands.empty() && term.operands.front().kind == Operand::Kind::kText) {
      value = term.operands.front().text;
    }
    for (std::string& source : SourcesOf(entity, term.attribute)) {
      add(std::move(source), value, in ? static_cast<double>(term.operands.size()) : 1);
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

// The part of a partition that a range of the sort key takes; all of it where nothing tells.
double RangeShare(const Plan& plan, const Entity& entity) {
  double share = 1;
  for (const Term& term : plan.pattern->read.where) {
    if (term.comparison == Comparison::kEqual || term.comparison == Comparison::kIn) continue;
    if (IsResidue(plan, term)) continue;
    share *= Selectivity(entity, term).value_or(1);
  }
  return share;
}

// True if the model tells what part of a partition the range takes.
bool RangeIsTold(const Plan& plan, const Entity& entity) {
  return std::ranges::all_of(plan.pattern->read.where, [&](const Term& term) {
    const bool ranges = term.comparison != Comparison::kEqual && term.comparison != Comparison::kIn;
    return !ranges || IsResidue(plan, term) || Selectivity(entity, term).has_value();
  });
}

// As many items as give so many results.
Amount ItemsFor(const Amount& results, double passing, const Amount& items) {
  return {std::min(items.typical, results.typical / passing),
          std::min(items.max, results.max / passing)};
}

double EntityBytes(const Model& model, const Plan& plan, const Entity& entity, Pick pick) {
  return (plan.index == nullptr ? ItemBytes(model, entity)
                                : EntryBytes(model, entity, *plan.index)).*
         pick;
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
    const double share = EntryShare(model, entity, *plan.index);
    items->typical *= share;
    items->max *= share > 0 ? 1 : 0;
  }
  return items;
}

// The usual part that passes; absent: unknown.
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

}  // namespace

EntityRanges FindRanges(const Model& model, const Plan& plan, const std::string& foreach_value) {
  EntityRanges found;
  const std::vector<const Entity*> entities = EntitiesRead(model, plan);
  const std::optional<Amount>& stated = plan.pattern->items;
  const bool filters = plan.pattern->read.filter || !plan.residue.empty();
  for (const Entity* entity : entities) {
    std::optional<Amount> items = EntityItems(model, plan, *entity, foreach_value, found.missing);
    if (!items) continue;
    const bool wanted = plan.entity == nullptr || plan.entity == entity;
    // Entities that share the partition come along, unless a filter keeps them out.
    std::optional<double> passing = wanted ? PassingShare(plan, *entity) : filters ? 0 : 1;
    // What a pattern says that it returns stands for what the predicates do not tell.
    if (!passing && stated && items->typical > 0) {
      passing = std::min(1.0, stated->typical / items->typical);
    } else if (wanted && stated && passing > 0 && !RangeIsTold(plan, *entity)) {
      items = ItemsFor(*stated, *passing, *items);
    }
    found.ranges.push_back({entity, *items, passing.value_or(1)});
  }
  // … and for what the volumes do not.
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

}  // namespace stator::model
