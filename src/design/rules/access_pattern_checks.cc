// AP01–AP03, AP05–AP07: does each pattern resolve, with all that it needs to be judged?
#include <fmt/format.h>

#include <algorithm>

#include "model/keys/truth.h"
#include "model/names.h"
#include "rules/checks.h"

namespace stator::model {
namespace {

bool Reads(const Pattern& pattern) {
  return pattern.kind == PatternKind::kGet || pattern.kind == PatternKind::kQuery ||
         pattern.kind == PatternKind::kScan;
}

bool Meets(const Plan& plan, const Entity& entity) {
  return plan.entity == &entity || plan.pattern->entity == entity.name ||
         std::ranges::find(plan.present, &entity) != plan.present.end() ||
         plan.pattern->read.then_get == entity.name;
}

// The reads of a partition that only happens to hold the entity do not ask for it.
bool AsksFor(const Plan& plan, const Entity& entity) {
  if (!Reads(*plan.pattern)) return false;
  if (plan.entity != nullptr) {
    return plan.entity == &entity || plan.pattern->read.then_get == entity.name;
  }
  return Meets(plan, entity);
}

bool Feeds(const Pattern& pattern, const Entity& entity) {
  return pattern.kind == PatternKind::kWrite && pattern.entity == entity.name &&
         pattern.write.kind != WriteKind::kDelete;
}

// The excluded end of a range that BETWEEN already bounds: what it filters is one value at most.
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
          plan.pattern->name, term.place.line > 0 ? term.place : plan.pattern->place,
          fmt::format("`{}` is served by no key of {}: it only filters what is read",
                      TermText(term), plan.index == nullptr ? plan.table->id : plan.index->name),
          fmt::format("put {} into the partition key, or before what ranges in the sort "
                      "key; or say `filter` if reading the rest is meant",
                      term.attribute));
    }
  }
}

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
    if (!pattern.rate && pattern.pattern_class == PatternClass::kHot) {
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

}  // namespace stator::model
