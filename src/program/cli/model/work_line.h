// Shows how work on a table goes on: a bar, the rate, and the time that is left.
#ifndef STATOR_CLI_MODEL_WORK_LINE_H_
#define STATOR_CLI_MODEL_WORK_LINE_H_

#include <chrono>
#include <string>

#include "cli/progress_line.h"
#include "stator/live.h"

namespace stator::cli {

class WorkLine {
 public:
  void Show(const LiveProgress& progress);
  LiveProgressCallback Callback() {
    return [this](const LiveProgress& progress) { Show(progress); };
  }

 private:
  ProgressLine line_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

// "filling GSI1: 1200 read, 30 changed, 800/s, 12 s left"
std::string WorkText(const LiveProgress& progress, double seconds);

}  // namespace stator::cli

#endif  // STATOR_CLI_MODEL_WORK_LINE_H_
