// IonTextParser: numbers and timestamps.
//
//   int       := -? ( 0 | [1-9] digits | 0x hex | 0b bits )           _ between digits
//   decimal   := -? digits ( . digits? )? ( [dD] [+-]? digits )?      with a point or a d
//   float     := -? digits ( . digits? )? [eE] [+-]? digits | +inf | -inf
//   timestamp := four digits and - or T, …
#include <cstdint>

#include "base/try.h"
#include "transfer/ion_text_parser.h"

namespace stator::transfer {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsNumeric(int c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '.' || c == '+' || c == '-' || c == ':';
}

bool IsTimestamp(std::string_view token) {
  if (token.size() < 5 || (token[4] != '-' && token[4] != 'T')) return false;
  return IsDigit(token[0]) && IsDigit(token[1]) && IsDigit(token[2]) && IsDigit(token[3]);
}

// Reads a token from its front, and writes what DynamoDB would.
class NumberReader {
 public:
  explicit NumberReader(std::string_view token) : rest_(token) {}

  // False if the token is no number.
  bool Read();
  IonType type() const { return type_; }
  std::string& text() { return text_; }

 private:
  bool ReadRadix(int bits);
  // Digits with single underscores between them; false if there is none.
  bool ReadDigits();
  bool ReadExponent();
  bool Take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view rest_;
  std::string text_;
  IonType type_ = IonType::kInt;
};

bool NumberReader::Read() {
  if (rest_ == "+inf" || rest_ == "-inf") {
    type_ = IonType::kFloat;
    text_ = rest_;
    return true;
  }
  if (Take('-')) text_.push_back('-');
  if (rest_.starts_with("0x") || rest_.starts_with("0X")) return ReadRadix(4);
  if (rest_.starts_with("0b") || rest_.starts_with("0B")) return ReadRadix(1);
  const bool begins_with_zero = rest_.starts_with('0');
  const std::size_t begin = text_.size();
  if (!ReadDigits()) return false;
  if (begins_with_zero && text_.size() - begin > 1) return false;
  if (Take('.')) {
    type_ = IonType::kDecimal;
    text_.push_back('.');
    if (!rest_.empty() && IsDigit(rest_.front()) && !ReadDigits()) return false;
  }
  return rest_.empty() || ReadExponent();
}

bool NumberReader::ReadDigits() {
  bool after_digit = false;
  while (!rest_.empty()) {
    const char c = rest_.front();
    if (IsDigit(c)) {
      text_.push_back(c);
      after_digit = true;
    } else if (c == '_' && after_digit) {
      after_digit = false;
    } else {
      break;
    }
    rest_.remove_prefix(1);
  }
  return after_digit;
}

bool NumberReader::ReadExponent() {
  if (Take('e') || Take('E')) {
    type_ = IonType::kFloat;
  } else if (Take('d') || Take('D')) {
    type_ = IonType::kDecimal;
  } else {
    return false;
  }
  text_.push_back('e');
  if (Take('-'))
    text_.push_back('-');
  else
    Take('+');
  return ReadDigits() && rest_.empty();
}

bool NumberReader::ReadRadix(int bits) {
  rest_.remove_prefix(2);
  constexpr std::size_t kDigitsMax = 512;  // of bits, far more than any number in range has
  std::string digits;
  bool after_digit = false;
  for (const char c : rest_) {
    if (c == '_' && after_digit) {
      after_digit = false;
      continue;
    }
    int digit = -1;
    if (IsDigit(c)) digit = c - '0';
    if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
    if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
    if (digit < 0 || digit >= 1 << bits) return false;
    after_digit = true;
    if (digits.empty() && digit == 0) continue;
    digits.push_back(static_cast<char>(digit));
    if (digits.size() > kDigitsMax) return false;
  }
  if (!after_digit) return false;
  // Most significant byte first.
  std::string magnitude(digits.size() * static_cast<std::size_t>(bits) / 8 + 1, '\0');
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::size_t bit = (digits.size() - 1 - i) * static_cast<std::size_t>(bits);
    char& byte = magnitude[magnitude.size() - 1 - bit / 8];
    byte = static_cast<char>(byte | digits[i] << bit % 8);
  }
  const IonResult<std::string> text = DecimalDigits(magnitude);
  if (!text) return false;
  text_.append(*text);
  return true;
}

}  // namespace

IonResult<IonValue> IonTextParser::Numeric() {
  const std::size_t begin = at_;
  while (IsNumeric(Peek())) ++at_;
  const std::string_view token = text_.substr(begin, at_ - begin);
  if (IsTimestamp(token)) return Make(IonType::kTimestamp, std::string(token));
  NumberReader reader(token);
  if (!reader.Read()) return std::unexpected("a number is malformed");
  return Make(reader.type(), std::move(reader.text()));
}

}  // namespace stator::transfer
