// Text out, line by line, with indentation.
#ifndef STATOR_GENERATE_LINES_H_
#define STATOR_GENERATE_LINES_H_

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace stator::model {

class Lines {
 public:
  explicit Lines(std::size_t indent_width = 2) : indent_width_(indent_width) {}

  void Add(std::string_view line) {
    if (!line.empty()) out_.append(depth_ * indent_width_, ' ');
    out_ += line;
    out_ += '\n';
  }
  // Adds a line; those that follow stand deeper, until Close.
  void Open(std::string_view line) {
    Add(line);
    ++depth_;
  }
  void Close(std::string_view line) {
    Leave();
    Add(line);
  }
  // Ends what Open began where the language needs no closing line.
  void Leave() { depth_ -= std::min<std::size_t>(depth_, 1); }
  void Blank() { out_ += '\n'; }
  // Several lines at once, as they are.
  void Raw(std::string_view text) { out_ += text; }
  std::string Take() { return std::move(out_); }

 private:
  std::string out_;
  std::size_t depth_ = 0;
  std::size_t indent_width_;
};

}  // namespace stator::model

#endif  // STATOR_GENERATE_LINES_H_
