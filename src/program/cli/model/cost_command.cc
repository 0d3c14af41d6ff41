#include "cli/model/cost_command.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "cli/command_line.h"
#include "cli/model/cost_report.h"
#include "cli/model/measured_units.h"
#include "cli/model/model_file.h"
#include "model/plan/plan.h"

namespace stator::cli {
namespace {

constexpr const char* kExamples = R"(
Examples:
  stator cost model.yaml                        by the region and the price list of the model
  stator cost model.yaml --region eu-west-1
  stator cost model.yaml --prices mine.yaml     prices of your own, in the form of the built-in lists
  stator cost model.yaml --json
  stator cost model.yaml --measured http://127.0.0.1:8000
                                                beside what a server with --count-units has counted

The figures follow from the rates, sizes and volumes of the model. Claims of the model are judged;
a false one does not fail this command (stator check reports it).
)";

struct CostCommand {
  std::string file;
  std::string region;
  std::string prices;
  std::string measured;
  bool json = false;
};

// The list to go by, or nothing once the problem has been printed.
std::optional<model::PriceList> ListOrComplain(const CostCommand& command,
                                               const model::Model& model) {
  if (!command.prices.empty()) {
    auto list = model::LoadPriceList(command.prices);
    if (list) return *std::move(list);
    Complain(list.error());
    return std::nullopt;
  }
  const model::PriceList* list = model::FindPriceList(model.assume.price_list);
  if (list != nullptr) return *list;
  std::string names;
  for (const model::PriceList& one : model::BuiltInPriceLists()) names += " " + one.name;
  Complain("there is no price list " + model.assume.price_list + "; there are" + names +
           ", or give one with --prices");
  return std::nullopt;
}

int Run(const CostCommand& command) {
  const std::optional<model::Model> model = LoadModelOrComplain(command.file);
  if (!model) return kExitFailure;
  const std::optional<model::PriceList> list = ListOrComplain(command, *model);
  if (!list) return kExitFailure;
  const std::string& region = command.region.empty() ? model->assume.region : command.region;
  const model::Prices* prices = list->Find(region);
  if (prices == nullptr) {
    std::string names;
    for (const model::Prices& one : list->regions) names += " " + one.region;
    Complain("the price list " + list->name + " has no region " + region + "; it has" + names);
    return kExitFailure;
  }
  const std::vector<model::Plan> plans = model::ResolvePatterns(*model);
  const std::vector<model::Estimate> estimates = model::EstimatePlans(*model, plans);
  const model::Cost cost = model::ComputeCost(*model, estimates, *list, *prices);
  const auto claims = model::EvaluateClaims(*model, estimates, *list, *prices);
  if (!command.measured.empty()) {
    const auto units = ReadMeasuredUnits(command.measured);
    if (!units) {
      Complain(units.error());
      return kExitFailure;
    }
    const std::string text = command.json ? MeasuredJson(cost, *units) : MeasuredText(cost, *units);
    std::fputs(text.c_str(), stdout);
    return kExitOk;
  }
  const std::string text =
      command.json ? CostJson(*model, cost, claims) : CostText(*model, cost, claims);
  std::fputs(text.c_str(), stdout);
  return kExitOk;
}

}  // namespace

void AddCostCommand(CLI::App& app, Task& task) {
  const auto command = std::make_shared<CostCommand>();
  CLI::App* cost = app.add_subcommand("cost", "Price a model, and judge its claims");
  cost->footer(kExamples);
  cost->add_option("MODEL", command->file, "The model file")->required()->type_name("FILE");
  cost->add_option("--region", command->region, "Prices of this region (default: the model's)")
      ->type_name("NAME");
  cost->add_option("--prices", command->prices,
                   "A price list to go by instead of the built-in ones")
      ->type_name("FILE");
  cost->add_option("--measured", command->measured,
                   "Compare with what a Stator server that runs with --count-units has counted")
      ->type_name("URL");
  cost->add_flag("--json", command->json, "Print JSON");
  cost->callback([command, &task] { task.run = [command] { return Run(*command); }; });
}

}  // namespace stator::cli
