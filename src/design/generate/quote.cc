#include "generate/quote.h"

#include <algorithm>
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

// Words that YAML 1.1 or 1.2 reads as something else than text.
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
        // XML 1.0 has no way to say most control characters.
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

std::string ListText(const std::vector<std::string>& texts,
                     std::string (*quote)(std::string_view)) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + quote(text);
  return "[" + out + "]";
}

}  // namespace stator::model
