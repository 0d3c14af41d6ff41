#include "rules/rules.h"

#include <algorithm>
#include <tuple>

#include "model/claims/claims.h"
#include "rules/checks.h"

namespace stator::model {

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
  const std::vector<PatternCharges> charges = ChargesOf(model, result.estimates);
  const Subject subject{.model = model,
                        .plans = result.plans,
                        .estimates = result.estimates,
                        .charges = charges,
                        .claims = claims};
  Findings findings;
  for (const Rule& rule : AllRules()) {
    findings.Begin(rule);
    rule.check(subject, findings);
  }
  result.findings = findings.Take();
  std::ranges::stable_sort(result.findings, {}, [](const Finding& finding) {
    return std::tie(finding.line, finding.column, finding.rule);
  });
  return result;
}

}  // namespace stator::model
