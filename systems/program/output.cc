#include "systems/program/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace stator::systems {
namespace {

std::size_t Characters(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string Line(const std::vector<std::string>& row, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) {
    line += row[i];
    if (i + 1 < row.size()) line += std::string(widths[i] - Characters(row[i]) + 2, ' ');
  }
  return line + "\n";
}

}  // namespace

std::string TextTable(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], Characters(row[i]));
  }
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += Line(rows[i], widths);
    if (i != 0) continue;
    std::vector<std::string> rule;
    for (const std::size_t width : widths) rule.emplace_back(width, '-');
    text += Line(rule, widths);
  }
  return text;
}

void PrintLine(std::string_view line) {
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

void PrintCursor(std::string_view cursor) {
  if (cursor.empty()) return;
  std::fflush(stdout);
  fmt::print(stderr, "more: --cursor {}\n", cursor);
}

ProgressLine::ProgressLine() : is_terminal_(::isatty(STDERR_FILENO) == 1) {}

void ProgressLine::Show(std::string_view text) {
  const auto now = std::chrono::steady_clock::now();
  if (!is_terminal_ || now - shown_at_ < std::chrono::milliseconds(100)) return;
  shown_at_ = now;
  is_shown_ = true;
  fmt::print(stderr, "\r\x1b[K{}", text);
  std::fflush(stderr);
}

void ProgressLine::Clear() {
  if (is_shown_) fmt::print(stderr, "\r\x1b[K");
  is_shown_ = false;
}

std::string ProgressText(std::string_view task, std::int64_t done, std::int64_t total) {
  constexpr std::int64_t kWidth = 20;
  if (total <= 0) return done > 0 ? fmt::format("{}  {} items", task, done) : std::string(task);
  const std::int64_t full = std::min(kWidth, done * kWidth / total);
  return fmt::format("{}  [{:#<{}}{:.<{}}]  {} of {}", task, "", full, "", kWidth - full, done,
                     total);
}

}  // namespace stator::systems
