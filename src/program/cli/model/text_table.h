// Columns of text for a terminal.
#ifndef STATOR_CLI_MODEL_TEXT_TABLE_H_
#define STATOR_CLI_MODEL_TEXT_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

namespace stator::cli {

// The first row is the heading. Columns are as wide as their widest cell; the first `left` of them
// and the last are flush left, the others flush right, as numbers want to be.
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

#endif  // STATOR_CLI_MODEL_TEXT_TABLE_H_
