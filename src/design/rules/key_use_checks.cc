// KY09–KY11, KY13, KY15, KY16: are keys written and asked for with values they can have?
#include <fmt/format.h>

#include <algorithm>

#include "model/names.h"
#include "model/plan/write_effects.h"
#include "rules/checks.h"
#include "rules/entity_keys.h"

namespace stator::model {
namespace {

std::string_view TypeWord(Type type) {
  switch (type) {
    case Type::kN:
      return "num";
    case Type::kB:
      return "bin";
    case Type::kBool:
      return "bool";
    default:
      return "str";
  }
}

bool IsTypeWord(std::string_view word) {
  return word == "str" || word == "num" || word == "bin" || word == "bool";
}

// The type with which the code binds the value; empty: not known.
std::string_view BoundType(const Operand& operand) {
  if (!operand.declared_type.empty()) {
    return IsTypeWord(operand.declared_type) ? std::string_view(operand.declared_type) : "";
  }
  return "";
}

// A text for a numeric key, or the time for a text key that is made from more than a time.
bool IsWrongLiteral(const Operand& operand, Type type, const KeyTemplate* made) {
  if (operand.kind == Operand::Kind::kText) return type == Type::kN;
  if (operand.kind == Operand::Kind::kNow) {
    return type == Type::kS && made != nullptr && !made->IsPlain();
  }
  return false;
}

void CheckKeyTerm(const Plan& plan, const KeyAttribute& key, const Term& term, Findings& findings) {
  const KeyTemplate* made = plan.entity == nullptr ? nullptr : plan.entity->FindKey(key.name);
  for (const Operand& operand : term.operands) {
    const std::string_view bound = BoundType(operand);
    const std::string_view wanted = TypeWord(key.type);
    const bool wrong = bound.empty() ? IsWrongLiteral(operand, key.type, made) : bound != wanted;
    if (!wrong) continue;
    findings.Add(
        plan.pattern->name, PlaceOf(term, plan),
        fmt::format("{} is a {} and is compared with {} {}, which DynamoDB refuses", key.name,
                    wanted, bound.empty() ? "the value" : bound,
                    operand.kind == Operand::Kind::kParameter ? "$" + operand.text
                    : operand.kind == Operand::Kind::kNow     ? "now"
                                                              : operand.text),
        made != nullptr && !made->IsPlain()
            ? fmt::format("compare the attributes that {} is made from: {}", key.name, made->text)
            : fmt::format("bind a {}", wanted));
    return;
  }
}

// The template turns an attribute into text for the key; the value is still bound with its own
// type.
void CheckSourceTerm(const Plan& plan, const KeySchema& schema, const Term& term,
                     Findings& findings) {
  const Attribute* attribute =
      plan.entity == nullptr ? nullptr : plan.entity->FindAttribute(term.attribute);
  if (attribute == nullptr || schema.Has(term.attribute)) return;
  for (const Operand& operand : term.operands) {
    const std::string_view bound = BoundType(operand);
    if (bound.empty() || bound == TypeWord(attribute->type)) continue;
    findings.Add(plan.pattern->name, PlaceOf(term, plan),
                 fmt::format("{} is a {} and is compared with {} ${}", term.attribute,
                             TypeWord(attribute->type), bound, operand.text),
                 fmt::format("bind a {}", TypeWord(attribute->type)));
    return;
  }
}

}  // namespace

void CheckMutableKeys(const Subject& subject, Findings& findings) {
  for (const Pattern& pattern : subject.model.patterns) {
    const Entity* entity = subject.model.FindEntity(pattern.entity);
    const Table* table = entity == nullptr ? nullptr : subject.model.FindTable(entity->table);
    if (pattern.kind != PatternKind::kWrite || table == nullptr) continue;
    if (pattern.write.kind != WriteKind::kUpdate && pattern.write.kind != WriteKind::kMove) {
      continue;
    }
    if (Contains(entity->rekey, pattern.name)) continue;
    const KeySchema schema = SchemaOf(*table);
    const std::vector<std::string> sources = KeySources(schema, *entity);
    std::vector<std::string> changed;
    for (const std::string& name : ChangedAttributes(*entity, pattern)) {
      if (Contains(sources, name) || schema.Has(name)) changed.push_back(name);
    }
    if (changed.empty()) continue;
    findings.Add(pattern.name, pattern.place,
                 fmt::format("{} changes {}, part of the key of {}: UpdateItem cannot change a key",
                             pattern.name, List(changed), table->id),
                 fmt::format("write: {}.rekey (a transaction: put the new item, delete the old)",
                             entity->name));
  }
}

void CheckTenants(const Subject& subject, Findings& findings) {
  for (const Entity& entity : subject.model.entities) {
    const auto tenant = std::ranges::find_if(entity.attributes, &Attribute::tenant);
    const Table* table = subject.model.FindTable(entity.table);
    if (tenant == entity.attributes.end() || table == nullptr) continue;
    for (const KeySchema& schema : SchemasOf(*table)) {
      if (schema.partition.empty() || !Holds(schema, entity)) continue;
      if (Contains(PartitionSources(schema, entity), tenant->name)) continue;
      const bool queried = std::ranges::any_of(subject.plans, [&](const Plan& plan) {
        return plan.table == table && plan.index == schema.index;
      });
      if (schema.index != nullptr && !queried) continue;
      findings.Add(
          schema.index == nullptr ? entity.name : schema.Name(),
          schema.index == nullptr ? entity.place : schema.index->place,
          fmt::format("the partition key of {} for {} does not hold {}: one read can cross "
                      "tenants, and equal ids of two tenants meet",
                      schema.Name(), entity.name, tenant->name),
          fmt::format("open the partition key with TENANT#{{{}}}#", tenant->name));
    }
  }
}

void CheckAbsentKeys(const Subject& subject, Findings& findings) {
  for (const KeyUse& use : DistinctKeyUses(subject.model)) {
    std::vector<std::string> names = use.made.Sources();
    AddOnce(names, use.key->name);
    const KeySchema base = SchemaOf(*use.schema.table);
    for (const std::string& name : names) {
      const Attribute* attribute = use.entity->FindAttribute(name);
      if (attribute == nullptr) continue;
      if (attribute->nullable) {
        findings.Add(
            use.Target(), attribute->place,
            fmt::format("{} may be NULL or empty, and DynamoDB refuses both in a key of {}", name,
                        use.schema.Name()),
            base.Has(use.key->name)
                ? "give it a value always"
                : "leave the key attributes out (`opt`, and REMOVE) instead of writing null");
      } else if (attribute->optional && base.Has(use.key->name)) {
        findings.Add(use.Target(), attribute->place,
                     fmt::format("{} may be absent, and every item of {} needs its key", name,
                                 use.schema.table->id),
                     fmt::format("drop `opt`, or make {} from other attributes", use.key->name));
      }
    }
  }
}

void CheckBoundTypes(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    if (plan.table == nullptr || plan.pattern->kind != PatternKind::kQuery) continue;
    const KeySchema schema = SchemaOf(*plan.table, plan.index);
    for (const Term& term : plan.pattern->read.where) {
      for (const auto* keys : {&schema.partition, &schema.sort}) {
        for (const KeyAttribute* key : *keys) {
          if (key->name == term.attribute) CheckKeyTerm(plan, *key, term, findings);
        }
      }
      CheckSourceTerm(plan, schema, term, findings);
    }
  }
}

void CheckScopes(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    const Pattern& pattern = *plan.pattern;
    if (pattern.scope.empty() || plan.operation != Operation::kQuery) continue;
    if (Binds(pattern.read.where, pattern.scope)) continue;
    const auto& filter = pattern.read.filter;
    const bool filtered = filter && std::ranges::all_of(filter->any_of, [&](const auto& terms) {
                            return Binds(terms, pattern.scope);
                          });
    if (filtered) continue;
    findings.Add(pattern.name, pattern.place,
                 fmt::format("{} may see one {} only, and a partition of {} holds those of others",
                             pattern.name, pattern.scope,
                             plan.index == nullptr ? plan.table->id : plan.index->name),
                 fmt::format("put {} into the partition key, or filter on it", pattern.scope));
  }
}

void CheckTableWithoutKey(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) {
    if (table.partition) continue;
    findings.Add(
        table.id, table.place,
        "no primary key is given: no item can be stored, and no index entry be traced back",
        "key: NAME str, the attribute that tells items apart (or two of them)");
  }
}

}  // namespace stator::model
