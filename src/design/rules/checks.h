// What a check works with: the model and its plans, where it puts its findings, and the phrases
// that findings are made of.
#ifndef STATOR_RULES_CHECKS_H_
#define STATOR_RULES_CHECKS_H_

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/cost/charges.h"
#include "model/names.h"
#include "rules/rules.h"

namespace stator::model {

struct ClaimResult;  // model/claims/claims.h

// Everything that a check may look at.
struct Subject {
  const Model& model;
  const std::vector<Plan>& plans;              // one per pattern
  const std::vector<Estimate>& estimates;      // one per pattern
  const std::vector<PatternCharges>& charges;  // one per pattern
  const std::vector<ClaimResult>& claims;      // one per claim
};

class Findings {
 public:
  // Whose findings the following ones are.
  void Begin(const Rule& rule) { rule_ = &rule; }
  const Rule& rule() const { return *rule_; }

  // Adds a finding of the rule that is being checked …
  Finding& Add(std::string target, Place place, std::string message, std::string fix);
  // … or, where the rule's own severity would be too much, a note.
  Finding& Note(std::string target, Place place, std::string message, std::string fix);

  // Gives each finding so far the name by which `accept` means it and no other.
  void NameAll();
  // Those that an acceptance names.
  std::vector<Finding*> Named(const Acceptance& acceptance);
  // The names of those that are at the place that an acceptance names.
  std::vector<std::string> NamesNear(const Acceptance& acceptance) const;

  std::vector<Finding> Take() { return std::move(found_); }

 private:
  const Rule* rule_ = nullptr;
  std::vector<Finding> found_;
};

// Every check of checks.inc.
#define STATOR_RULE(code, function) CheckFunction function;
#include "rules/checks.inc"
#undef STATOR_RULE

// "[a, b]", as a model file writes a list
std::string YamlList(const std::vector<std::string>& names);
// "jobs.StatusIndex"
std::string IndexTarget(const Table& table, const Index& index);
// "all", "keys" or "[a, b]"
std::string ProjectionAsWritten(const Projection& projection);
// "12", "0.4", "1.2 million"
std::string FigureText(double figure);

// Where the term stands, or else its pattern.
Place PlaceOf(const Term& term, const Plan& plan);

// Whether one of the terms fixes the attribute to one value, or to one of several.
bool Binds(std::span<const Term> terms, std::string_view attribute);

}  // namespace stator::model

#endif  // STATOR_RULES_CHECKS_H_
