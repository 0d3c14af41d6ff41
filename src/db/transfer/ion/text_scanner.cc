#include "transfer/ion/text_scanner.h"

#include <algorithm>

#include "base/try.h"

namespace stator::transfer {
namespace {

constexpr std::uint32_t kCodePointMax = 0x10FFFF;

bool IsHighSurrogate(std::uint32_t c) { return c >= 0xD800 && c <= 0xDBFF; }
bool IsLowSurrogate(std::uint32_t c) { return c >= 0xDC00 && c <= 0xDFFF; }

// REQUIRES: a code point that is not a surrogate.
void AppendUtf8(std::string& out, std::uint32_t c) {
  if (c < 0x80) {
    out.push_back(static_cast<char>(c));
    return;
  }
  const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  constexpr std::uint32_t kFirst[] = {0, 0xC0, 0xE0, 0xF0};
  out.push_back(static_cast<char>(kFirst[more] | c >> (6 * more)));
  for (int left = more - 1; left >= 0; --left) {
    out.push_back(static_cast<char>(0x80 | (c >> (6 * left) & 0x3F)));
  }
}

// The character that a one-letter escape stands for; nothing for other letters.
std::optional<char> SimpleEscape(int letter) {
  switch (letter) {
    case '0':
      return '\0';
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 't':
      return '\t';
    case 'n':
      return '\n';
    case 'f':
      return '\f';
    case 'r':
      return '\r';
    case 'v':
      return '\v';
    case '"':
    case '\'':
    case '?':
    case '\\':
    case '/':
      return static_cast<char>(letter);
    default:
      return std::nullopt;
  }
}

bool IsControl(int c) { return c < 0x20 && c != '\t' && c != '\v' && c != '\f'; }

}  // namespace

int IonTextScanner::Peek(std::size_t ahead) {
  if (at_ + ahead >= text_.size()) {
    touched_end_ = true;
    return kEnd;
  }
  return static_cast<unsigned char>(text_[at_ + ahead]);
}

bool IonTextScanner::StartsWith(std::string_view word) {
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (Peek(i) != static_cast<unsigned char>(word[i])) return false;
  }
  return true;
}

bool IonTextScanner::Take(char c) {
  if (Peek() != static_cast<unsigned char>(c)) return false;
  ++at_;
  return true;
}

bool IonTextScanner::SkipBlanks() {
  for (;;) {
    const int c = Peek();
    if (c == kEnd) return false;
    if (IsIonBlank(c)) {
      ++at_;
    } else if (StartsWith("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (StartsWith("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) {
        touched_end_ = true;
        return false;
      }
      at_ = end + 2;
    } else {
      return true;
    }
  }
}

std::optional<std::uint32_t> IonTextScanner::HexDigits(int count) {
  std::uint32_t value = 0;
  for (int i = 0; i < count; ++i) {
    const int c = Peek();
    int digit = -1;
    if (c >= '0' && c <= '9') digit = c - '0';
    if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
    if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
    if (digit < 0) return std::nullopt;
    value = value << 4 | static_cast<std::uint32_t>(digit);
    ++at_;
  }
  return value;
}

// Behind the backslash.
IonResult<void> IonTextScanner::Escape(std::string& out) {
  const int letter = Peek();
  if (letter == kEnd) return std::unexpected("a string does not end");
  ++at_;
  if (const std::optional<char> c = SimpleEscape(letter)) {
    out.push_back(*c);
    return {};
  }
  // An escaped line break is not part of the string.
  if (letter == '\n') return {};
  if (letter == '\r') {
    Take('\n');
    return {};
  }
  const int digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
  if (digits == 0) return std::unexpected("a string has an unknown escape");
  std::optional<std::uint32_t> c = HexDigits(digits);
  if (c && IsHighSurrogate(*c) && StartsWith("\\u")) {
    at_ += 2;
    const std::optional<std::uint32_t> low = HexDigits(4);
    if (!low || !IsLowSurrogate(*low)) return std::unexpected("a string has half a surrogate pair");
    c = 0x10000 + ((*c - 0xD800) << 10) + (*low - 0xDC00);
  }
  if (!c || *c > kCodePointMax || IsHighSurrogate(*c) || IsLowSurrogate(*c)) {
    return std::unexpected("a string has an escape that is not a character");
  }
  AppendUtf8(out, *c);
  return {};
}

IonResult<std::string> IonTextScanner::Quoted(char quote) {
  std::string out;
  for (;;) {
    const int c = Peek();
    if (c == kEnd) return std::unexpected("a string does not end");
    if (IsControl(c)) return std::unexpected("a string has a line break or a control character");
    ++at_;
    if (c == quote) return out;
    if (c == '\\') {
      RETURN_IF_ERROR(Escape(out));
    } else {
      out.push_back(static_cast<char>(c));
    }
  }
}

IonResult<std::string> IonTextScanner::LongStrings() {
  std::string out;
  std::size_t end = at_;
  do {
    at_ += 3;
    RETURN_IF_ERROR(LongString(out));
    end = at_;
  } while (SkipBlanks() && StartsWith("'''"));
  at_ = end;
  return out;
}

IonResult<void> IonTextScanner::LongString(std::string& out) {
  for (;;) {
    const int c = Peek();
    if (c == kEnd) return std::unexpected("a string does not end");
    if (c == '\'' && StartsWith("'''")) {
      at_ += 3;
      return {};
    }
    if (IsControl(c) && c != '\n' && c != '\r') {
      return std::unexpected("a string has a control character");
    }
    ++at_;
    if (c == '\\') {
      RETURN_IF_ERROR(Escape(out));
    } else if (c == '\r') {
      // All line breaks are one character.
      Take('\n');
      out.push_back('\n');
    } else {
      out.push_back(static_cast<char>(c));
    }
  }
}

}  // namespace stator::transfer
