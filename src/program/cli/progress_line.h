// A line on stderr that tells how far long work has come.
//
//   [############----------------]  43%  12345 items
#ifndef STATOR_CLI_PROGRESS_LINE_H_
#define STATOR_CLI_PROGRESS_LINE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stator::cli {

struct Progress {
  std::int64_t done = 0;
  std::optional<std::int64_t> total;  // unknown: there is no bar
  std::string text;
};

std::string ProgressText(const Progress& progress);

// On a terminal the line is written again and again; elsewhere there is none.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void Show(const Progress& progress);

 private:
  const bool is_terminal_;
  std::string shown_;
};

}  // namespace stator::cli

#endif  // STATOR_CLI_PROGRESS_LINE_H_
