#include "cli/model/work_line.h"

#include <fmt/format.h>

#include <algorithm>

namespace stator::cli {

std::string WorkText(const LiveProgress& progress, double seconds) {
  std::string text = progress.what;
  if (progress.read == 0) return text;
  const double rate = static_cast<double>(progress.read) / std::max(seconds, 0.001);
  text += fmt::format(": {} read, {} changed, {:.0f}/s", progress.read, progress.changed, rate);
  if (progress.total && *progress.total > progress.read) {
    const double left = static_cast<double>(*progress.total - progress.read) / rate;
    text += fmt::format(", {:.0f} s left", left);
  }
  return text;
}

void WorkLine::Show(const LiveProgress& progress) {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - started_;
  std::optional<std::int64_t> total = progress.total;
  if (total) total = std::max(*total, progress.read);
  line_.Show({.done = progress.read, .total = total, .text = WorkText(progress, passed.count())});
}

}  // namespace stator::cli
