#include "chart/markdown_table.h"

#include <algorithm>

namespace stator::model {
namespace {

// A cell ends at a pipe, in code too, and at the end of its line.
std::string CellText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
}

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

std::size_t TextColumns(std::string_view utf8) {
  return static_cast<std::size_t>(std::ranges::count_if(
      utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string MarkdownCode(std::string_view text) {
  if (text.empty()) return "";
  const bool has_tick = text.find('`') != std::string_view::npos;
  const std::string fence = has_tick ? "``" : "`";
  const std::string space = has_tick ? " " : "";
  return fence + space + std::string(text) + space + fence;
}

std::string MarkdownText(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    // An underscore inside a word is only itself.
    const bool inside =
        at > 0 && at + 1 < text.size() && IsWordByte(text[at - 1]) && IsWordByte(text[at + 1]);
    const bool special = std::string_view("\\`*[]<>#").find(c) != std::string_view::npos;
    if (special || (c == '_' && !inside)) out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
}

MarkdownTable::MarkdownTable(std::vector<std::string> header) { Add(std::move(header)); }

void MarkdownTable::Add(std::vector<std::string> cells) {
  if (!rows_.empty()) cells.resize(rows_.front().size());
  for (std::string& cell : cells) cell = cell.empty() ? "-" : CellText(cell);
  rows_.push_back(std::move(cells));
}

std::string MarkdownTable::ToText() const {
  std::vector<std::size_t> widths(rows_.front().size(), 3);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], TextColumns(row[i]));
    }
  }
  std::string out;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      out += "| " + rows_[r][i] + std::string(widths[i] - TextColumns(rows_[r][i]), ' ') + ' ';
    }
    out += "|\n";
    if (r > 0) continue;
    for (const std::size_t width : widths) out += "| " + std::string(width, '-') + ' ';
    out += "|\n";
  }
  return out;
}

}  // namespace stator::model
