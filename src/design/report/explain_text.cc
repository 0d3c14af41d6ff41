#include <fmt/format.h>

#include <string>

#include "report/check_report.h"

namespace stator::model {
namespace {

constexpr std::size_t kWidth = 80;

std::string Wrap(std::string_view text) {
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (column > 0 && column + 1 + word.size() > kWidth) {
      out += '\n';
      column = 0;
    } else if (column > 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + "\n";
}

std::string Indent(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += fmt::format("  {}\n", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

std::string ExplainText(const Rule& rule) {
  return fmt::format("{} ({}): {}\n\n{}\nBad:\n{}\nGood:\n{}", rule.code,
                     SeverityName(rule.severity), rule.title, Wrap(rule.lesson), Indent(rule.bad),
                     Indent(rule.good));
}

std::string RuleListText(std::span<const Rule> rules) {
  std::string out;
  for (const Rule& rule : rules) {
    out += fmt::format("{}  {:7}  {}\n", rule.code, SeverityName(rule.severity), rule.title);
  }
  return out;
}

}  // namespace stator::model
