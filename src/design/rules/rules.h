// The rules of a good design, and what they find.
#ifndef STATOR_RULES_RULES_H_
#define STATOR_RULES_RULES_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/estimate/estimate.h"
#include "model/model.h"
#include "model/plan/plan.h"

namespace stator::model {

enum class Severity : std::uint8_t {
  kError,    // the design does not work, or loses or shows what it must not
  kWarning,  // it works and will hurt
  kNote,     // advice; never fails a check
};

struct Finding {
  std::string_view rule;  // "AP01"
  Severity severity = Severity::kError;
  std::string target;  // "jobs.StatusIndex", "FileJob.claim", a pattern's name …
  Place place;
  std::string message;    // one line: what is wrong here, with its names and numbers
  std::string fix;        // one line: what to write instead
  bool accepted = false;  // the model accepts it, with a reason
};

struct ClaimResult;  // claims.h

// Everything that a rule may look at.
struct Subject {
  const Model& model;
  const std::vector<Plan>& plans;          // one a pattern
  const std::vector<Estimate>& estimates;  // one a pattern
  const std::vector<ClaimResult>& claims;  // one a claim
};

class Findings {
 public:
  // A finding of the rule that is being run.
  void Add(std::string target, Place place, std::string message, std::string fix);
  // … of another severity than the rule's own.
  void Note(std::string target, Place place, std::string message, std::string fix);
  std::vector<Finding> Take() { return std::move(found_); }
  void Begin(const struct Rule& rule) { rule_ = &rule; }

 private:
  const struct Rule* rule_ = nullptr;
  std::vector<Finding> found_;
};

// One rule. Rules live in rules/<family>_*.cc, one function each; rules/catalogue.cc lists them.
struct Rule {
  std::string_view id;     // "AP01"
  std::string_view title;  // one line
  Severity severity;
  void (*check)(const Subject& subject, Findings& findings);
  std::string_view lesson;  // `stator explain`: why, in a paragraph
  std::string_view bad;     // YAML that triggers it
  std::string_view good;    // the same, mended
};

std::span<const Rule> AllRules();
const Rule* FindRule(std::string_view id);

struct CheckResult {
  std::vector<Plan> plans;
  std::vector<Estimate> estimates;
  std::vector<Finding> findings;  // by place; accepted ones are marked
  // Acceptances that match no finding are findings themselves (rule "AC01").
  bool clean() const;  // no error or warning that is not accepted
};

// Resolves, estimates and runs every rule. The plans point into the model, which must outlive them.
CheckResult Check(const Model& model);

}  // namespace stator::model

#endif  // STATOR_RULES_RULES_H_
