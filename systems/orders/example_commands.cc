#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "systems/orders/commands.h"
#include "systems/orders/example.h"

namespace stator::systems::orders {
namespace {

std::string NamesOf(std::span<const Example> examples) {
  std::string names;
  for (const Example& example : examples) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", example.name);
  }
  return names;
}

int RunNamed(const ConnectionOptions& options, std::span<const Example> examples,
             const std::string& name) {
  const Example* example = FindExample(examples, name);
  if (example == nullptr && name != "all") {
    return Fail(fmt::format("there is no `{}`: one of {}, or all", name, NamesOf(examples)),
                kUsage);
  }
  auto opened = Open(options);
  if (!opened) return Fail(opened.error());
  Narrator narrator(*opened->entities, std::cout);
  for (const Example& each : examples) {
    if (example != nullptr && example != &each) continue;
    if (const auto ran = RunExample(each, narrator); !ran) return Fail(ran.error().message);
  }
  return kDone;
}

void AddExamples(CLI::App& app, Action& action, std::string word, std::string help,
                 std::span<const Example> examples) {
  auto* command = app.add_subcommand(std::move(word), std::move(help));
  auto name = std::make_shared<std::string>();
  command->add_option("name", *name, "One of " + NamesOf(examples) + "; its number; or all")
      ->required()
      ->type_name("NAME");
  command->callback([&action, examples, name] {
    action = [examples, name](const ConnectionOptions& options) {
      return RunNamed(options, examples, *name);
    };
  });
}

}  // namespace

void AddExampleCommands(CLI::App& app, Action& action) {
  AddExamples(app, action, "strategy", "One of the five strategies, as an example that runs",
              Strategies());
  AddExamples(app, action, "pattern", "One of the four patterns, as an example that runs",
              Patterns());
}

}  // namespace stator::systems::orders
