// What is wrong with a design: the rules, and what they find in a model.
//
// A rule is a text (text/AP01.rule), a check (a function in one of the *_checks.cc) and the line of
// checks.inc that ties them together.
#ifndef STATOR_RULES_RULES_H_
#define STATOR_RULES_RULES_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/estimate/estimate.h"
#include "model/model.h"
#include "model/plan/plan.h"
#include "stator/finding.h"

namespace stator::model {

using Finding = DesignFinding;
using Severity = DesignSeverity;

struct Subject;
class Findings;
using CheckFunction = void(const Subject& subject, Findings& findings);

struct Rule {
  std::string_view code;   // "AP01"
  std::string_view title;  // one line
  Severity severity = Severity::kError;
  std::string lesson;     // why, in a paragraph without line breaks
  std::string_view bad;   // a model file in which the rule finds something
  std::string_view good;  // the same, corrected
  CheckFunction* check = nullptr;
};

// In the order in which they are checked and listed.
std::span<const Rule> AllRules();
const Rule* FindRule(std::string_view code);

struct CheckResult {
  std::vector<Plan> plans;
  std::vector<Estimate> estimates;
  std::vector<Finding> findings;  // by line and column, then by rule; accepted ones are marked
  bool clean() const;             // no error or warning that is not accepted
};

// Resolves, estimates and runs every rule. The plans point into the model, which must outlive them.
CheckResult Check(const Model& model);

// Indexes whose keys, kind or projection differ under the same name in two versions of a model:
// DynamoDB cannot alter them. Findings of rule IX13, at their places in `now`.
std::vector<Finding> ComparedIndexFindings(const Model& old, const Model& now);

}  // namespace stator::model

#endif  // STATOR_RULES_RULES_H_
