#include "rules/checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace stator::model {
namespace {

std::string TextOf(const Acceptance& acceptance) {
  return acceptance.target.empty() ? acceptance.rule : acceptance.rule + "@" + acceptance.target;
}

}  // namespace

void Findings::Add(std::string target, Place place, std::string message, std::string fix) {
  found_.push_back({.rule = std::string(rule_->code),
                    .severity = rule_->severity,
                    .target = std::move(target),
                    .line = place.line,
                    .column = place.column,
                    .message = std::move(message),
                    .fix = std::move(fix),
                    .accepted = false});
}

void Findings::Note(std::string target, Place place, std::string message, std::string fix) {
  Add(std::move(target), place, std::move(message), std::move(fix));
  found_.back().severity = Severity::kNote;
}

bool Findings::Accept(const Acceptance& acceptance) {
  bool found = false;
  for (Finding& finding : found_) {
    if (acceptance.rule != finding.rule) continue;
    if (!acceptance.target.empty() && acceptance.target != finding.target) continue;
    finding.accepted = true;
    found = true;
  }
  return found;
}

// AC01. Runs last: only then is it known what there is to accept.
void CheckAcceptances(const Subject& subject, Findings& findings) {
  std::vector<const Acceptance*> idle;
  for (const Acceptance& acceptance : subject.model.accepted) {
    if (!findings.Accept(acceptance)) idle.push_back(&acceptance);
  }
  for (const Acceptance* acceptance : idle) {
    findings.Add(
        TextOf(*acceptance), acceptance->place,
        fmt::format("nothing is found that `{}` accepts", TextOf(*acceptance)),
        FindRule(acceptance->rule) == nullptr
            ? fmt::format("there is no rule {}; `stator explain` lists all", acceptance->rule)
            : "remove the acceptance, or name the target as the finding does");
  }
}

std::string YamlList(const std::vector<std::string>& names) {
  return fmt::format("[{}]", fmt::join(names, ", "));
}

std::string IndexTarget(const Table& table, const Index& index) {
  return table.id + "." + index.name;
}

std::string ProjectionAsWritten(const Projection& projection) {
  switch (projection.kind) {
    case Projection::Kind::kAll:
      return "all";
    case Projection::Kind::kKeysOnly:
      return "keys";
    case Projection::Kind::kInclude:
      return YamlList(projection.attributes);
  }
  return "";
}

std::string FigureText(double figure) {
  if (figure >= 1e6) return fmt::format("{:.3g} million", figure / 1e6);
  if (figure >= 100) return fmt::format("{:.0f}", figure);
  return fmt::format("{:.2g}", figure);
}

Place PlaceOf(const Term& term, const Plan& plan) {
  return term.place.line > 0 ? term.place : plan.pattern->place;
}

bool Binds(std::span<const Term> terms, std::string_view attribute) {
  return std::ranges::any_of(terms, [&](const Term& term) {
    return term.attribute == attribute &&
           (term.comparison == Comparison::kEqual || term.comparison == Comparison::kIn);
  });
}

}  // namespace stator::model
