#include "rules/rules.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "model/claims/claims.h"

namespace stator::model {
namespace {

bool Accepts(const Acceptance& acceptance, const Finding& finding) {
  return acceptance.rule == finding.rule &&
         (acceptance.target.empty() || acceptance.target == finding.target);
}

// Marks the findings that the model accepts, and reports acceptances that accept nothing.
void ApplyAcceptances(const Model& model, std::vector<Finding>& findings) {
  std::vector<Finding> idle;
  for (const Acceptance& acceptance : model.accepted) {
    bool used = false;
    for (Finding& finding : findings) {
      if (!Accepts(acceptance, finding)) continue;
      finding.accepted = true;
      used = true;
    }
    if (used) continue;
    const std::string at = acceptance.target.empty() ? "" : "@" + acceptance.target;
    idle.push_back(
        {.rule = "AC01",
         .severity = Severity::kError,
         .target = acceptance.rule + at,
         .place = acceptance.place,
         .message = "nothing is found that `" + acceptance.rule + at + "` accepts",
         .fix = FindRule(acceptance.rule) == nullptr
                    ? "there is no rule " + acceptance.rule + "; `stator explain` lists all"
                    : "remove the acceptance, or name the target as the finding does",
         .accepted = false});
  }
  std::ranges::move(idle, std::back_inserter(findings));
}

}  // namespace

void Findings::Add(std::string target, Place place, std::string message, std::string fix) {
  found_.push_back({.rule = rule_->id,
                    .severity = rule_->severity,
                    .target = std::move(target),
                    .place = place,
                    .message = std::move(message),
                    .fix = std::move(fix),
                    .accepted = false});
}

void Findings::Note(std::string target, Place place, std::string message, std::string fix) {
  Add(std::move(target), place, std::move(message), std::move(fix));
  found_.back().severity = Severity::kNote;
}

bool CheckResult::clean() const {
  return std::ranges::none_of(findings, [](const Finding& finding) {
    return !finding.accepted && finding.severity != Severity::kNote;
  });
}

CheckResult Check(const Model& model) {
  CheckResult result;
  result.plans = ResolvePatterns(model);
  result.estimates = EstimatePlans(model, result.plans);
  const std::vector<ClaimResult> claims = EvaluateClaims(model, result.estimates);
  const Subject subject{
      .model = model, .plans = result.plans, .estimates = result.estimates, .claims = claims};
  Findings findings;
  for (const Rule& rule : AllRules()) {
    findings.Begin(rule);
    rule.check(subject, findings);
  }
  result.findings = findings.Take();
  ApplyAcceptances(model, result.findings);
  std::ranges::stable_sort(result.findings, {}, [](const Finding& finding) {
    return std::tuple(finding.place, finding.rule);
  });
  return result;
}

}  // namespace stator::model
