#include "model/estimate/population.h"

#include <algorithm>

namespace stator::model {
namespace {

double Seconds(seconds duration) { return static_cast<double>(duration.count()); }

bool Binds(const std::vector<Bound>& bound, std::string_view attribute) {
  return std::ranges::any_of(bound, [&](const Bound& one) { return one.attribute == attribute; });
}

bool BindsAll(const std::vector<Bound>& bound, const std::vector<std::string>& attributes) {
  return std::ranges::all_of(attributes, [&](const auto& name) { return Binds(bound, name); });
}

bool IsIdentity(const Attribute& attribute) {
  return attribute.unit == Unit::kUlid || attribute.unit == Unit::kUuid;
}

// Whether the bound values can name one item only.
bool IsUnique(const Entity& entity, const std::vector<Bound>& bound) {
  for (const std::vector<std::string>& unique : entity.unique) {
    if (BindsAll(bound, unique)) return true;
  }
  // A reference holds the id of another entity.
  return std::ranges::any_of(bound, [&](const Bound& one) {
    const Attribute* attribute = entity.FindAttribute(one.attribute);
    return attribute != nullptr && IsIdentity(*attribute) && attribute->refers_to.empty() &&
           attribute->default_value && attribute->default_value->kind == DefaultValue::Kind::kNewId;
  });
}

const std::pair<std::vector<std::string>, Amount>* ClosestGroup(const Entity& entity,
                                                                const std::vector<Bound>& bound) {
  const std::pair<std::vector<std::string>, Amount>* best = nullptr;
  for (const auto& group : entity.volume.per) {
    if (!BindsAll(bound, group.first)) continue;
    if (best == nullptr || group.first.size() > best->first.size()) best = &group;
  }
  return best;
}

// Items in a state: new items stay in each state for its dwell; the end states share the rest.
std::optional<double> StateShare(const Entity& entity, const std::string& value) {
  const Machine& machine = *entity.machine;
  const State* wanted = machine.FindState(value);
  const std::optional<Amount> total = TotalItems(entity);
  if (wanted == nullptr || !total || total->typical <= 0 || !entity.volume.create) {
    return std::nullopt;
  }
  double passing = 0;
  double resting = 0;
  for (const State& state : machine.states) {
    if (state.dwell && !state.end) {
      passing += entity.volume.create->per_second * Seconds(*state.dwell);
    } else {
      ++resting;
    }
  }
  if (wanted->dwell && !wanted->end) {
    return std::min(1.0,
                    entity.volume.create->per_second * Seconds(*wanted->dwell) / total->typical);
  }
  return std::max(0.0, 1 - passing / total->typical) / std::max(1.0, resting);
}

// The part of items whose time is inside the window, if they are created at an even rate.
std::optional<double> WindowShare(const Entity& entity, const Term& term) {
  const std::optional<seconds> lifetime = Lifetime(entity);
  if (!lifetime || lifetime->count() <= 0 || term.operands.empty()) return std::nullopt;
  const Operand& operand = term.operands.front();
  if (operand.kind != Operand::Kind::kNow) return std::nullopt;
  const double age = std::clamp(-Seconds(operand.offset) / Seconds(*lifetime), 0.0, 1.0);
  switch (term.comparison) {
    case Comparison::kGreater:
    case Comparison::kGreaterOrEqual:
    case Comparison::kBetween:
      return age;
    case Comparison::kLess:
    case Comparison::kLessOrEqual:
      return 1 - age;
    default:
      return std::nullopt;
  }
}

std::string LiteralOf(const Term& term) {
  if (term.operands.size() != 1) return {};
  const Operand& operand = term.operands.front();
  return operand.kind == Operand::Kind::kText || operand.kind == Operand::Kind::kBool
             ? operand.text
             : std::string();
}

}  // namespace

std::optional<seconds> Lifetime(const Entity& entity) {
  if (entity.ttl.empty()) return std::nullopt;
  const Attribute* attribute = entity.FindAttribute(entity.ttl);
  if (attribute == nullptr || !attribute->default_value) return std::nullopt;
  if (attribute->default_value->kind != DefaultValue::Kind::kNow) return std::nullopt;
  return attribute->default_value->offset;
}

std::optional<Amount> TotalItems(const Entity& entity) {
  if (entity.volume.total) return entity.volume.total;
  const std::optional<seconds> lifetime = Lifetime(entity);
  if (lifetime && entity.volume.create) {
    const double items = entity.volume.create->per_second * Seconds(*lifetime);
    return Amount{items, items};
  }
  for (const auto& [attributes, amount] : entity.volume.per) {
    double groups = 1;
    for (const std::string& name : attributes) {
      const std::optional<double> share = ShareOf(entity, name, "");
      groups = share && *share > 0 && groups > 0 ? groups / *share : 0;
    }
    if (groups > 0) return Amount{amount.typical * groups, amount.max * groups};
  }
  return std::nullopt;
}

std::optional<double> ShareOf(const Entity& entity, const std::string& attribute,
                              const std::string& value) {
  const Attribute* found = entity.FindAttribute(attribute);
  if (entity.machine && entity.machine->attribute == attribute && !value.empty()) {
    if (const std::optional<double> share = StateShare(entity, value)) return share;
  }
  if (found == nullptr) return std::nullopt;
  if (found->cardinality && *found->cardinality >= 1) return 1 / *found->cardinality;
  if (!found->values.empty()) return 1 / static_cast<double>(found->values.size());
  if (found->type == Type::kBool) return 0.5;
  return std::nullopt;
}

std::optional<Amount> ItemsWith(const Entity& entity, const std::vector<Bound>& bound,
                                std::string& missing) {
  const auto* group = ClosestGroup(entity, bound);
  if (IsUnique(entity, bound)) return Amount{1, 1};
  std::optional<Amount> items = group != nullptr ? group->second : TotalItems(entity);
  std::string unknown;
  for (const Bound& one : bound) {
    if (group != nullptr && std::ranges::find(group->first, one.attribute) != group->first.end()) {
      continue;
    }
    const std::optional<double> share = ShareOf(entity, one.attribute, one.value);
    if (!share) {
      unknown = one.attribute;
      continue;
    }
    const Attribute* attribute = entity.FindAttribute(one.attribute);
    const bool can_be_all = attribute != nullptr && !attribute->values.empty();
    if (!items) continue;
    items->typical *= std::min(1.0, *share * one.choices);
    if (!can_be_all) items->max *= std::min(1.0, *share * one.choices);
  }
  if (!items) {
    missing = "volume of " + entity.name + " (total, create with a lifetime, or per)";
    return std::nullopt;
  }
  if (!unknown.empty()) {
    missing = "items of " + entity.name + " that share one " + unknown + " (volume.per or card=)";
    return std::nullopt;
  }
  return items;
}

std::optional<double> Selectivity(const Entity& entity, const Term& term) {
  const auto values = static_cast<double>(term.operands.size());
  switch (term.comparison) {
    case Comparison::kEqual:
      return ShareOf(entity, term.attribute, LiteralOf(term));
    case Comparison::kNotEqual: {
      const std::optional<double> share = ShareOf(entity, term.attribute, LiteralOf(term));
      return share ? std::optional(1 - *share) : std::nullopt;
    }
    case Comparison::kIn: {
      double sum = 0;
      for (const Operand& operand : term.operands) {
        const std::optional<double> share = ShareOf(entity, term.attribute, operand.text);
        if (!share) return std::nullopt;
        sum += *share;
      }
      return std::min(1.0, sum);
    }
    case Comparison::kExists:
    case Comparison::kMissing:
      return std::nullopt;
    default:
      return values > 0 ? WindowShare(entity, term) : std::nullopt;
  }
}

std::optional<double> Selectivity(const Entity& entity, const Predicate& predicate) {
  double none = 1;  // no conjunction holds
  for (const std::vector<Term>& conjunction : predicate.any_of) {
    double all = 1;
    for (const Term& term : conjunction) {
      const std::optional<double> share = Selectivity(entity, term);
      if (!share) return std::nullopt;
      all *= *share;
    }
    none *= 1 - all;
  }
  return 1 - none;
}

}  // namespace stator::model
