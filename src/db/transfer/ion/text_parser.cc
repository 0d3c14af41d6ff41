#include "transfer/ion/text_parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "base/try.h"
#include "value/base64.h"

namespace stator::transfer {
namespace {

constexpr std::string_view kTooMuch = "a record has too many values";

bool IsIdentifierStart(int c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool IsDigit(int c) { return c >= '0' && c <= '9'; }

// $10, which is an id; nothing for any other identifier.
std::optional<std::uint64_t> SymbolId(std::string_view word) {
  std::uint64_t id = 0;
  if (word.size() < 2 || word.front() != '$' || !IsDigit(word[1])) return std::nullopt;
  const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), id);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return id;
}

struct TypedNull {
  std::string_view name;
  IonType type;
};
constexpr std::array kNullTypes = {
    TypedNull{"null", IonType::kNull},       TypedNull{"bool", IonType::kBool},
    TypedNull{"int", IonType::kInt},         TypedNull{"float", IonType::kFloat},
    TypedNull{"decimal", IonType::kDecimal}, TypedNull{"timestamp", IonType::kTimestamp},
    TypedNull{"symbol", IonType::kSymbol},   TypedNull{"string", IonType::kString},
    TypedNull{"clob", IonType::kClob},       TypedNull{"blob", IonType::kBlob},
    TypedNull{"list", IonType::kList},       TypedNull{"sexp", IonType::kSexp},
    TypedNull{"struct", IonType::kStruct},
};

bool IsNumeric(int c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '.' || c == '+' || c == '-' || c == ':';
}

bool IsTimestampText(std::string_view token) {
  if (token.size() < 5 || (token[4] != '-' && token[4] != 'T')) return false;
  return IsDigit(token[0]) && IsDigit(token[1]) && IsDigit(token[2]) && IsDigit(token[3]);
}

// Reads a token from its front, and writes it in DynamoDB's grammar of numbers.
class NumberReader {
 public:
  explicit NumberReader(std::string_view token) : rest_(token) {}

  // False if the token is not a number.
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

IonResult<IonValue> IonTextParser::Make(IonType type, std::string text) {
  if (!budget_.TakeValue() || !budget_.TakeBytes(text.size())) {
    return std::unexpected(std::string(kTooMuch));
  }
  IonValue value;
  value.type = type;
  value.is_null = false;
  value.text = std::move(text);
  return value;
}

bool IonTextParser::TakeDoubleColon() {
  const std::size_t before = at_;
  if (SkipBlanks() && StartsWith("::")) {
    at_ += 2;
    return true;
  }
  at_ = before;
  return false;
}

IonResult<IonValue> IonTextParser::Annotated(int depth) {
  std::string annotation;
  for (bool first = true;; first = false) {
    ASSIGN_OR_RETURN(IonValue value, Unannotated(depth));
    if (value.type == IonType::kSymbol && !value.is_null && TakeDoubleColon()) {
      if (first) annotation = std::move(value.text);
      if (!SkipBlanks()) return std::unexpected("the record ends behind an annotation");
      continue;
    }
    value.annotation = std::move(annotation);
    // A version marker has no annotation.
    value.is_bare_symbol = value.is_bare_symbol && first;
    return value;
  }
}

IonResult<IonValue> IonTextParser::Unannotated(int depth) {
  const int c = Peek();
  if (c == '[') return List(depth);
  if (c == '{') return Braced(depth);
  if (c == '"') {
    ++at_;
    ASSIGN_OR_RETURN(std::string text, Quoted('"'));
    return Make(IonType::kString, std::move(text));
  }
  if (StartsWith("'''")) {
    ASSIGN_OR_RETURN(std::string text, LongStrings());
    return Make(IonType::kString, std::move(text));
  }
  if (c == '\'') {
    ++at_;
    ASSIGN_OR_RETURN(std::string text, Quoted('\''));
    return Make(IonType::kSymbol, std::move(text));
  }
  if (IsDigit(c) || c == '-' || c == '+') return Numeric();
  if (IsIdentifierStart(c)) return Word(Identifier());
  if (c == '(') return std::unexpected("DynamoDB has no type for an S-expression");
  if (c == kEnd) return std::unexpected("the record does not end");
  return std::unexpected("no Ion value begins here");
}

IonResult<IonValue> IonTextParser::Numeric() {
  const std::size_t begin = at_;
  while (IsNumeric(Peek())) ++at_;
  const std::string_view token = text_.substr(begin, at_ - begin);
  if (IsTimestampText(token)) return Make(IonType::kTimestamp, std::string(token));
  NumberReader reader(token);
  if (!reader.Read()) return std::unexpected("a number is malformed");
  return Make(reader.type(), std::move(reader.text()));
}

std::string_view IonTextParser::Identifier() {
  const std::size_t begin = at_;
  while (IsIdentifierStart(Peek()) || IsDigit(Peek())) ++at_;
  return text_.substr(begin, at_ - begin);
}

IonResult<std::string> IonTextParser::SymbolText(std::string_view identifier) {
  if (const std::optional<std::uint64_t> id = SymbolId(identifier)) {
    ASSIGN_OR_RETURN(const std::string_view text, symbols_.Text(*id));
    return std::string(text);
  }
  return std::string(identifier);
}

IonResult<IonValue> IonTextParser::Word(std::string_view word) {
  if (word == "null") return Null();
  if (word == "true" || word == "false") {
    ASSIGN_OR_RETURN(IonValue value, Make(IonType::kBool, {}));
    value.boolean = word == "true";
    return value;
  }
  if (word == "nan") return Make(IonType::kFloat, "nan");
  ASSIGN_OR_RETURN(std::string text, SymbolText(word));
  ASSIGN_OR_RETURN(IonValue value, Make(IonType::kSymbol, std::move(text)));
  value.is_bare_symbol = true;
  return value;
}

IonResult<IonValue> IonTextParser::Null() {
  ASSIGN_OR_RETURN(IonValue value, Make(IonType::kNull, {}));
  value.is_null = true;
  if (!Take('.')) return value;
  const std::string_view name = Identifier();
  for (const TypedNull& typed : kNullTypes) {
    if (typed.name == name) {
      value.type = typed.type;
      return value;
    }
  }
  return std::unexpected("a null has an unknown type");
}

IonResult<IonValue> IonTextParser::List(int depth) {
  if (depth >= kIonDepthMax) return std::unexpected("a value is nested too deep");
  ASSIGN_OR_RETURN(IonValue list, Make(IonType::kList, {}));
  ++at_;
  for (;;) {
    if (!SkipBlanks()) return std::unexpected("a list does not end");
    if (Take(']')) return list;
    ASSIGN_OR_RETURN(IonValue element, Annotated(depth + 1));
    list.elements.push_back(std::move(element));
    if (!SkipBlanks()) return std::unexpected("a list does not end");
    if (!Take(',') && Peek() != ']') return std::unexpected("a list has no comma");
  }
}

IonResult<std::string> IonTextParser::FieldName() {
  if (StartsWith("'''")) return LongStrings();
  if (Take('\'')) return Quoted('\'');
  if (Take('"')) return Quoted('"');
  const std::string_view word = Identifier();
  if (word.empty()) return std::unexpected("a struct has a field without a name");
  if (word == "null" || word == "true" || word == "false" || word == "nan") {
    return std::unexpected("the name of a field is a keyword");
  }
  return SymbolText(word);
}

IonResult<IonValue> IonTextParser::Braced(int depth) {
  if (StartsWith("{{")) return Lob();
  return Struct(depth);
}

IonResult<IonValue> IonTextParser::Struct(int depth) {
  if (depth >= kIonDepthMax) return std::unexpected("a value is nested too deep");
  ASSIGN_OR_RETURN(IonValue fields, Make(IonType::kStruct, {}));
  ++at_;
  for (;;) {
    if (!SkipBlanks()) return std::unexpected("a struct does not end");
    if (Take('}')) return fields;
    ASSIGN_OR_RETURN(std::string name, FieldName());
    if (!budget_.TakeBytes(name.size())) return std::unexpected(std::string(kTooMuch));
    if (!SkipBlanks() || !Take(':')) return std::unexpected("a field has no colon");
    if (!SkipBlanks()) return std::unexpected("a struct does not end");
    ASSIGN_OR_RETURN(IonValue value, Annotated(depth + 1));
    value.name = std::move(name);
    fields.elements.push_back(std::move(value));
    if (!SkipBlanks()) return std::unexpected("a struct does not end");
    if (!Take(',') && Peek() != '}') return std::unexpected("a struct has no comma");
  }
}

IonResult<IonValue> IonTextParser::Lob() {
  at_ += 2;
  // No comments in here: a slash belongs to base64.
  std::string base64;
  IonType type = IonType::kBlob;
  for (;;) {
    const int c = Peek();
    if (c == kEnd) return std::unexpected("a blob does not end");
    if (c == '}') break;
    if (c == '"' || c == '\'') {
      type = IonType::kClob;
      ++at_;
      RETURN_IF_ERROR(Quoted(static_cast<char>(c)));
    } else {
      if (!IsIonBlank(c)) {
        base64.push_back(static_cast<char>(c));
      }
      ++at_;
    }
  }
  if (!StartsWith("}}")) return std::unexpected("a blob does not end");
  at_ += 2;
  std::string bytes;
  if (type == IonType::kBlob && AppendBase64Decoded(bytes, base64) != Base64Status::kOk) {
    return std::unexpected("a blob is not valid base64");
  }
  return Make(type, std::move(bytes));
}

}  // namespace stator::transfer
