// IA: would the tables be built as the design means them, and could its programs use them?
#include "rules/infrastructure_rules.h"

#include <fmt/format.h>

#include <array>

#include "model/hcl/hcl_syntax.h"
#include "rules/families.h"

namespace stator::model {
namespace {

void CheckInvalidHcl(const Subject& subject, Findings& findings) {
  for (const Snippet& snippet : subject.model.snippets) {
    if (snippet.language != "hcl") continue;
    const std::optional<HclError> error = CheckHcl(snippet.text);
    if (!error) continue;
    findings.Add("infrastructure", snippet.place,
                 fmt::format("line {} of the snippet: {}", error->line, error->message),
                 "each argument on a line of its own, or `stator generate terraform`");
  }
}

constexpr Rule kInvalidHcl{
    .id = "IA03",
    .title = "a snippet of Terraform that is not valid HCL",
    .severity = Severity::kError,
    .check = CheckInvalidHcl,
    .lesson =
        "Terraform reads HCL, where each argument stands on a line of its own. A block may be "
        "written on one line only when it holds at most one argument, and a semicolon parts "
        "nothing. Snippets that were shortened to fit a page do not run when somebody copies them. "
        "The snippets of a model are parsed; the infrastructure that Stator generates is valid by "
        "construction.",
    .bad = R"(model: 1
tables:
  jobs: {key: FileID str}
infrastructure:
  - hcl: |
      attribute { name = "FileID"; type = "S" }
)",
    .good = R"(model: 1
tables:
  jobs: {key: FileID str}
infrastructure:
  - hcl: |
      attribute {
        name = "FileID"
        type = "S"
      }
)",
};

}  // namespace

std::span<const Rule> InfrastructureRules() {
  static const std::array kRules = {kCapacityOnDemand, kAttributeDefinitions, kInvalidHcl,
                                    kMissingGrant, kUnprotectedProduction};
  return kRules;
}

}  // namespace stator::model
