// A line on stderr that tells how far long work has come.
//
//   [############----------------]  43%  12345 items
#ifndef STATOR_CLI_PROGRESS_LINE_H_
#define STATOR_CLI_PROGRESS_LINE_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "stator/live.h"

namespace stator::cli {

struct Progress {
  std::int64_t done = 0;
  std::optional<std::int64_t> total;  // unknown: no bar is shown
  std::string text;
};

std::string ProgressText(const Progress& progress);

// "filling GSI1: 1200 read, 30 changed, 800/s, 12 s left"
Progress ProgressOf(const LiveProgress& progress, double seconds);

// On a terminal the line is written again and again; elsewhere nothing is shown.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void Show(const Progress& progress);
  // Shows work on a table, with its rate and the time that is left. Lives as long as the line.
  LiveProgressCallback Callback();

 private:
  const bool is_terminal_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::string shown_;
};

}  // namespace stator::cli

#endif  // STATOR_CLI_PROGRESS_LINE_H_
