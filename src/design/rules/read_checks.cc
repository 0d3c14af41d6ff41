// AP08–AP16: what a read really returns, and what it reads for that.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "model/keys/key_access.h"
#include "model/keys/truth.h"
#include "rules/checks.h"

namespace stator::model {
namespace {

constexpr double kAmplification = 10;

bool Filters(const Plan& plan) {
  return plan.pattern->read.filter.has_value() || !plan.residue.empty();
}

std::string SourceName(const Plan& plan) {
  return plan.index == nullptr ? plan.table->id : plan.table->id + "." + plan.index->name;
}

void CheckTerm(const Plan& plan, const KeySchema& schema, const Term& term, Findings& findings) {
  if (!schema.Has(term.attribute)) return;
  findings.Add(plan.pattern->name, PlaceOf(term, plan),
               fmt::format("the filter `{}` names a key of {}, which DynamoDB refuses in a Query",
                           TermText(term), schema.Name()),
               "filter on the attribute that the key is made from, or make it a key condition");
}

double PagesPerCall(const Plan& plan, const Estimate& estimate) {
  return estimate.pages.max / static_cast<double>(std::max<std::int64_t>(plan.calls, 1));
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
    const double pages = PagesPerCall(plan, estimate);
    if (estimate.known && pages <= 1) continue;
    const std::string amount = estimate.known ? fmt::format("up to {:.0f} items in {:.0f} pages",
                                                            estimate.items_read.max, pages)
                                              : "nobody knows how many items";
    findings.Add(
        plan.pattern->name, plan.pattern->place,
        fmt::format("{} has no bound: {} of {}", plan.pattern->name, amount, SourceName(plan)),
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
    const double pages = PagesPerCall(plan, estimate);
    if (read.count_by_length) {
      findings.Add(
          plan.pattern->name, plan.pattern->place,
          fmt::format("{} counts the items of one page, and a page ends at 1 MB{}",
                      plan.pattern->name, read.limit ? " or at its limit" : " before the filter"),
          "select: count, and all: true to add up every page");
    } else if (read.count && estimate.known && pages > 1) {
      findings.Add(plan.pattern->name, plan.pattern->place,
                   fmt::format("{} counts one page of about {:.0f}", plan.pattern->name, pages),
                   "all: true adds up every page");
    }
  }
}

void CheckPartitionMix(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    if (plan.operation != Operation::kQuery || plan.present.size() < 2) continue;
    const bool says_whose = plan.entity != nullptr || !plan.pattern->entities.empty();
    std::vector<std::string> meant;
    std::vector<std::string> others;
    for (const Entity* entity : plan.present) {
      (says_whose && IsWanted(plan, *entity) ? meant : others).push_back(entity->name);
    }
    if (others.empty()) continue;
    if (says_whose) {
      findings.Add(plan.pattern->name, plan.pattern->place,
                   fmt::format("{} asks {} for {} and gets items of {} too", plan.pattern->name,
                               SourceName(plan), List(meant), List(others)),
                   "open the sort key of each entity with a text of its own, and ask for it with "
                   "begins_with");
    } else {
      findings.Note(
          plan.pattern->name, plan.pattern->place,
          fmt::format("{} returns items of several entities: {}", plan.pattern->name, List(others)),
          "say which are meant: `of: Entity`, or `of: [A, B]`");
    }
  }
}

// ---- AP15, AP16: does the request have the shape of the question?

namespace {

bool IsBound(const Plan& plan, std::string_view attribute) {
  return std::ranges::any_of(plan.key, [&](const PlanClause& clause) {
    return clause.attribute == attribute && clause.comparison == Comparison::kEqual;
  });
}

bool IsFixed(const ReadDetail& read, std::string_view attribute) {
  if (read.foreach_attribute == attribute) return true;
  return std::ranges::any_of(read.where, [&](const Term& term) {
    return term.attribute == attribute && term.comparison == Comparison::kEqual;
  });
}

// The attribute that the items of the query are ordered by; empty: none.
std::string OrderOf(const Plan& plan) {
  for (const KeyAttribute* key : SchemaOf(*plan.table, plan.index).sort) {
    const KeyTemplate made = BaseTemplateFor(*plan.entity, key->name);
    for (const TemplatePart& part : made.parts) {
      if (part.is_placeholder && !IsFixed(plan.pattern->read, part.text)) return part.text;
    }
  }
  return {};
}

}  // namespace

void CheckWholeKeyQuery(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    if (plan.operation != Operation::kQuery || plan.index != nullptr) continue;
    if (plan.table == nullptr || !plan.table->partition) continue;
    if (!IsBound(plan, plan.table->partition->name)) continue;
    if (plan.table->sort && !IsBound(plan, plan.table->sort->name)) continue;
    findings.Add(plan.pattern->name, plan.pattern->place,
                 fmt::format("{} queries {} for one whole key: there is at most one such item",
                             plan.pattern->name, plan.table->id),
                 plan.entity != nullptr ? fmt::format("get: {}", plan.entity->name) : "get");
  }
}

void CheckOrder(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    const std::string& meant = plan.pattern->read.order_by;
    if (meant.empty() || plan.operation != Operation::kQuery || plan.entity == nullptr) continue;
    const std::string real = OrderOf(plan);
    if (real == meant) continue;
    findings.Add(plan.pattern->name, plan.pattern->place,
                 fmt::format("{} means the order of {}, and {} comes in the order of {}",
                             plan.pattern->name, meant, SchemaOf(*plan.table, plan.index).Name(),
                             real.empty() ? "nothing" : real),
                 fmt::format("a sort key that begins with {}", meant));
  }
}

}  // namespace stator::model
