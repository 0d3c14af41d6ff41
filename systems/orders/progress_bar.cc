#include "systems/orders/progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace stator::systems::orders {
namespace {

constexpr std::int64_t kWidth = 20;

bool IsTerminal() { return ::isatty(STDERR_FILENO) == 1; }

}  // namespace

std::string ProgressText(const LiveProgress& progress) {
  std::string text = progress.what;
  if (progress.total && *progress.total > 0) {
    const std::int64_t full = std::min(kWidth, progress.read * kWidth / *progress.total);
    text += fmt::format("  [{}{}]  {} of {}", std::string(static_cast<std::size_t>(full), '#'),
                        std::string(static_cast<std::size_t>(kWidth - full), '.'), progress.read,
                        *progress.total);
  } else if (progress.read > 0) {
    text += fmt::format("  {} items", progress.read);
  }
  if (progress.changed > 0) text += fmt::format(", {} changed", progress.changed);
  return text;
}

LiveProgressCallback DrawProgress() {
  if (!IsTerminal()) return {};
  return [](const LiveProgress& progress) {
    fmt::print(stderr, "\r\033[K  {}", ProgressText(progress));
    std::fflush(stderr);
  };
}

void ClearProgress() {
  if (IsTerminal()) fmt::print(stderr, "\r\033[K");
}

}  // namespace stator::systems::orders
