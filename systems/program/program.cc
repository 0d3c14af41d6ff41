#include "systems/program/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>

namespace stator::systems {
namespace {

// Opens every error message.
std::string& ProgramName() {
  static std::string name;
  return name;
}

std::string EndpointProblem(const std::string& text) {
  const bool is_address = text.starts_with("http://") || text.starts_with("https://");
  return is_address || text == "aws" ? "" : "an address is like http://127.0.0.1:8000";
}

std::string PrefixProblem(const std::string& text) {
  const bool fits = std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
  });
  return fits ? "" : "names of tables have letters, digits, `-`, `_` and `.` only";
}

std::string ClockProblem(const std::string& text) {
  const auto clock = ClockSetting::Parse(text);
  return clock ? std::string() : clock.error();
}

bool IsEmpty(const std::string& value) { return value.empty(); }
bool IsEmpty(const std::optional<std::int64_t>& value) { return !value; }
template <class Number>
bool IsEmpty(const Number& value) {
  return value == 0;
}

CLI::Option* Add(CLI::App& app, const std::string& name, OptionValue value,
                 const std::string& help) {
  return std::visit(
      [&](auto* variable) {
        CLI::Option* option = app.add_option(name, *variable, help);
        if (!IsEmpty(*variable)) option->capture_default_str();
        return option;
      },
      value);
}

}  // namespace

int Fail(std::string_view message, int exit_code) {
  std::fflush(stdout);
  fmt::print(stderr, "{}: {}\n", ProgramName(), message);
  return exit_code;
}

Option Option::Type(const std::string& name) const {
  option_->type_name(name);
  return *this;
}
Option Option::Required() const {
  option_->required();
  return *this;
}
Option Option::Range(std::int64_t least, std::int64_t most) const {
  option_->check(CLI::Range(least, most));
  return *this;
}
Option Option::Range(double least, double most) const {
  option_->check(CLI::Range(least, most));
  return *this;
}
Option Option::Positive() const {
  option_->check(CLI::PositiveNumber);
  return *this;
}
Option Option::NotNegative() const {
  option_->check(CLI::NonNegativeNumber);
  return *this;
}
Option Option::OneOf(const std::vector<std::string>& values) const {
  option_->check(CLI::IsMember(values));
  return *this;
}
Option Option::Check(std::function<std::string(const std::string& value)> problem) const {
  option_->check(std::move(problem));
  return *this;
}
Option Option::Excludes(Option other) const {
  option_->excludes(other.option_);
  return *this;
}

struct Command::Shared {
  Place place;
  std::string_view model_text;
  std::function<int()> chosen;
};

Command& Command::AddCommand(const std::string& name, const std::string& help) {
  app_.require_subcommand(1);
  commands_.push_back(Command(*app_.add_subcommand(name, help), shared_));
  return commands_.back();
}

Option Command::AddOption(const std::string& name, OptionValue value, const std::string& help) {
  return Option(Add(app_, name, value, help));
}

Option Command::AddArgument(const std::string& name, OptionValue value, const std::string& help) {
  const bool has_default = std::visit([](auto* variable) { return !IsEmpty(*variable); }, value);
  return Option(Add(app_, name, value, help)->required(!has_default));
}

Option Command::AddFlag(const std::string& name, bool* value, const std::string& help) {
  return Option(app_.add_flag(name, *value, help));
}

void Command::Run(std::function<int()> run) {
  app_.callback([&shared = shared_, run = std::move(run)] { shared.chosen = run; });
}

void Command::RunAt(PlaceRule rule, std::function<int(const Place& place)> run) {
  Run([&app = app_, &place = shared_.place, rule, run = std::move(run)] {
    if (rule == PlaceRule::kRequired && !place.is_named()) {
      return Fail("say where the tables are: --data DIR or --endpoint URL", kMisused);
    }
    if (rule == PlaceRule::kRefused && place.is_named()) {
      return Fail(app.get_name() + " takes neither --data nor --endpoint", kMisused);
    }
    return run(place);
  });
}

void Command::RunOnTables(std::function<int(Tables& tables)> run, PlaceRule rule) {
  RunAt(rule, [&shared = shared_, run = std::move(run)](const Place& place) {
    const auto tables = Tables::Open(place, shared.model_text);
    return tables ? run(**tables) : Fail(tables.error());
  });
}

Program::Program(const std::string& name, const std::string& about, std::string_view model_text)
    : app_(std::make_unique<CLI::App>(about, name)),
      shared_(std::make_unique<Command::Shared>(Command::Shared{.model_text = model_text})),
      root_(new Command(*app_, *shared_)) {
  ProgramName() = name;
  app_->fallthrough();
  Place& place = shared_->place;
  const Option endpoint = root_
                              ->AddOption("--endpoint", &place.endpoint,
                                          "A Stator server, e.g. http://127.0.0.1:8000, or `aws`")
                              .Type("URL")
                              .Check(EndpointProblem);
  root_->AddOption("--data", &place.directory, "A directory that no server has open")
      .Type("DIR")
      .Excludes(endpoint);
  root_->AddOption("--prefix", &place.table_prefix, "Put before the name of every table")
      .Type("TEXT")
      .Check(PrefixProblem);
  root_
      ->AddOption("--clock", &place.clock,
                  "The time to go by: system, fixed:TIME or offset:DURATION")
      .Type("CLOCK")
      .Check(ClockProblem);
}

Program::~Program() = default;

int Program::Main(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app_->exit(error) == 0 ? kDone : kMisused;
  }
  return shared_->chosen();
}

}  // namespace stator::systems
