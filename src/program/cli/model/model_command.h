// What the commands on models share: the files that they read and write, the tables that they work on, and
// the text that they print.
#ifndef STATOR_CLI_MODEL_MODEL_COMMAND_H_
#define STATOR_CLI_MODEL_MODEL_COMMAND_H_

#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/syntax.h"
#include "model/model.h"
#include "stator/endpoint.h"

namespace stator::model {
struct Problem;
}

namespace stator::cli {

// The model, or nothing once its problems have been printed to stderr.
std::optional<model::Model> LoadModelOrComplain(const std::string& path);

// Prints each problem to stderr: "model.yaml:12:7: …".
void ComplainOf(const std::string& path, const std::vector<model::Problem>& problems);

// The file's bytes; the error is one line.
std::expected<std::string, std::string> ReadFile(const std::string& path, std::size_t bytes_max);

// Writes the file, whose directory must exist. False once the problem has been printed.
bool WriteFileOrComplain(const std::string& path, std::string_view text);

// Prints "stator: …" to stderr.
void Complain(std::string_view text);

// The tables that a command works on.
struct LiveTables {
  DataSource source;
  std::string name_prefix;
};

void AddTableOptions(Subcommand& command, LiveTables& tables);

// Null once the problem has been printed.
std::unique_ptr<Endpoint> OpenTablesOrComplain(const LiveTables& tables);

// Columns of text for a terminal. The first row is the heading. Columns are as wide as their widest cell;
// the first `left` of them and the last are flush left, the others flush right, as numbers should be.
class TextTable {
 public:
  TextTable(std::vector<std::string> heading, std::size_t left);
  void Add(std::vector<std::string> row);
  // Nothing if there is no row besides the heading.
  std::string Text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::size_t left_;
};

// "12.5", "25800", "<0.0001".
std::string NumberText(double number);
// "$0.0026", "$14.20".
std::string MoneyText(double usd);

}  // namespace stator::cli

#endif  // STATOR_CLI_MODEL_MODEL_COMMAND_H_
