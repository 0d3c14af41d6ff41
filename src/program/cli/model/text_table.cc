#include "cli/model/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "chart/diagram.h"

namespace stator::cli {
TextTable::TextTable(std::vector<std::string> heading, std::size_t left) : left_(left) {
  rows_.push_back(std::move(heading));
}

void TextTable::Add(std::vector<std::string> row) {
  row.resize(rows_.front().size());
  rows_.push_back(std::move(row));
}

std::string TextTable::Text() const {
  if (rows_.size() == 1) return {};
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], model::TextColumns(row[i]));
  }
  std::string text;
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string space(widths[i] - model::TextColumns(row[i]), ' ');
      const bool last = i + 1 == row.size();
      const bool flush_left = i < left_ || last;
      text += flush_left ? row[i] + (last ? "" : space) : space + row[i];
      text += last ? "\n" : "  ";
    }
  }
  return text;
}

std::string NumberText(double number) {
  if (number != 0 && std::abs(number) < 0.0001) return "<0.0001";
  if (std::abs(number) >= 1000) return fmt::format("{:.0f}", number);
  return fmt::format("{:.4g}", number);
}

std::string MoneyText(double usd) {
  if (usd != 0 && std::abs(usd) < 0.0001) return "<$0.0001";
  return std::abs(usd) < 1 ? fmt::format("${:.4f}", usd) : fmt::format("${:.2f}", usd);
}

}  // namespace stator::cli
