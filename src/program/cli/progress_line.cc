#include "cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace stator::cli {
namespace {

constexpr double kBarCells = 28;

}  // namespace

std::string ProgressText(const Progress& progress) {
  if (!progress.total || *progress.total <= 0) return progress.text;
  const std::int64_t done = std::clamp<std::int64_t>(progress.done, 0, *progress.total);
  // Not (done * cells): that could be too large a number.
  const double part = static_cast<double>(done) / static_cast<double>(*progress.total);
  const auto cells = static_cast<std::size_t>(part * kBarCells);
  return fmt::format("[{:-<28}] {:3}%  {}", std::string(cells, '#'), static_cast<int>(part * 100),
                     progress.text);
}

Progress ProgressOf(const LiveProgress& progress, double seconds) {
  std::optional<std::int64_t> total = progress.total;
  if (total) total = std::max(*total, progress.read);
  std::string text = progress.what;
  if (progress.read > 0) {
    const double rate = static_cast<double>(progress.read) / std::max(seconds, 0.001);
    text += fmt::format(": {} read, {} changed, {:.0f}/s", progress.read, progress.changed, rate);
    if (total && *total > progress.read) {
      text += fmt::format(", {:.0f} s left", static_cast<double>(*total - progress.read) / rate);
    }
  }
  return {.done = progress.read, .total = total, .text = std::move(text)};
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

LiveProgressCallback ProgressLine::Callback() {
  return [this](const LiveProgress& progress) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - started_;
    Show(ProgressOf(progress, passed.count()));
  };
}

}  // namespace stator::cli
