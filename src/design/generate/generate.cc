#include "generate/generate.h"

#include <algorithm>

#include "base/check.h"
#include "generate/environments.h"
#include "generate/typescript.h"

namespace stator::model {
namespace {

bool NamesEnvironment(const Model& model, const std::string& environment) {
  return std::ranges::count(EnvironmentsOf(model), environment) > 0;
}

bool NamesSubject(const Model& model, const std::string& subject) {
  return model.FindEntity(subject) != nullptr ||
         std::ranges::any_of(model.grants,
                             [&](const Grant& grant) { return grant.who == subject; });
}

}  // namespace

std::optional<std::string> FindObstacle(const Model& model, const GenerateOptions& options) {
  for (const Table& table : model.tables) {
    if (!table.partition) return "table `" + table.id + "` has no key: write `key: NAME str`";
  }
  if (!options.environment.empty() && !NamesEnvironment(model, options.environment)) {
    return "the model has no environment `" + options.environment + "` (assume: env)";
  }
  if (!options.subject.empty() && !NamesSubject(model, options.subject)) {
    return "the model has no grant and no entity `" + options.subject + "`";
  }
  return std::nullopt;
}

const std::vector<std::string>& GenerateTargets() {
  static const std::vector<std::string> kTargets = {"terraform", "cloudformation", "cdk",
                                                    "cli",       "workbench",      "iam",
                                                    "cpp",       "typescript",     "python"};
  return kTargets;
}

std::expected<std::string, std::string> Generate(std::string_view target, const Model& model,
                                                 const GenerateOptions& options) {
  if (std::optional<std::string> obstacle = FindObstacle(model, options)) {
    return std::unexpected(*std::move(obstacle));
  }
  if (target == "terraform") return GenerateTerraform(model, options);
  if (target == "cloudformation") return GenerateCloudFormation(model, options);
  if (target == "cdk") return GenerateCdk(model, options);
  if (target == "cli") return GenerateAwsCli(model, options);
  if (target == "workbench") return GenerateWorkbench(model, options);
  if (target == "iam") return GenerateIamPolicy(model, ResolvePatterns(model), options);
  if (target == "cpp") return GenerateCppHeader(model, options);
  if (target == "typescript") {
    return options.style == "electrodb" ? GenerateElectroDb(model) : GenerateTypeScriptSdk(model);
  }
  STATOR_CHECK(target == "python");
  return GeneratePython(model, options);
}

}  // namespace stator::model
