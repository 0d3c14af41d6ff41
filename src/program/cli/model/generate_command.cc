#include "cli/model/generate_command.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "cli/command_line.h"
#include "cli/model/model_file.h"
#include "generate/generate.h"

namespace stator::cli {
namespace {

constexpr const char* kExamples = R"(
Targets:
  terraform        aws_dynamodb_table resources
  cloudformation   a template, in YAML
  cdk              a construct, in TypeScript
  cli              a script of AWS CLI commands; ENDPOINT_URL=http://127.0.0.1:8000 points it at Stator
  workbench        a data model of NoSQL Workbench
  iam              a policy that allows what the patterns need, for each grant or else each entity
  cpp              a header with a struct for each entity and a function for each pattern

Examples:
  stator generate terraform model.yaml --out dynamodb.tf
  stator generate cli model.yaml --env dev | ENDPOINT_URL=http://127.0.0.1:8000 bash
  stator generate iam model.yaml --for worker --account 123456789012
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

int Run(const GenerateCommand& command) {
  const std::optional<model::Model> model = LoadModelOrComplain(command.file);
  if (!model) return kExitFailure;
  const std::expected<std::string, std::string> text =
      model::Generate(command.target, *model, command.options);
  if (text) return Deliver(*text, command.out);
  Complain(text.error());
  return kExitFailure;
}

int Import(const std::string& file, const std::string& out) {
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

}  // namespace

void AddGenerateCommand(CLI::App& app, Task& task) {
  const auto command = std::make_shared<GenerateCommand>();
  CLI::App* generate =
      app.add_subcommand("generate", "Write infrastructure, policies or code from a model");
  generate->footer(kExamples);
  generate->add_option("TARGET", command->target, "What to write; see below")
      ->required()
      ->check(CLI::IsMember(model::GenerateTargets()))
      ->type_name("NAME");
  generate->add_option("MODEL", command->file, "The model file")->required()->type_name("FILE");
  generate
      ->add_option("--env", command->options.environment,
                   "Settings of this environment (default: what is written asks for it)")
      ->type_name("NAME");
  generate->add_option("--out", command->out, "Write to this file (default: print)")
      ->type_name("FILE");
  generate
      ->add_option("--for", command->options.subject,
                   "Of iam: only this grant or entity (default: all)")
      ->type_name("NAME");
  generate
      ->add_option("--account", command->options.account, "Of iam: account in ARNs (default: *)")
      ->type_name("DIGITS");
  generate->callback([command, &task] { task.run = [command] { return Run(*command); }; });
}

void AddImportWorkbenchCommand(CLI::App& app, Task& task) {
  struct Files {
    std::string file;
    std::string out;
  };
  const auto files = std::make_shared<Files>();
  CLI::App* import =
      app.add_subcommand("import-workbench", "Write a model from one of NoSQL Workbench");
  import->footer(
      "\nExamples:\n  stator import-workbench shop.json --out model.yaml\n\nAccess patterns, sizes "
      "and rates are not in such a file: add them.\n");
  import->add_option("FILE", files->file, "The data model that NoSQL Workbench exported, JSON")
      ->required()
      ->type_name("FILE");
  import->add_option("--out", files->out, "Write to this file (default: print)")->type_name("FILE");
  import->callback(
      [files, &task] { task.run = [files] { return Import(files->file, files->out); }; });
}

}  // namespace stator::cli
