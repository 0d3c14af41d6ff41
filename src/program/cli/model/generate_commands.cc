// stator generate TARGET MODEL: infrastructure, policies and code from a model.
// stator import-workbench FILE: a model from NoSQL Workbench.
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/model/model_command.h"
#include "generate/generate.h"

namespace stator::cli {
namespace {

constexpr const char* kGenerateExamples = R"(
Targets:
  terraform        aws_dynamodb_table resources
  cloudformation   a template, in YAML
  cdk              a construct, in TypeScript
  cli              a script of AWS CLI commands; ENDPOINT_URL=http://127.0.0.1:8000 points it at Stator
  workbench        a data model of NoSQL Workbench
  iam              a policy that allows what the patterns need, for each grant or else each entity
  cpp              a header with one struct per entity and one function per pattern
  typescript       types of the entities and one function per pattern, with the AWS SDK;
                   with --style electrodb, the entities for ElectroDB
  python           dataclasses of the entities and one function per pattern, with boto3

Examples:
  stator generate terraform model.yaml --out dynamodb.tf
  stator generate cli model.yaml --env dev | ENDPOINT_URL=http://127.0.0.1:8000 bash
  stator generate iam model.yaml --for worker --account 123456789012
  stator generate typescript model.yaml --out shop.ts
  stator generate typescript model.yaml --style electrodb --out shop-entities.ts
  stator generate python model.yaml --out shop.py
)";

constexpr const char* kImportWorkbenchExamples = R"(
Examples:
  stator import-workbench shop.json --out model.yaml

Access patterns, sizes and rates are not in such a file: add them.
)";

struct GenerateCommand {
  std::string target;
  std::string file;
  std::string out;
  model::GenerateOptions options;
};

// To the file, or else to the terminal.
int Deliver(const std::string& text, const std::string& out) {
  if (!out.empty()) return WriteFileOrComplain(out, text) ? kExitOk : kExitFailure;
  std::fputs(text.c_str(), stdout);
  return kExitOk;
}

int RunGenerate(const GenerateCommand& command) {
  const std::optional<model::Model> model = LoadModelOrComplain(command.file);
  if (!model) return kExitFailure;
  const std::expected<std::string, std::string> text =
      model::Generate(command.target, *model, command.options);
  if (text) return Deliver(*text, command.out);
  Complain(text.error());
  return kExitFailure;
}

int RunImportWorkbench(const std::string& file, const std::string& out) {
  const std::expected<std::string, std::string> json = ReadFile(file, model::kMaxWorkbenchBytes);
  if (!json) {
    Complain(json.error());
    return kExitFailure;
  }
  const std::expected<std::string, std::string> yaml = model::ImportWorkbench(*json);
  if (yaml) return Deliver(*yaml, out);
  Complain(file + ": " + yaml.error());
  return kExitFailure;
}

void AddGenerateCommand(Syntax& syntax) {
  const auto command = std::make_shared<GenerateCommand>();
  Subcommand generate = syntax.Add(
      "generate", "Write infrastructure, policies or code from a model", kGenerateExamples);
  generate.Add("TARGET", command->target, "What to write; see below")
      .Required()
      .OneOf(model::GenerateTargets())
      .Type("NAME");
  generate.Add("MODEL", command->file, "The model file").Required().Type("FILE");
  generate
      .Add("--env", command->options.environment,
           "Settings of this environment (default: what is written asks for it)")
      .Type("NAME");
  generate.Add("--out", command->out, "Write to this file (default: print)").Type("FILE");
  generate
      .Add("--for", command->options.subject, "For iam: only this grant or entity (default: all)")
      .Type("NAME");
  generate.Add("--account", command->options.account, "For iam: account in ARNs (default: *)")
      .Type("DIGITS");
  generate
      .Add("--style", command->options.style,
           "For typescript: functions with the AWS SDK, or ElectroDB's entities (default: sdk)")
      .OneOf({"sdk", "electrodb"})
      .Type("sdk|electrodb");
  generate.Runs([command] { return RunGenerate(*command); });
}

void AddImportWorkbenchCommand(Syntax& syntax) {
  struct Files {
    std::string file;
    std::string out;
  };
  const auto files = std::make_shared<Files>();
  Subcommand imported = syntax.Add("import-workbench", "Write a model from one of NoSQL Workbench",
                                   kImportWorkbenchExamples);
  imported.Add("FILE", files->file, "The data model that NoSQL Workbench exported, JSON")
      .Required()
      .Type("FILE");
  imported.Add("--out", files->out, "Write to this file (default: print)").Type("FILE");
  imported.Runs([files] { return RunImportWorkbench(files->file, files->out); });
}

}  // namespace

void AddGenerateCommands(Syntax& syntax) {
  AddGenerateCommand(syntax);
  AddImportWorkbenchCommand(syntax);
}

}  // namespace stator::cli
