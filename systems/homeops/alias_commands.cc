// aliases, teach.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "systems/homeops/commands.h"
#include "systems/homeops/vocabulary.h"
#include "systems/program/text_table.h"

namespace stator::systems::homeops {
namespace {

int PrintAliases(Desk& desk, const std::string& chat, const std::string& activity) {
  EntityResult<std::vector<Alias>> aliases;
  if (activity.empty()) {
    aliases = desk.aliases.Of(chat);
  } else {
    const auto canonical = desk.aliases.Canonical(chat, activity);
    if (!canonical) return Fail(canonical.error().message);
    aliases = desk.aliases.For(chat, *canonical);
  }
  if (!aliases) return Fail(aliases.error().message);
  std::vector<std::vector<std::string>> rows = {{"alias", "means", "confirmations", "source"}};
  for (const Alias& alias : *aliases) {
    rows.push_back(
        {alias.alias, alias.activity, std::to_string(alias.confirmations), alias.source});
  }
  fmt::print("{}", TextTable(rows));
  return 0;
}

int Teach(Desk& desk, const std::string& chat, const std::string& phrase,
          const std::string& activity) {
  const auto canonical = desk.aliases.Canonical(chat, activity);
  if (!canonical) return Fail(canonical.error().message);
  if (FindActivity(*canonical) == nullptr) {
    return Fail(fmt::format("{} is no activity that I know", activity));
  }
  if (auto taught = desk.aliases.Teach(chat, phrase, *canonical); !taught) {
    return Fail(taught.error().message);
  }
  const auto alias = desk.aliases.Find(chat, phrase);
  if (!alias || !*alias) return Fail("it was taught and is gone again");
  fmt::print("{} means {} (confirmations: {})\n", (*alias)->alias, (*alias)->activity,
             (*alias)->confirmations);
  return 0;
}

}  // namespace

void AddAliasCommands(CLI::App& app, Shell& shell) {
  auto phrase = std::make_shared<std::string>();
  auto activity = std::make_shared<std::string>();
  auto* aliases = app.add_subcommand("aliases", "What words mean in a chat");
  aliases->add_option("--activity", *activity, "Only those that mean this");
  aliases->callback([&shell, activity] {
    WithDesk(shell, [&](Desk& desk) { return PrintAliases(desk, shell.chat, *activity); });
  });

  auto* teach = app.add_subcommand("teach", "Says what words mean; the same again confirms it");
  teach->add_option("PHRASE", *phrase, "e.g. \"kört en maskin\"")->required();
  teach->add_option("ACTIVITY", *activity, "e.g. tvätt")->required();
  teach->callback([&shell, phrase, activity] {
    WithDesk(shell, [&](Desk& desk) { return Teach(desk, shell.chat, *phrase, *activity); });
  });
}

}  // namespace stator::systems::homeops
