#include "generate/json_layout.h"

#include <vector>

namespace stator::model {
namespace {

// The end of the string that starts at `at`.
std::size_t StringEnd(std::string_view json, std::size_t at) {
  for (++at; at < json.size() && json[at] != '"'; ++at) {
    if (json[at] == '\\') ++at;
  }
  return at + 1;
}

bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// For each bracket that opens: the length of its value on one line.
std::vector<std::size_t> InlineLengths(std::string_view json) {
  std::vector<std::size_t> lengths(json.size(), 0);
  std::vector<std::pair<std::size_t, std::size_t>> open;  // where, and the length before it
  std::size_t length = 0;
  for (std::size_t at = 0; at < json.size();) {
    const char c = json[at];
    if (c == '"') {
      const std::size_t end = StringEnd(json, at);
      length += end - at;
      at = end;
      continue;
    }
    if (c == '{' || c == '[') open.emplace_back(at, length);
    if (!IsSpace(c)) length += c == ',' || c == ':' ? 2 : 1;
    if ((c == '}' || c == ']') && !open.empty()) {
      lengths[open.back().first] = length - open.back().second;
      open.pop_back();
    }
    ++at;
  }
  return lengths;
}

class Layouter {
 public:
  Layouter(std::string_view json, const JsonLayout& layout)
      : json_(json), layout_(layout), lengths_(InlineLengths(json)) {}

  std::string Run() {
    while (at_ < json_.size()) Step();
    return std::move(out_);
  }

 private:
  void Step() {
    const char c = json_[at_];
    if (c == '"') {
      const std::size_t end = StringEnd(json_, at_);
      out_ += json_.substr(at_, end - at_);
      at_ = end;
      return;
    }
    ++at_;
    if (IsSpace(c)) return;
    switch (c) {
      case '{':
      case '[':
        Open(c);
        break;
      case '}':
      case ']':
        Close(c);
        break;
      case ',':
        Separate();
        break;
      case ':':
        out_ += ": ";
        break;
      default:
        out_ += c;
    }
  }

  void Open(char c) {
    const bool outermost = broken_.empty() && layout_.open_root;
    const bool inside_inline = !broken_.empty() && !broken_.back();
    const std::size_t length = lengths_[at_ - 1];
    broken_.push_back(!inside_inline && length > 2 && (outermost || length > layout_.columns));
    out_ += c;
    if (broken_.back()) {
      ++depth_;
      NewLine();
    }
  }

  void Close(char c) {
    if (broken_.back()) {
      --depth_;
      NewLine();
    }
    broken_.pop_back();
    out_ += c;
  }

  void Separate() {
    out_ += ',';
    if (!broken_.empty() && broken_.back()) {
      NewLine();
    } else {
      out_ += ' ';
    }
  }

  void NewLine() {
    out_ += '\n';
    out_.append(layout_.indent + 2 * depth_, ' ');
  }

  std::string_view json_;
  JsonLayout layout_;
  std::vector<std::size_t> lengths_;
  std::vector<bool> broken_;
  std::string out_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

std::string LayOutJson(std::string_view json, const JsonLayout& layout) {
  return Layouter(json, layout).Run();
}

}  // namespace stator::model
