// The shell of a system's program: commands, options, places, exit codes and error output.
//
//   Program program("calls", "Calls between users and providers …", ModelText());
//   Command& next = program.AddCommand("next", "The next scheduled call of a user");
//   auto& options = next.Keep<NextOptions>();
//   next.AddArgument("USER", &options.user, "Whose calls");
//   next.RunOnTables([&](Tables& tables) { return PrintNext(tables, options); });
//   return program.Main(argc, argv);
//
// Every program has --data, --endpoint, --prefix and --clock, before or after the command.
#ifndef STATOR_SYSTEMS_PROGRAM_PROGRAM_H_
#define STATOR_SYSTEMS_PROGRAM_PROGRAM_H_

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "systems/program/tables.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace stator::systems {

// Exit codes.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;   // failed, refused or not found
inline constexpr int kMisused = 2;  // the command line is wrong

// Prints "calls: message" on standard error; returns the exit code.
int Fail(std::string_view message, int exit_code = kFailed);

// The variable that an option sets. What it holds before is the default, which --help shows unless
// it is empty or 0.
using OptionValue = std::variant<std::string*, int*, std::int64_t*, std::uint64_t*, double*,
                                 std::optional<std::int64_t>*>;

// An option or argument that was added. The rules apply when the command line is read.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option Type(const std::string& name) const;  // for --help: --data DIR
  Option Required() const;
  Option Range(std::int64_t least, std::int64_t most) const;
  Option Range(int least, int most) const { return Range(std::int64_t{least}, std::int64_t{most}); }
  Option Range(double least, double most) const;
  Option Positive() const;
  Option NotNegative() const;
  Option OneOf(const std::vector<std::string>& values) const;
  // `problem` returns what is wrong with a value; empty: nothing.
  Option Check(std::function<std::string(const std::string& value)> problem) const;
  Option Excludes(Option other) const;

 private:
  CLI::Option* option_;
};

// What a command does with the place that the command line names.
enum class PlaceRule : std::uint8_t {
  kRequired,  // without a place it is misused
  kOptional,  // without a place it works on a database in memory
  kRefused,   // with a place it is misused
};

class Command {
 public:
  // A command below this one: `lookup call`, `lookup provider`.
  Command& AddCommand(const std::string& name, const std::string& help);

  Option AddOption(const std::string& name, OptionValue value, const std::string& help);
  // An argument is required unless its variable has a default.
  Option AddArgument(const std::string& name, OptionValue value, const std::string& help);
  // A flag called "!--no-x" clears the variable.
  Option AddFlag(const std::string& name, bool* value, const std::string& help);

  // An object that lives as long as the program, for the variables of options.
  template <class T>
  T& Keep() {
    auto kept = std::make_shared<T>();
    kept_.push_back(kept);
    return *kept;
  }

  // What the command does; the function returns the exit code. A command that does not say what it
  // does with the place ignores it.
  void Run(std::function<int()> run);
  void RunAt(PlaceRule rule, std::function<int(const Place& place)> run);
  // Opens the tables of the program's model, and creates those that do not exist.
  void RunOnTables(std::function<int(Tables& tables)> run, PlaceRule rule = PlaceRule::kRequired);

 private:
  friend class Program;
  struct Shared;  // by all commands of a program
  Command(CLI::App& app, Shared& shared) : app_(app), shared_(shared) {}

  CLI::App& app_;
  Shared& shared_;
  std::list<Command> commands_;
  std::vector<std::shared_ptr<void>> kept_;
};

// One per process.
class Program {
 public:
  // `about` opens --help. `model_text` is the model of RunOnTables.
  Program(const std::string& name, const std::string& about, std::string_view model_text);
  ~Program();

  Command& AddCommand(const std::string& name, const std::string& help) {
    return root_->AddCommand(name, help);
  }
  // For options of all commands.
  Command& root() { return *root_; }

  // Reads the command line and runs its command; returns the exit code.
  int Main(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
  std::unique_ptr<Command::Shared> shared_;
  std::unique_ptr<Command> root_;
};

}  // namespace stator::systems

#endif  // STATOR_SYSTEMS_PROGRAM_PROGRAM_H_
