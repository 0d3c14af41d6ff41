#include "cli/syntax.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>

namespace stator::cli {

Option& Option::Required() {
  option_->required();
  return *this;
}

Option& Option::Type(const std::string& name) {
  option_->type_name(name);
  return *this;
}

template <class T>
Option& Option::Between(T min, T max, bool in_help) {
  CLI::Range range(min, max);
  if (!in_help) range.description("");
  option_->check(range);
  return *this;
}
template Option& Option::Between(int, int, bool);
template Option& Option::Between(unsigned, unsigned, bool);
template Option& Option::Between(std::uint64_t, std::uint64_t, bool);
template Option& Option::Between(double, double, bool);

Option& Option::NotNegative() {
  option_->check(CLI::NonNegativeNumber);
  return *this;
}

Option& Option::NotEmpty(const std::string& complaint) {
  option_->check([complaint](const std::string& value) { return value.empty() ? complaint : ""; });
  return *this;
}

Option& Option::OneOf(const std::vector<std::string>& words) {
  option_->check(CLI::IsMember(words));
  return *this;
}

Option& Option::SeparatedBy(char delimiter) {
  option_->delimiter(delimiter);
  return *this;
}

Option& Option::Repeatable() {
  option_->allow_extra_args(false);
  return *this;
}

Option& Option::Excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

Option& Option::Needs(const Option& other) {
  option_->needs(other.option_);
  return *this;
}

Option& Option::ShowDefault() {
  option_->capture_default_str();
  return *this;
}

template <class T>
Option Subcommand::Add(const std::string& name, T& value, const std::string& description) {
  return Option(app_->add_option(name, value, description));
}
template Option Subcommand::Add(const std::string&, std::string&, const std::string&);
template Option Subcommand::Add(const std::string&, std::vector<std::string>&, const std::string&);
template Option Subcommand::Add(const std::string&, int&, const std::string&);
template Option Subcommand::Add(const std::string&, unsigned&, const std::string&);
template Option Subcommand::Add(const std::string&, std::uint16_t&, const std::string&);
template Option Subcommand::Add(const std::string&, std::uint64_t&, const std::string&);
template Option Subcommand::Add(const std::string&, double&, const std::string&);
template Option Subcommand::Add(const std::string&, std::optional<int>&, const std::string&);
template Option Subcommand::Add(const std::string&, std::optional<double>&, const std::string&);

Option Subcommand::Flag(const std::string& name, bool& value, const std::string& description) {
  return Option(app_->add_flag(name, value, description));
}

Option Subcommand::AddSize(const std::string& name, std::size_t& value,
                           const std::string& description) {
  return Option(app_->add_option(name, value, description)->transform(CLI::AsSizeValue(false)))
      .Type("SIZE");
}

Option Subcommand::AddChoice(const std::string& name, std::string& value,
                             const std::vector<std::string>& words,
                             const std::string& description) {
  return AddWords(name, words, description,
                  [&value, words](std::size_t index) { value = words[index]; });
}

Option Subcommand::AddWords(const std::string& name, const std::vector<std::string>& words,
                            const std::string& description, std::function<void(std::size_t)> take) {
  std::string type;
  for (const std::string& word : words) type += (type.empty() ? "" : "|") + word;
  CLI::Option* option = app_->add_option_function<std::string>(
      name,
      [words, take = std::move(take)](const std::string& word) {
        take(static_cast<std::size_t>(std::ranges::find(words, word) - words.begin()));
      },
      description);
  option->check(CLI::IsMember(words).description(""))->type_name(type);
  return Option(option);
}

void Subcommand::Gives(std::function<Command()> command) {
  app_->callback([taken = taken_, command = std::move(command)] { *taken = command; });
}

void Subcommand::Runs(std::function<int()> run) {
  Gives([run = std::move(run)] { return Task{run}; });
}

Syntax::Syntax(const std::string& description, const std::string& name, const std::string& footer)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->footer(footer);
}

Syntax::~Syntax() = default;

Subcommand Syntax::Add(const std::string& name, const std::string& summary,
                       const std::string& footer) {
  CLI::App* added = app_->add_subcommand(name, summary);
  added->footer(footer);
  return {added, taken_};
}

Command Syntax::Parse(std::vector<std::string> arguments, const std::string& version) {
  app_->set_version_flag("--version", version);
  // The command that was given, or the program itself.
  const auto given = [this]() -> CLI::App& {
    const std::vector<CLI::App*> commands = app_->get_subcommands();
    return commands.empty() ? *app_ : *commands.front();
  };
  std::ranges::reverse(arguments);  // as CLI11 wants them
  try {
    app_->parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    CLI::App& command = given();
    return PrintCommand{&command == app_.get() ? app_->help() : command.help(app_->get_name())};
  } catch (const CLI::CallForVersion&) {
    return PrintCommand{version};
  } catch (const CLI::ParseError& error) {
    const CLI::App& command = given();
    return UsageError(std::string(error.what()) + "\nTry: stator help " +
                      (&command == app_.get() ? "serve" : command.get_name()));
  }
  return taken_ ? taken_() : PrintCommand{app_->help()};
}

}  // namespace stator::cli
