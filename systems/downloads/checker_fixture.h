// The document as it was written, and the model as it is, judged by the checker.
#ifndef STATOR_SYSTEMS_DOWNLOADS_CHECKER_FIXTURE_H_
#define STATOR_SYSTEMS_DOWNLOADS_CHECKER_FIXTURE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "model/claims/claims.h"
#include "rules/rules.h"
#include "stator/model.h"

namespace stator::systems::downloads {

class Checker : public ::testing::Test {
 protected:
  // A model of systems/downloads with what was found in it.
  struct Checked {
    explicit Checked(const std::string& file)
        : model(*Model::Load(std::string(STATOR_SOURCE_DIR) + "/systems/downloads/" + file)),
          result(model::Check(model.values())),
          claims(model::EvaluateClaims(model.values(), result.estimates)) {}
    const Model model;
    const model::CheckResult result;
    const std::vector<model::ClaimResult> claims;
  };

  static const Checked& AsWritten() {
    static const Checked checked("as-written.yaml");
    return checked;
  }
  static const Checked& Mended() {
    static const Checked checked("model.yaml");
    return checked;
  }

  // The document has this flaw. An empty target: anywhere.
  static bool Finds(std::string_view rule, std::string_view target = {}) {
    return Finds(AsWritten(), rule, target);
  }
  static bool FindsInModel(std::string_view rule) { return Finds(Mended(), rule, {}); }

  // What is true of a claim that the document makes.
  static double Truth(std::string_view says) { return ClaimOf(AsWritten(), says).truth; }
  static bool Holds(std::string_view says) { return ClaimOf(AsWritten(), says).holds; }
  static std::string_view RuleOf(std::string_view says) { return ClaimOf(AsWritten(), says).rule; }
  static bool HoldsInModel(std::string_view says) { return ClaimOf(Mended(), says).holds; }

 private:
  static bool Finds(const Checked& checked, std::string_view rule, std::string_view target) {
    return std::ranges::any_of(checked.result.findings, [&](const model::Finding& finding) {
      return finding.rule == rule && (target.empty() || finding.target == target);
    });
  }
  static model::ClaimResult ClaimOf(const Checked& checked, std::string_view says) {
    const auto it = std::ranges::find_if(checked.claims, [&](const model::ClaimResult& result) {
      return result.claim->says == says;
    });
    EXPECT_NE(it, checked.claims.end()) << says;
    return it == checked.claims.end() ? model::ClaimResult{} : *it;
  }
};

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_CHECKER_FIXTURE_H_
