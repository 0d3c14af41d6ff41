// Shows how work on a table goes on: a bar, the rate, and the time that is left.
#ifndef STATOR_CLI_MODEL_WORK_LINE_H_
#define STATOR_CLI_MODEL_WORK_LINE_H_

#include <chrono>
#include <string>

#include "cli/progress_line.h"
#include "live/progress.h"

namespace stator::cli {

class WorkLine {
 public:
  void Show(const live::WorkProgress& progress);
  live::ProgressCallback Callback() {
    return [this](const live::WorkProgress& progress) { Show(progress); };
  }

 private:
  ProgressLine line_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

// "filling GSI1: 1200 read, 30 changed, 800/s, 12 s left"
std::string WorkText(const live::WorkProgress& progress, double seconds);

}  // namespace stator::cli

#endif  // STATOR_CLI_MODEL_WORK_LINE_H_
