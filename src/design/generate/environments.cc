#include "generate/environments.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <optional>

#include "generate/text.h"

namespace stator::model {
namespace {

template <class T>
Choice ChoiceOf(const PerEnvironment<T>& setting, const std::string& environment,
                int (*number)(const T&)) {
  Choice choice;
  const auto value = [&](const std::optional<T>& of) { return of ? number(*of) : 0; };
  if (!environment.empty()) {
    choice.otherwise = value(setting.In(environment));
    return choice;
  }
  choice.otherwise = value(setting.everywhere);
  std::map<int, std::vector<std::string>, std::greater<>> groups;
  for (const auto& [name, here] : setting.in) {
    if (number(here) != choice.otherwise) groups[number(here)].push_back(name);
  }
  choice.in.assign(groups.begin(), groups.end());
  return choice;
}

int DaysOf(const seconds& period) {
  if (period.count() <= 0) return 0;
  const auto days = std::chrono::ceil<std::chrono::days>(period).count();
  return static_cast<int>(std::clamp<decltype(days)>(days, 1, kDefaultRecoveryDays));
}

int NumberOf(const bool& value) { return value ? 1 : 0; }

}  // namespace

Choice RecoveryDays(const Table& table, const GenerateOptions& options) {
  return ChoiceOf(table.pitr, options.environment, &DaysOf);
}

Choice Protection(const Table& table, const GenerateOptions& options) {
  return ChoiceOf(table.deletion_protection, options.environment, &NumberOf);
}

Switch SwitchOf(const Choice& choice) {
  Switch out;
  out.on = choice.otherwise == 0;
  for (const auto& [value, environments] : choice.in) {
    if ((value != 0) != out.on) continue;
    out.environments.insert(out.environments.end(), environments.begin(), environments.end());
  }
  std::ranges::sort(out.environments);
  return out;
}

std::string ConditionText(const Switch& setting, const ConditionSyntax& syntax) {
  if (setting.constant()) return setting.on ? "false" : "true";
  if (setting.environments.size() == 1) {
    return fmt::format("{}{}{}", syntax.variable, setting.on ? syntax.equals : syntax.differs,
                       syntax.quote(setting.environments[0]));
  }
  return (setting.on ? "" : "!") +
         fmt::format(fmt::runtime(syntax.contains), ListText(setting.environments, syntax.quote));
}

std::string RecoveryText(int days, const RecoveryNames& names) {
  std::string settings = fmt::format("{}: {}", names.enabled, days != 0);
  if (days != 0 && days != kDefaultRecoveryDays) {
    settings += fmt::format(", {}: {}", names.days, days);
  }
  return fmt::format("{{{0}{1}{0}}}", names.padding, settings);
}

bool AsksForEnvironment(const Model& model, const GenerateOptions& options) {
  return std::ranges::any_of(model.tables, [&](const Table& table) {
    return !RecoveryDays(table, options).constant() || !Protection(table, options).constant();
  });
}

std::vector<std::string> EnvironmentsOf(const Model& model) {
  std::vector<std::string> names = model.assume.environments;
  const auto add = [&](const auto& setting) {
    for (const auto& [name, value] : setting.in) {
      if (std::ranges::count(names, name) == 0) names.push_back(name);
    }
  };
  for (const Table& table : model.tables) {
    add(table.pitr);
    add(table.deletion_protection);
  }
  return names;
}

}  // namespace stator::model
