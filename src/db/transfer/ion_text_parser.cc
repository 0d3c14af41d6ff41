#include "transfer/ion_text_parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/try.h"
#include "value/base64.h"

namespace stator::transfer {
namespace {

constexpr std::string_view kTooMuch = "a record has too many values";
constexpr std::string_view kBlanks = " \t\n\r\v\f";

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

}  // namespace

int IonTextParser::Peek(std::size_t ahead) {
  if (at_ + ahead >= text_.size()) {
    touched_end_ = true;
    return kEnd;
  }
  return static_cast<unsigned char>(text_[at_ + ahead]);
}

bool IonTextParser::StartsWith(std::string_view word) {
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (Peek(i) != static_cast<unsigned char>(word[i])) return false;
  }
  return true;
}

bool IonTextParser::Take(char c) {
  if (Peek() != static_cast<unsigned char>(c)) return false;
  ++at_;
  return true;
}

bool IonTextParser::SkipBlanks() {
  for (;;) {
    const int c = Peek();
    if (c == kEnd) return false;
    if (kBlanks.find(static_cast<char>(c)) != std::string_view::npos) {
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
    // A version marker is one only where nothing stands before it.
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
  if (c == '(') return std::unexpected("an S-expression stands for no DynamoDB type");
  if (c == kEnd) return std::unexpected("the record does not end");
  return std::unexpected("there is no Ion value");
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
      if (kBlanks.find(static_cast<char>(c)) == std::string_view::npos) {
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
