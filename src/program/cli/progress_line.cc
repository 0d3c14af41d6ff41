#include "cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace stator::cli {
namespace {

constexpr std::int64_t kBarCells = 28;

}  // namespace

std::string ProgressText(const Progress& progress) {
  if (!progress.total || *progress.total <= 0) return progress.text;
  const std::int64_t done = std::clamp<std::int64_t>(progress.done, 0, *progress.total);
  // Not (done * cells): that could be too large a number.
  const double part = static_cast<double>(done) / static_cast<double>(*progress.total);
  const auto cells = static_cast<std::size_t>(part * static_cast<double>(kBarCells));
  return fmt::format("[{:-<28}] {:3}%  {}", std::string(cells, '#'), static_cast<int>(part * 100),
                     progress.text);
}

ProgressLine::ProgressLine() : is_terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  if (!shown_.empty()) std::fputs("\r\x1b[K", stderr);
}

void ProgressLine::Show(const Progress& progress) {
  if (!is_terminal_) return;
  std::string text = ProgressText(progress);
  if (text == shown_) return;
  std::fprintf(stderr, "\r\x1b[K%s", text.c_str());
  std::fflush(stderr);
  shown_ = std::move(text);
}

}  // namespace stator::cli
