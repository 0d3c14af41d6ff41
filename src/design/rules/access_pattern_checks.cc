// AP01–AP07: does every pattern resolve, and is everything known that it needs to be judged?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/keys/key_access.h"
#include "model/keys/truth.h"
#include "model/names.h"
#include "model/plan/plan.h"
#include "rules/checks.h"

namespace stator::model {
namespace {

bool Meets(const Plan& plan, const Entity& entity) {
  return plan.entity == &entity || plan.pattern->entity == entity.name ||
         std::ranges::find(plan.present, &entity) != plan.present.end() ||
         plan.pattern->read.then_get == entity.name;
}

// A read for another entity whose partition also holds this one does not ask for it.
bool AsksFor(const Plan& plan, const Entity& entity) {
  if (!IsRead(plan)) return false;
  if (plan.entity != nullptr || !plan.pattern->entities.empty()) {
    return IsWanted(plan, entity) || plan.pattern->read.then_get == entity.name;
  }
  return Meets(plan, entity);
}

bool Feeds(const Pattern& pattern, const Entity& entity) {
  return pattern.kind == PatternKind::kWrite && pattern.entity == entity.name &&
         pattern.write.kind != WriteKind::kDelete;
}

// Whether the term only excludes an end of a range that BETWEEN already bounds: it filters out one
// value at most.
bool TrimsRange(const Plan& plan, const Term& term) {
  const bool open = term.comparison == Comparison::kLess || term.comparison == Comparison::kGreater;
  return open && plan.entity != nullptr &&
         std::ranges::any_of(plan.key, [&](const PlanClause& clause) {
           const KeyTemplate* made = plan.entity->FindKey(clause.attribute);
           return clause.comparison == Comparison::kBetween && made != nullptr &&
                  made->Uses(term.attribute);
         });
}

}  // namespace

void CheckResolved(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    if (plan.resolved()) continue;
    findings.Add(plan.pattern->name, plan.pattern->place,
                 fmt::format("{} resolves to no operation: {}", plan.pattern->name, plan.obstacle),
                 "give the missing values, query an index whose partition key they make, or add "
                 "one");
  }
}

void CheckScans(const Subject& subject, Findings& findings) {
  for (std::size_t i = 0; i < subject.plans.size(); ++i) {
    const Plan& plan = subject.plans[i];
    const Pattern& pattern = *plan.pattern;
    if (plan.operation != Operation::kScan) continue;
    if (pattern.pattern_class != PatternClass::kHot && !pattern.reason.empty()) continue;
    const Estimate& estimate = subject.estimates[i];
    const std::string cost =
        estimate.known ? fmt::format(": {:.0f} items, {:.0f} read units each time",
                                     estimate.items_read.typical, estimate.read_units.typical)
                       : ": every item, each time";
    findings.Add(pattern.name, pattern.place,
                 fmt::format("{} reads all of {}{}{}", pattern.name, plan.table->id, cost,
                             pattern.read.filter ? "; its filter saves nothing" : ""),
                 "query a key or an index; or, if it is rare, say `class: admin` and `reason`");
  }
}

void CheckServedTerms(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    if (!plan.resolved()) continue;
    for (const Term& term : plan.residue) {
      if (TrimsRange(plan, term)) continue;
      findings.Add(
          plan.pattern->name, PlaceOf(term, plan),
          fmt::format("`{}` is served by no key of {}: it only filters what is read",
                      TermText(term), plan.index == nullptr ? plan.table->id : plan.index->name),
          fmt::format("put {} into the partition key, or before what ranges in the sort "
                      "key; or say `filter` if reading the rest is meant",
                      term.attribute));
    }
  }
}

// ---- AP05

namespace {

// Whether it is said how often the requests of the pattern are sent: by its own rate, by that of
// the transaction that it is part of, or by the rates of its members.
bool RateIsKnown(const PatternCharges& counted) {
  if (counted.pattern->rate || !counted.counted_in.empty()) return true;
  return !counted.counted_with.empty() &&
         std::ranges::all_of(counted.counted_with,
                             [](const Pattern* member) { return member->rate.has_value(); });
}

// A member's own rate is not billed. One that says something else is meant for other runs.
void CheckMemberRate(const PatternCharges& counted, Findings& findings) {
  const Pattern& pattern = *counted.pattern;
  if (!pattern.rate || counted.counted_in.empty()) return;
  double counted_rate = 0;
  std::vector<std::string> transactions;
  for (const Pattern* transaction : counted.counted_in) {
    counted_rate += transaction->rate->per_second;
    transactions.push_back(transaction->name);
  }
  const double own = pattern.rate->per_second;
  if (std::abs(own - counted_rate) <= 1e-6 * std::max(own, counted_rate)) return;
  findings.Add(pattern.name, pattern.place,
               fmt::format("{} happens {}, and {} times a day as part of {}: only the latter is "
                           "counted",
                           pattern.name, pattern.rate_text, FigureText(Rate{counted_rate}.PerDay()),
                           List(transactions)),
               "leave its rate out; runs outside of a transaction are a pattern of their own");
}

}  // namespace

void CheckFigures(const Subject& subject, Findings& findings) {
  for (std::size_t i = 0; i < subject.plans.size(); ++i) {
    const Plan& plan = subject.plans[i];
    const Pattern& pattern = *plan.pattern;
    if (!plan.resolved()) continue;
    const Estimate& estimate = subject.estimates[i];
    if (!estimate.known) {
      findings.Add(
          pattern.name, pattern.place,
          fmt::format("what {} reads is not known: {}", pattern.name, estimate.missing),
          "say `volume` of the entity, `card=` of the attribute or `items` of the pattern");
    }
    CheckMemberRate(subject.charges[i], findings);
    if (!RateIsKnown(subject.charges[i]) && pattern.pattern_class == PatternClass::kHot) {
      findings.Add(pattern.name, pattern.place,
                   fmt::format("how often {} happens is not said", pattern.name),
                   "rate: 10/day, or class: ops");
    }
  }
}

void CheckFed(const Subject& subject, Findings& findings) {
  for (const Entity& entity : subject.model.entities) {
    const auto reader = std::ranges::find_if(
        subject.plans, [&](const Plan& plan) { return AsksFor(plan, entity); });
    const bool written = std::ranges::any_of(
        subject.model.patterns, [&](const Pattern& pattern) { return Feeds(pattern, entity); });
    const bool deleted = std::ranges::any_of(subject.model.patterns, [&](const Pattern& pattern) {
      return pattern.kind == PatternKind::kWrite && pattern.entity == entity.name;
    });
    if (reader != subject.plans.end() && !written) {
      findings.Add(
          entity.name, entity.place,
          fmt::format("{} reads {}, which no pattern writes", reader->pattern->name, entity.name),
          "add the pattern that writes it, so that its keys and costs are checked too");
    } else if (reader == subject.plans.end() && (written || deleted)) {
      findings.Note(entity.name, entity.place,
                    fmt::format("{} is written and never read", entity.name),
                    "add the pattern that reads it, or stop writing it");
    }
  }
}

void CheckStrongReads(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    if (!plan.resolved() || !plan.pattern->read.strong) continue;
    if (plan.index == nullptr || plan.index->local) continue;
    findings.Add(plan.pattern->name, plan.pattern->place,
                 fmt::format("{} wants a strongly consistent read of {}.{}, which DynamoDB refuses "
                             "on a global index",
                             plan.pattern->name, plan.table->id, plan.index->name),
                 "fresh: eventual, or read the table by its key");
  }
}

// ---- AP04: does some read ask for everything that is written into an index?

namespace {

// The values of one enum that a read of the index asks for; nullopt: any of them.
std::optional<std::vector<std::string>> AskedBy(const Plan& plan, const std::string& attribute) {
  const ReadDetail& read = plan.pattern->read;
  if (plan.operation == Operation::kScan) return std::nullopt;
  if (read.foreach_attribute == attribute) {
    if (read.foreach_values.empty()) return std::nullopt;
    return read.foreach_values;
  }
  for (const Term& term : read.where) {
    if (term.attribute != attribute) continue;
    if (term.comparison != Comparison::kEqual && term.comparison != Comparison::kIn) continue;
    std::vector<std::string> values;
    for (const Operand& operand : term.operands) {
      if (operand.kind == Operand::Kind::kParameter) return std::nullopt;
      values.push_back(operand.text);
    }
    return values;
  }
  return std::nullopt;
}

// Whether the read gives the whole key as a text, which then is `text`.
bool Spells(const Plan& plan, const std::string& key, std::string& text) {
  for (const Term& term : plan.pattern->read.where) {
    if (term.attribute != key || term.comparison != Comparison::kEqual) continue;
    if (term.operands.empty() || term.operands[0].kind != Operand::Kind::kText) continue;
    text = term.operands[0].text;
    return true;
  }
  return false;
}

bool CanBeIn(const Index& index, const std::string& attribute, const std::string& value) {
  if (!index.sparse || !index.sparse->when) return true;
  return Evaluate(*index.sparse->when, {{attribute, KnownAttribute::Value(value)}}) !=
         Truth::kFalse;
}

struct Asked {
  bool any = false;   // a read takes any value
  bool read = false;  // there is a read at all
  std::vector<std::string> values;
};

// Adds the values that a key given as a text asks for: "STATUS#PENDING" asks for PENDING.
void AddSpelled(const KeyTemplate& made, const std::string& attribute, std::string_view text,
                const std::vector<std::string>& values, Asked& asked) {
  const bool only = made.Sources().size() == 1;
  for (const std::string& value : values) {
    std::string spelled;
    for (const TemplatePart& part : made.parts) {
      spelled += part.is_placeholder && part.text == attribute ? value : part.text;
    }
    if (only ? spelled == text : text.find(value) != std::string_view::npos) {
      AddOnce(asked.values, value);
    }
  }
}

Asked FindAsked(const Subject& subject, const Entity& entity, const Index& index,
                const KeyTemplate& made, const std::string& attribute,
                const std::vector<std::string>& values) {
  Asked asked;
  for (const Plan& plan : subject.plans) {
    if (plan.index != &index || !plan.resolved()) continue;
    const bool meets = plan.entity == nullptr || plan.entity == &entity ||
                       std::ranges::find(plan.present, &entity) != plan.present.end();
    if (!meets) continue;
    asked.read = true;
    std::string text;
    if (Spells(plan, made.attribute, text)) {
      AddSpelled(made, attribute, text, values, asked);
      continue;
    }
    const auto one = AskedBy(plan, attribute);
    if (!one) {
      asked.any = true;
      return asked;
    }
    for (const std::string& value : *one) AddOnce(asked.values, value);
  }
  return asked;
}

void CheckEnums(const Subject& subject, const Table& table, const Entity& entity,
                const Index& index, Findings& findings) {
  for (const KeyAttribute& key : index.partition) {
    const std::optional<KeyTemplate> made = TemplateFor(entity, key.name);
    if (!made) continue;
    for (const std::string& attribute : made->Sources()) {
      const std::vector<std::string> values = ValuesOf(entity, attribute);
      if (values.empty()) continue;
      const Asked asked = FindAsked(subject, entity, index, *made, attribute, values);
      if (!asked.read || asked.any) continue;
      std::vector<std::string> unasked;
      for (const std::string& value : values) {
        if (CanBeIn(index, attribute, value) && !Contains(asked.values, value)) {
          unasked.push_back(value);
        }
      }
      if (unasked.empty()) continue;
      findings
          .Add(IndexTarget(table, index), index.place,
               fmt::format("items of {} with {} = {} are in {}.{}, and no read asks for them",
                           entity.name, attribute, List(unasked), table.id, index.name),
               fmt::format("ask for every value (`foreach: {}`), or keep them out with "
                           "`sparse: {{when: …}}`",
                           attribute))
          .parties = {entity.name, attribute};
    }
  }
}

std::string ValuesText(const Known& known) {
  std::string text;
  for (const auto& [name, attribute] : known) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, attribute.value.value_or("?"));
  }
  return text;
}

void CheckFinds(const Plan& plan, Findings& findings) {
  const std::optional<Predicate>& finds = plan.pattern->read.finds;
  if (!finds || plan.entity == nullptr || plan.index == nullptr) return;
  if (!plan.index->sparse || !plan.index->sparse->when) return;
  const auto difference = FindDifference(*plan.entity, *finds, *plan.index->sparse->when);
  if (!difference) return;
  const std::string values = ValuesText(difference->values);
  findings.Add(plan.pattern->name, finds->place.line > 0 ? finds->place : plan.pattern->place,
               difference->first_holds
                   ? fmt::format("{} is after items with {}, which {} does not hold",
                                 plan.pattern->name, values, plan.index->name)
                   : fmt::format("{} holds items with {}, which {} is not after", plan.index->name,
                                 values, plan.pattern->name),
               "make `sparse: {when: …}` and `finds` the same predicate");
}

}  // namespace

void CheckAskedValues(const Subject& subject, Findings& findings) {
  for (const Entity& entity : subject.model.entities) {
    const Table* table = subject.model.FindTable(entity.table);
    if (table == nullptr) continue;
    for (const Index& index : table->indexes) {
      if (Holds(SchemaOf(*table, index), entity)) {
        CheckEnums(subject, *table, entity, index, findings);
      }
    }
  }
  for (const Plan& plan : subject.plans) CheckFinds(plan, findings);
}

}  // namespace stator::model
