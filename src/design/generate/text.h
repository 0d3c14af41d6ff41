// Text in other languages. What a model holds stays data: it is quoted by the rules of the language.
#ifndef STATOR_GENERATE_TEXT_H_
#define STATOR_GENERATE_TEXT_H_

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stator::model {

std::string JsonText(std::string_view text);     // also a literal of TypeScript and YAML
std::string HclText(std::string_view text);      // without ${interpolation}
std::string YamlText(std::string_view text);     // quoted only where YAML needs it
std::string ShellWord(std::string_view text);    // quoted only where a shell needs it
std::string CppText(std::string_view text);      // a literal of C++
std::string XmlText(std::string_view text);      // content or attribute of an element
std::string CommentText(std::string_view text);  // one line, fit for a comment

using Quote = std::string (*)(std::string_view);

// The texts, each quoted by `quote`, with `between` between them.
std::string Joined(const std::vector<std::string>& texts, std::string_view between, Quote quote);
// … in brackets: `["a", "b"]`.
std::string ListText(const std::vector<std::string>& texts, Quote quote);

// Text out, line by line, with indentation.
class Lines {
 public:
  explicit Lines(std::size_t indent_width = 2) : indent_width_(indent_width) {}

  void Add(std::string_view line) {
    if (!line.empty()) out_.append(depth_ * indent_width_, ' ');
    out_ += line;
    out_ += '\n';
  }
  // Adds a line; the lines that follow are indented further, until Close.
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

// JSON for people: what fits on a line stays on it, everything else is indented.
struct JsonLayout {
  std::size_t columns = 80;  // of a value that stays on its line, indentation not counted
  std::size_t indent = 0;    // of every line but the first
  bool open_root = true;     // the outermost value is never on one line
};

// REQUIRES: valid JSON. No newline at the end.
std::string LayOutJson(std::string_view json, const JsonLayout& layout = {});

}  // namespace stator::model

#endif  // STATOR_GENERATE_TEXT_H_
