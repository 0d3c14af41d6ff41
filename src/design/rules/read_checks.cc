// AP08–AP14: what a read really returns, and what it reads for it.
#include <fmt/format.h>

#include <algorithm>

#include "model/keys/key_access.h"
#include "model/keys/truth.h"
#include "rules/checks.h"

namespace stator::model {
namespace {

constexpr double kAmplification = 10;

bool Filters(const Plan& plan) {
  return plan.pattern->read.filter.has_value() || !plan.residue.empty();
}

std::string Source(const Plan& plan) {
  return plan.index == nullptr ? plan.table->id : plan.table->id + "." + plan.index->name;
}

void CheckTerm(const Plan& plan, const KeySchema& schema, const Term& term, Findings& findings) {
  if (!schema.Has(term.attribute)) return;
  findings.Add(plan.pattern->name, term.place.line > 0 ? term.place : plan.pattern->place,
               fmt::format("the filter `{}` names a key of {}, which DynamoDB refuses in a Query",
                           TermText(term), schema.Name()),
               "filter on the attribute that the key is made from, or make it a key condition");
}

bool IsBounded(const ReadDetail& read) {
  return read.limit || read.page || read.all || read.want || read.count || read.count_by_length ||
         read.unique || read.first_match;
}

}  // namespace

void CheckFirstMatch(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    const ReadDetail& read = plan.pattern->read;
    if (plan.operation != Operation::kQuery || !Filters(plan) || !read.limit) continue;
    const bool turns_pages = read.want || read.page || read.all;
    if (turns_pages && !read.first_match) continue;
    findings.Add(plan.pattern->name, plan.pattern->place,
                 fmt::format("{} reads {} items and filters them afterwards: it can return nothing "
                             "although matches exist",
                             plan.pattern->name, *read.limit),
                 "want: 1 (page until found), or a key that holds what the filter asks");
  }
}

void CheckAmplification(const Subject& subject, Findings& findings) {
  for (std::size_t i = 0; i < subject.plans.size(); ++i) {
    const Plan& plan = subject.plans[i];
    const Estimate& estimate = subject.estimates[i];
    if (plan.operation != Operation::kQuery || !Filters(plan) || !estimate.known) continue;
    const double returned = std::max(estimate.items_returned.typical, 1.0);
    if (estimate.items_read.typical <= kAmplification * returned) continue;
    findings.Add(plan.pattern->name, plan.pattern->place,
                 fmt::format("{} reads {:.0f} items to return {:.3g}: {:.1f} read units each time",
                             plan.pattern->name, estimate.items_read.typical,
                             estimate.items_returned.typical, estimate.read_units.typical),
                 "make what is filtered part of a key");
  }
}

void CheckKeyFilters(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    if (plan.operation != Operation::kQuery) continue;
    const KeySchema schema = SchemaOf(*plan.table, plan.index);
    for (const Term& term : plan.residue) CheckTerm(plan, schema, term, findings);
    if (!plan.pattern->read.filter) continue;
    for (const std::vector<Term>& conjunction : plan.pattern->read.filter->any_of) {
      for (const Term& term : conjunction) CheckTerm(plan, schema, term, findings);
    }
  }
}

void CheckBounded(const Subject& subject, Findings& findings) {
  for (std::size_t i = 0; i < subject.plans.size(); ++i) {
    const Plan& plan = subject.plans[i];
    const Estimate& estimate = subject.estimates[i];
    if (plan.operation != Operation::kQuery || plan.pattern->kind != PatternKind::kQuery) continue;
    if (IsBounded(plan.pattern->read)) continue;
    const double pages_each =
        estimate.pages.max / static_cast<double>(std::max<std::int64_t>(plan.calls, 1));
    if (estimate.known && pages_each <= 1) continue;
    const std::string how_much = estimate.known ? fmt::format("up to {:.0f} items in {:.0f} pages",
                                                              estimate.items_read.max, pages_each)
                                                : "nobody knows how many items";
    findings.Add(
        plan.pattern->name, plan.pattern->place,
        fmt::format("{} has no bound: {} of {}", plan.pattern->name, how_much, Source(plan)),
        "limit: 20, page: 25 (the caller turns pages), or all: true if it is meant");
  }
}

void CheckBatches(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    const ReadDetail& read = plan.pattern->read;
    if (read.batched || !plan.resolved()) continue;
    if (read.batch > 1) {
      findings.Add(plan.pattern->name, plan.pattern->place,
                   fmt::format("{} makes {} requests where {} would do", plan.pattern->name,
                               read.batch, (read.batch + 99) / 100),
                   "BatchGetItem reads up to 100 keys at once, strongly consistent too: drop "
                   "`batched: false`");
    } else if (read.then_get) {
      findings.Add(plan.pattern->name, plan.pattern->place,
                   fmt::format("{} gets each {} that it finds by a request of its own",
                               plan.pattern->name, *read.then_get),
                   "BatchGetItem reads up to 100 keys at once; or project what is needed");
    }
  }
}

void CheckCounts(const Subject& subject, Findings& findings) {
  for (std::size_t i = 0; i < subject.plans.size(); ++i) {
    const Plan& plan = subject.plans[i];
    const ReadDetail& read = plan.pattern->read;
    if (read.all) continue;
    const Estimate& estimate = subject.estimates[i];
    const double pages_each =
        estimate.pages.max / static_cast<double>(std::max<std::int64_t>(plan.calls, 1));
    if (read.count_by_length) {
      findings.Add(
          plan.pattern->name, plan.pattern->place,
          fmt::format("{} counts the items of one page, and a page ends at 1 MB{}",
                      plan.pattern->name, read.limit ? " or at its limit" : " before the filter"),
          "select: count, and all: true to add up every page");
    } else if (read.count && estimate.known && pages_each > 1) {
      findings.Add(
          plan.pattern->name, plan.pattern->place,
          fmt::format("{} counts one page of about {:.0f}", plan.pattern->name, pages_each),
          "all: true adds up every page");
    }
  }
}

void CheckPartitionMix(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    if (plan.operation != Operation::kQuery || plan.present.size() < 2) continue;
    std::string others;
    for (const Entity* entity : plan.present) {
      if (entity != plan.entity) others += (others.empty() ? "" : ", ") + entity->name;
    }
    if (plan.entity != nullptr) {
      findings.Add(plan.pattern->name, plan.pattern->place,
                   fmt::format("{} asks {} for {} and gets items of {} too", plan.pattern->name,
                               Source(plan), plan.entity->name, others),
                   "open the sort key of each entity with a text of its own, and ask for it with "
                   "begins_with");
    } else {
      findings.Note(
          plan.pattern->name, plan.pattern->place,
          fmt::format("{} returns items of several entities: {}", plan.pattern->name, others),
          "if one of them is meant, say `of:`");
    }
  }
}

}  // namespace stator::model
