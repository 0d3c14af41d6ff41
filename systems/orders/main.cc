// orders: the strategies of secondary indexes as programs that run.
#include <fmt/format.h>

#include "systems/orders/commands.h"
#include "systems/orders/design.h"
#include "systems/program/model_text.h"

namespace stator::systems::orders {
namespace {

constexpr const char* kAbout =
    R"(Secondary indexes by example: five strategies and four patterns over one overloaded table,
the decisions behind them, a shop that uses them, and a migration on a live table.

  orders decide                             which reads need an index, and why
  orders strategy sparse                    one strategy, told step by step
  orders pattern time --items mine.json     one pattern, on your own items; `orders items` prints some
  orders chart --out . --job shop           docs/specs/jobs/shop/entity-chart-gsi1.md …
  orders --data ./shop shop register alice alice@example.com
  orders --data ./shop shop place alice 550e8400 --amount 120.50 --currency EUR
  orders --data ./shop shop by-id 550e8400
  orders migrate                            an index is replaced under load

Examples, the migration and the demo run in memory unless --data or --endpoint is given, and
there in a table of their own.
Exit code: 0 done, 1 refused, failed or not found, 2 wrong usage.)";

// --- decide, chart

Fallible<Model> ModelOf(const std::string& file) {
  return file.empty() ? Model::Parse(ModelText()) : Model::Load(file);
}

int PrintDecisions(const std::string& model_file) {
  const auto model = ModelOf(model_file);
  if (!model) return Fail(model.error());
  const Design design = CheckDesign(*model);
  fmt::print("Does it need an index?\n\n{}\n", DecisionTree(design));
  fmt::print("Is the primary key enough?\n\n{}\n", SatisfiedTable(design));
  fmt::print("How much does an index copy?\n\n{}", ProjectionTree(design));
  return kDone;
}

int WriteAllCharts(const std::string& model_file, const std::string& out, const std::string& job) {
  const auto model = ModelOf(model_file);
  if (!model) return Fail(model.error());
  const auto written = WriteCharts(*model, out, job);
  if (!written) return Fail(written.error());
  for (const auto& path : *written) fmt::print("{}\n", path.string());
  return kDone;
}

// --- The commands

void AddDesignCommands(Program& program) {
  struct Arguments {
    std::string model_file;
    std::string out = ".";
    std::string job = "orders";
  };
  Command& decide = program.AddCommand(
      "decide", "The decision tree, the table \"Satisfied by PK?\" and the projections of a model");
  Command& chart = program.AddCommand(
      "chart", "Writes entity charts to DIR/docs/specs/jobs/JOB/entity-chart-gsiN.md");
  auto& given = decide.Keep<Arguments>();
  for (Command* command : {&decide, &chart}) {
    command->AddOption("--model", &given.model_file, "A model file; default: the one built in")
        .Type("FILE");
  }
  chart.AddOption("--out", &given.out, "Where docs/specs/jobs/JOB is created").Type("DIR");
  chart.AddOption("--job", &given.job, "The name of the job").Type("JOB");
  decide.Run([&] { return PrintDecisions(given.model_file); });
  chart.Run([&] { return WriteAllCharts(given.model_file, given.out, given.job); });
}

int Main(int argc, char** argv) {
  Program program("orders", kAbout, ModelText());
  AddDesignCommands(program);
  AddExampleCommands(program);
  AddShopCommands(program);
  AddMigrationCommands(program);
  return program.Main(argc, argv);
}

}  // namespace
}  // namespace stator::systems::orders

int main(int argc, char** argv) { return stator::systems::orders::Main(argc, argv); }
