// What programs print for people: tables of text, and how far long work has come.
#ifndef STATOR_SYSTEMS_PROGRAM_OUTPUT_H_
#define STATOR_SYSTEMS_PROGRAM_OUTPUT_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stator::systems {

// Rows of text in columns. The first row is the head. Columns are as wide as their widest cell, in
// characters.
std::string TextTable(const std::vector<std::vector<std::string>>& rows);

// Prints a line at once, also into a pipe.
void PrintLine(std::string_view line);

// Tells on standard error how to read the next page, after the items on standard output, so that
// those can be piped on. Prints nothing on the last page, whose cursor is empty.
void PrintCursor(std::string_view cursor);

// A line on standard error that replaces itself; nothing if that is not a terminal. Used by one
// thread at a time.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { Clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Ten times per second at most; what comes in between is not shown.
  void Show(std::string_view text);
  // Removes the line, so that another one can be printed.
  void Clear();

 private:
  bool is_terminal_;
  bool is_shown_ = false;
  std::chrono::steady_clock::time_point shown_at_;
};

// "filling GSI3  [############........]  1200 of 2000"; without a total "filling GSI3  1200 items".
std::string ProgressText(std::string_view task, std::int64_t done, std::int64_t total);

}  // namespace stator::systems

#endif  // STATOR_SYSTEMS_PROGRAM_OUTPUT_H_
