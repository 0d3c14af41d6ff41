#include "generate/text.h"

#include <array>
#include <cctype>

#include "value/json_text.h"

namespace stator::model {
namespace {

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == '/';
}

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Words that YAML 1.1 or 1.2 does not read as text.
bool IsYamlKeyword(std::string_view text) {
  static constexpr std::array<std::string_view, 10> kWords = {
      "true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan"};
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::find(kWords, lower) != kWords.end();
}

void ReplaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

void AppendOctal(std::string& out, unsigned char byte) {
  out += '\\';
  out += static_cast<char>('0' + (byte >> 6U));
  out += static_cast<char>('0' + ((byte >> 3U) & 7U));
  out += static_cast<char>('0' + (byte & 7U));
}

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

std::string JsonText(std::string_view text) {
  std::string out = "\"";
  AppendJsonEscaped(out, text);
  return out + '"';
}

std::string HclText(std::string_view text) {
  std::string out = JsonText(text);
  ReplaceAll(out, "${", "$${");
  ReplaceAll(out, "%{", "%%{");
  return out;
}

std::string YamlText(std::string_view text) {
  const bool plain = !text.empty() && IsLetter(text[0]) && std::ranges::all_of(text, IsWordByte) &&
                     !IsYamlKeyword(text);
  return plain ? std::string(text) : JsonText(text);
}

std::string ShellWord(std::string_view text) {
  const auto plain = [](char c) { return IsWordByte(c) || c == '=' || c == ',' || c == ':'; };
  if (!text.empty() && std::ranges::all_of(text, plain)) return std::string(text);
  std::string out(text);
  ReplaceAll(out, "'", "'\\''");
  return "'" + out + "'";
}

std::string CppText(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      AppendOctal(out, byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string XmlText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        // XML 1.0 cannot express most control characters.
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string CommentText(std::string_view text) {
  std::string out(text);
  std::ranges::replace_if(
      out, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\\'; }, ' ');
  ReplaceAll(out, "*/", "* /");
  return out;
}

std::string Joined(const std::vector<std::string>& texts, std::string_view between, Quote quote) {
  std::string out;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) out += between;
    out += quote(texts[i]);
  }
  return out;
}

std::string ListText(const std::vector<std::string>& texts, Quote quote) {
  return "[" + Joined(texts, ", ", quote) + "]";
}

std::string LayOutJson(std::string_view json, const JsonLayout& layout) {
  return Layouter(json, layout).Run();
}

}  // namespace stator::model
