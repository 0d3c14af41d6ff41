#include "model/plan/plan_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/names.h"
#include "model/plan/key_match.h"

namespace stator::model {
namespace {

// A key condition for one entity.
struct Candidate {
  KeySchema schema;
  const Entity* entity = nullptr;
  KeyMatch match;

  std::size_t terms_used() const {
    return static_cast<std::size_t>(std::ranges::count(match.used, true));
  }
};

bool MayMeet(const std::vector<ShapedClause>& clauses, const Entity& entity) {
  return std::ranges::all_of(clauses, [&](const ShapedClause& clause) {
    const KeyTemplate made = BaseTemplateFor(entity, clause.clause.attribute);
    return StartsAgree(clause.start, made.Prefix()) &&
           CommonText(clause.shape, ShapeOf(entity, made)).has_value();
  });
}

// Entities whose items the read may find. A numeric sort key does not distinguish entities.
std::vector<const Entity*> FindPresent(const Model& model, const Candidate& candidate) {
  std::vector<const Entity*> present;
  for (const Entity& entity : model.entities) {
    if (entity.table != candidate.schema.table->id) continue;
    if (&entity != candidate.entity) {
      if (!Holds(candidate.schema, entity) || !MayMeet(candidate.match.partition, entity) ||
          !MayMeet(candidate.match.sort, entity)) {
        continue;
      }
    }
    present.push_back(&entity);
  }
  return present;
}

Term ParameterTerm(const std::string& attribute) {
  Term term;
  term.attribute = attribute;
  term.operands.push_back({.kind = Operand::Kind::kParameter, .text = attribute});
  return term;
}

void TakeKey(const Model& model, Candidate& candidate, std::span<const Term> terms, Plan& plan) {
  KeyMatch& match = candidate.match;
  plan.present = FindPresent(model, candidate);
  // Where other entities share the partition, the text that opens the sort key keeps them out.
  if (plan.present.size() > 1 && match.sort_prefix && !match.verbatim &&
      candidate.entity != nullptr && match.sort.empty()) {
    match.sort.push_back(*match.sort_prefix);
    plan.present = FindPresent(model, candidate);
  }
  plan.index = candidate.schema.index;
  plan.entity = candidate.entity;
  for (ShapedClause& clause : match.partition) plan.key.push_back(std::move(clause.clause));
  for (ShapedClause& clause : match.sort) plan.key.push_back(std::move(clause.clause));
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (!match.used[i]) plan.residue.push_back(terms[i]);
  }
  plan.calls = match.calls;
  plan.satisfied_by_primary_key = plan.index == nullptr;
}

// "OrdersByStatus (status)": what each index of the table would need.
std::string Helpful(const Table& table, const Entity& entity, const Given& given) {
  std::vector<std::string> serve;
  std::string nearest;
  std::size_t fewest = SIZE_MAX;
  for (const Index& index : table.indexes) {
    const KeySchema schema = SchemaOf(table, index);
    if (!Holds(schema, entity)) continue;
    const KeyMatch match = MatchKey(schema, &entity, given);
    if (match.resolves()) {
      serve.push_back(schema.Name());
    } else if (match.given > 0 && match.missing.size() < fewest) {
      fewest = match.missing.size();
      nearest = fmt::format("{} would with {}", schema.Name(), List(match.missing));
    }
  }
  if (!serve.empty()) return fmt::format("; {} would serve it", List(serve));
  if (!nearest.empty()) return "; " + nearest;
  return {};
}

std::string PartitionText(const KeySchema& schema, const Entity* entity) {
  std::vector<std::string> keys;
  for (const KeyAttribute* key : schema.partition) {
    const KeyTemplate* made = entity == nullptr ? nullptr : entity->FindKey(key->name);
    keys.push_back(made == nullptr || !made->IsDerived()
                       ? key->name
                       : fmt::format("{} = {}", key->name, made->text));
  }
  return List(keys);
}

std::string ObstacleOf(const Candidate& nearest, const Given& given) {
  const KeySchema& schema = nearest.schema;
  if (schema.partition.empty()) return schema.Name() + " has no key";
  if (nearest.entity == nullptr) {
    return fmt::format("no entity of {} has the keys of {}", schema.table->id, schema.Name());
  }
  std::string text =
      fmt::format("the partition key of {} ({}) needs {}", schema.Name(),
                  PartitionText(schema, nearest.entity), List(nearest.match.missing));
  if (schema.index == nullptr) text += Helpful(*schema.table, *nearest.entity, given);
  return text;
}

// The entities that a query can mean: those it names, or all that its index holds.
std::vector<const Entity*> EntitiesMeant(const Model& model, const Pattern& pattern,
                                         const KeySchema& schema) {
  std::vector<const Entity*> meant;
  for (const std::string& name : pattern.entities) {
    if (const Entity* entity = model.FindEntity(name)) meant.push_back(entity);
  }
  if (!meant.empty()) return meant;
  std::string named = pattern.entity;
  for (const Term& term : pattern.read.where) {
    if (named.empty()) named = term.entity;
  }
  if (const Entity* entity = model.FindEntity(named)) return {entity};
  for (const Entity& entity : model.entities) {
    if (entity.table == schema.table->id && Holds(schema, entity)) meant.push_back(&entity);
  }
  return meant;
}

// How well a candidate fits: it must resolve, then use more of what the caller gives, then need
// less.
bool IsBetter(const Candidate& a, const Candidate& b) {
  if (a.match.resolves() != b.match.resolves()) return a.match.resolves();
  if (a.terms_used() != b.terms_used()) return a.terms_used() > b.terms_used();
  return a.match.missing.size() < b.match.missing.size();
}

bool SameClauses(const std::vector<ShapedClause>& a, const std::vector<ShapedClause>& b) {
  return std::ranges::equal(a, b, [](const ShapedClause& one, const ShapedClause& other) {
    return one.clause.attribute == other.clause.attribute &&
           one.clause.comparison == other.clause.comparison &&
           one.clause.values == other.clause.values;
  });
}

// If what the caller gives fits several entities of one partition equally well, the query asks for
// all of them.
void AskForAll(const std::vector<Candidate>& candidates, Candidate& chosen) {
  bool rivals = false;
  bool same_sort = true;
  for (const Candidate& one : candidates) {
    if (one.entity == chosen.entity || !one.match.resolves() ||
        one.terms_used() != chosen.terms_used() ||
        !SameClauses(one.match.partition, chosen.match.partition)) {
      continue;
    }
    rivals = true;
    same_sort = same_sort && SameClauses(one.match.sort, chosen.match.sort);
  }
  if (!rivals) return;
  if (!same_sort) {
    // A sort key made of the partition key's values does not tell what is wanted.
    if (chosen.match.partition_terms < chosen.terms_used()) return;
    chosen.match.sort.clear();
  }
  chosen.entity = nullptr;
}

// Whether both entities make the partition key in the same form: the same text around values.
bool HaveOneForm(const KeySchema& schema, const Entity& a, const Entity& b) {
  return std::ranges::all_of(schema.partition, [&](const KeyAttribute* key) {
    return std::ranges::equal(BaseTemplateFor(a, key->name).parts,
                              BaseTemplateFor(b, key->name).parts,
                              [](const TemplatePart& x, const TemplatePart& y) {
                                if (x.is_placeholder != y.is_placeholder) return false;
                                return x.is_placeholder || x.text == y.text;
                              });
  });
}

// `PK = $o` gives the key itself, and what $o holds could be the key of entities in different
// partitions. Then nobody can say what is read.
std::string UnclearPartition(const Pattern& pattern, const std::vector<Candidate>& candidates,
                             const Candidate& chosen) {
  if (!chosen.match.verbatim || chosen.entity == nullptr || !pattern.entities.empty()) return {};
  for (const Term& term : pattern.read.where) {
    const bool is_key = std::ranges::any_of(chosen.schema.partition, [&](const KeyAttribute* key) {
      return key->name == term.attribute;
    });
    if (!is_key || term.operands.empty() || term.operands[0].IsLiteral()) continue;
    for (const Candidate& other : candidates) {
      if (!other.match.resolves() || HaveOneForm(chosen.schema, *chosen.entity, *other.entity)) {
        continue;
      }
      const std::string mine = BaseTemplateFor(*chosen.entity, term.attribute).text;
      const std::string theirs = BaseTemplateFor(*other.entity, term.attribute).text;
      return fmt::format(
          "`{}` may be {} of {} or {} of {}: say `of:`, or give the attributes that the key is "
          "made from",
          TermText(term), mine, chosen.entity->name, theirs, other.entity->name);
    }
  }
  return {};
}

// `of: [A, B]` asks for all of them in one partition, with what the caller gives of each.
std::string AskForNamed(const std::vector<Candidate>& candidates, Candidate& chosen) {
  bool same_sort = true;
  for (const Candidate& one : candidates) {
    if (!one.match.resolves() || !SameClauses(one.match.partition, chosen.match.partition)) {
      return fmt::format(
          "{} and {} are not in one partition of {} ({}; {}): make two patterns, or give the same "
          "value for both",
          chosen.entity->name, one.entity->name, chosen.schema.Name(),
          PartitionText(chosen.schema, chosen.entity), PartitionText(one.schema, one.entity));
    }
    same_sort = same_sort && SameClauses(one.match.sort, chosen.match.sort);
    for (std::size_t i = 0; i < one.match.used.size(); ++i) {
      if (one.match.used[i]) chosen.match.used[i] = true;
    }
  }
  if (!same_sort) chosen.match.sort.clear();
  chosen.entity = nullptr;
  return {};
}

// On failure of what is more than a missing value, `obstacle` says why.
Candidate BestCandidate(const Model& model, const Pattern& pattern, const KeySchema& schema,
                        const Given& given, std::string& obstacle) {
  std::vector<Candidate> candidates;
  for (const Entity* entity : EntitiesMeant(model, pattern, schema)) {
    candidates.push_back({schema, entity, MatchKey(schema, entity, given)});
  }
  if (candidates.empty()) {
    Candidate verbatim{schema, nullptr, MatchKey(schema, nullptr, given)};
    return verbatim;
  }
  // A key that is given as a text is that of the entities whose keys can be such a text.
  const auto cannot_be = [](const Candidate& one) {
    return one.match.verbatim &&
           (!MayMeet(one.match.partition, *one.entity) || !MayMeet(one.match.sort, *one.entity));
  };
  if (!std::ranges::all_of(candidates, cannot_be)) std::erase_if(candidates, cannot_be);
  Candidate chosen = *std::ranges::min_element(candidates, IsBetter);
  if (!chosen.match.resolves()) return chosen;
  obstacle = UnclearPartition(pattern, candidates, chosen);
  if (!obstacle.empty()) return chosen;
  if (pattern.entities.empty()) {
    AskForAll(candidates, chosen);
  } else {
    obstacle = AskForNamed(candidates, chosen);
  }
  return chosen;
}

bool FindSource(const Model& model, Plan& plan) {
  const ReadDetail& read = plan.pattern->read;
  plan.table = model.FindTable(read.table);
  if (plan.table == nullptr) {
    plan.obstacle = "there is no table " + read.table;
    return false;
  }
  plan.index = read.index.empty() ? nullptr : plan.table->FindIndex(read.index);
  if (!read.index.empty() && plan.index == nullptr) {
    plan.obstacle = fmt::format("there is no index {}.{}", read.table, read.index);
    return false;
  }
  return true;
}

// Without the whole key, an index whose partition key the caller knows finds the item.
bool ResolveThroughIndex(const Model& model, std::span<const Term> terms, const Given& given,
                         Plan& plan) {
  std::optional<Candidate> best;
  for (const Index& index : plan.table->indexes) {
    const KeySchema schema = SchemaOf(*plan.table, index);
    if (!Holds(schema, *plan.entity)) continue;
    Candidate candidate{schema, plan.entity, MatchKey(schema, plan.entity, given)};
    if (!candidate.match.resolves()) continue;
    if (!best || IsBetter(candidate, *best)) best = std::move(candidate);
  }
  if (!best || best->terms_used() < terms.size()) return false;
  TakeKey(model, *best, terms, plan);
  plan.operation = Operation::kQuery;
  plan.calls *= std::max<std::int64_t>(plan.pattern->read.batch, 1);
  return true;
}

void ResolveGet(const Model& model, Plan& plan) {
  const Pattern& pattern = *plan.pattern;
  if (!FindEntity(model, plan)) return;
  const KeySchema schema = SchemaOf(*plan.table);
  std::vector<std::string> by = pattern.by;
  if (by.empty()) by = KeySources(schema, *plan.entity);
  std::vector<Term> terms;
  for (const std::string& name : by) terms.push_back(ParameterTerm(name));
  const Given given{.terms = terms};
  Candidate base{schema, plan.entity, MatchKey(schema, plan.entity, given)};
  if (base.match.whole()) {
    const std::int64_t batch = std::max<std::int64_t>(pattern.read.batch, 1);
    TakeKey(model, base, terms, plan);
    plan.present = {plan.entity};
    plan.operation =
        batch > 1 && pattern.read.batched ? Operation::kBatchGetItem : Operation::kGetItem;
    plan.calls = plan.operation == Operation::kGetItem ? batch : (batch + 99) / 100;
    return;
  }
  if (ResolveThroughIndex(model, terms, given, plan)) return;
  if (schema.partition.empty()) {
    plan.obstacle = schema.Name() + " has no key";
    return;
  }
  std::vector<std::string> missing = base.match.missing;
  for (const std::string& name : base.match.missing_sort) AddOnce(missing, name);
  plan.obstacle = fmt::format("{} does not give the key of {}: it needs {}", List(by),
                              plan.table->id, List(missing)) +
                  Helpful(*plan.table, *plan.entity, given);
  if (!plan.obstacle.contains(';')) {
    plan.obstacle += fmt::format("; an index with the partition key {} would serve it", by.front());
  }
}

void ResolveQuery(const Model& model, Plan& plan) {
  if (!FindSource(model, plan)) return;
  const Pattern& pattern = *plan.pattern;
  const KeySchema schema = SchemaOf(*plan.table, plan.index);
  const Given given{.terms = pattern.read.where, .read = &pattern.read};
  std::string obstacle;
  Candidate best = BestCandidate(model, pattern, schema, given, obstacle);
  if (!best.match.resolves() || !obstacle.empty()) {
    plan.entity = best.entity;
    plan.obstacle = obstacle.empty() ? ObstacleOf(best, given) : obstacle;
    return;
  }
  TakeKey(model, best, pattern.read.where, plan);
  plan.operation = Operation::kQuery;
}

void ResolveScan(const Model& model, Plan& plan) {
  if (!FindSource(model, plan)) return;
  const KeySchema schema = SchemaOf(*plan.table, plan.index);
  plan.entity = model.FindEntity(plan.pattern->entity);
  for (const Entity& entity : model.entities) {
    if (entity.table == plan.table->id && Holds(schema, entity)) plan.present.push_back(&entity);
  }
  if (plan.entity == nullptr && plan.present.size() == 1) plan.entity = plan.present.front();
  plan.operation = Operation::kScan;
}

}  // namespace

bool FindEntity(const Model& model, Plan& plan) {
  plan.entity = model.FindEntity(plan.pattern->entity);
  plan.table = plan.entity == nullptr ? nullptr : model.FindTable(plan.entity->table);
  if (plan.table == nullptr) plan.obstacle = "there is no entity " + plan.pattern->entity;
  return plan.table != nullptr;
}

void ResolveRead(const Model& model, Plan& plan) {
  switch (plan.pattern->kind) {
    case PatternKind::kGet:
      return ResolveGet(model, plan);
    case PatternKind::kQuery:
      return ResolveQuery(model, plan);
    default:
      return ResolveScan(model, plan);
  }
}

}  // namespace stator::model
