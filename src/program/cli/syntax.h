// How commands declare what they take: names, options, help. The library that parses command lines is used by
// syntax.cc alone, because every file that includes it takes seconds to compile.
//
//   const auto options = std::make_shared<EchoOptions>();
//   Subcommand echo = syntax.Add("echo", "Print words", "\nExamples:\n  stator echo hello\n");
//   echo.Add("WORDS", options->words, "What to print").Required();
//   echo.Flag("--loud", options->loud, "In capitals");
//   echo.Runs([options] { return Echo(*options); });
#ifndef STATOR_CLI_SYNTAX_H_
#define STATOR_CLI_SYNTAX_H_

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_line.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace stator::cli {

// What else is known about an option. A command line that breaks one of these is refused.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option& Required();
  Option& Type(const std::string& name);  // as help shows it: "--endpoint URL"
  // T is the type of the option's value.
  template <class T>
  Option& Between(T min, T max, bool in_help = true);
  Option& NotNegative();
  Option& NotEmpty(const std::string& complaint);
  Option& OneOf(const std::vector<std::string>& words);  // listed in help after the type
  Option& Repeatable();                                  // "--option a --option b", one value each
  Option& SeparatedBy(char delimiter);                   // several values in one word
  Option& Excludes(const Option& other);
  Option& Needs(const Option& other);
  Option& ShowDefault();

 private:
  CLI::Option* option_;
};

// A command of the program. Values must live until the command line has been parsed.
class Subcommand {
 public:
  Subcommand(CLI::App* app, std::function<Command()>& taken) : app_(app), taken_(&taken) {}

  // "--option" with a value, or "POSITIONAL". T: std::string and lists of it, numbers, and std::optional of numbers.
  template <class T>
  Option Add(const std::string& name, T& value, const std::string& description);
  Option Flag(const std::string& name, bool& value, const std::string& description);
  // Bytes, with a unit: 64MB.
  Option AddSize(const std::string& name, std::size_t& value, const std::string& description);

  // One of some words, which help lists as the type.
  Option AddChoice(const std::string& name, std::string& value,
                   const std::vector<std::string>& words, const std::string& description);
  // … that stand for values: {{"always", Durability::kAlways}, …}.
  template <class T, class Value>
  Option AddChoice(const std::string& name, T& value,
                   std::initializer_list<std::pair<const char*, Value>> meanings,
                   const std::string& description) {
    std::vector<std::string> words;
    std::vector<Value> values;
    for (const auto& [word, meaning] : meanings) {
      words.emplace_back(word);
      values.push_back(meaning);
    }
    return AddWords(name, words, description,
                    [&value, values](std::size_t index) { value = values[index]; });
  }

  // What a command line with this command asks for.
  void Gives(std::function<Command()> command);
  // … as a task, which returns the exit code.
  void Runs(std::function<int()> run);

 private:
  Option AddWords(const std::string& name, const std::vector<std::string>& words,
                  const std::string& description, std::function<void(std::size_t)> take);

  CLI::App* app_;
  std::function<Command()>* taken_;
};

// All commands of the program.
class Syntax {
 public:
  Syntax(const std::string& description, const std::string& name, const std::string& footer);
  ~Syntax();
  Syntax(const Syntax&) = delete;
  Syntax& operator=(const Syntax&) = delete;

  // `footer` stands below the options in help: examples, and what they do not say.
  Subcommand Add(const std::string& name, const std::string& summary,
                 const std::string& footer = {});

  // What the arguments ask for: a command, its help, the version, or a usage error.
  Command Parse(std::vector<std::string> arguments, const std::string& version);

 private:
  std::unique_ptr<CLI::App> app_;
  std::function<Command()> taken_;  // by the command that was given
};

}  // namespace stator::cli

#endif  // STATOR_CLI_SYNTAX_H_
