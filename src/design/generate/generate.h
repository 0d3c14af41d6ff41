// A model → the files that other tools read: infrastructure, policies, a NoSQL Workbench model, code in
// C++, TypeScript and Python. The same model always gives the same text.
#ifndef STATOR_GENERATE_GENERATE_H_
#define STATOR_GENERATE_GENERATE_H_

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "model/plan/plan.h"

namespace stator::model {

struct GenerateOptions {
  std::string environment;    // settings of this one; empty: the output asks which it is
  std::string account = "*";  // in ARNs
  std::string subject;        // of policies: one grant or entity; empty: all
  std::string style = "sdk";  // of typescript: "sdk" or "electrodb"
};

// Each writes a whole file. REQUIRES: FindObstacle found nothing.
std::string GenerateTerraform(const Model& model, const GenerateOptions& options);
std::string GenerateCloudFormation(const Model& model, const GenerateOptions& options);
std::string GenerateCdk(const Model& model, const GenerateOptions& options);
std::string GenerateAwsCli(const Model& model, const GenerateOptions& options);
std::string GenerateWorkbench(const Model& model, const GenerateOptions& options);
std::string GenerateIamPolicy(const Model& model, const std::vector<Plan>& plans,
                              const GenerateOptions& options);
std::string GenerateCppHeader(const Model& model, const GenerateOptions& options);
std::string GeneratePython(const Model& model, const GenerateOptions& options);

// Why nothing can be generated, in one line: a table without a key, an environment or a subject that
// the model does not name.
std::optional<std::string> FindObstacle(const Model& model, const GenerateOptions& options);

// "terraform", "cloudformation", "cdk", "cli", "workbench", "iam", "cpp", "typescript",
// "python".
const std::vector<std::string>& GenerateTargets();
// REQUIRES: `target` is one of GenerateTargets().
std::expected<std::string, std::string> Generate(std::string_view target, const Model& model,
                                                 const GenerateOptions& options);

// A data model of NoSQL Workbench → a model file to start from.
inline constexpr std::size_t kMaxWorkbenchBytes = std::size_t{16} << 20;

// Tables, indexes and, from its facets, entities with their keys. Workbench has no access patterns,
// sizes or rates: the user adds them. The error is one line.
std::expected<std::string, std::string> ImportWorkbench(std::string_view json);

}  // namespace stator::model

#endif  // STATOR_GENERATE_GENERATE_H_
