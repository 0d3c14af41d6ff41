#include "model/plan/request_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/lexer.h"
#include "expr/projection.h"
#include "model/names.h"

namespace stator::model {
namespace {

constexpr int kMaxMends = 16;
constexpr std::string_view kReserved = "Attribute name is a reserved keyword; reserved keyword: ";

AttributeValue SampleOf(Type type) {
  switch (type) {
    case Type::kN:
      return AttributeValue::Number("1");
    case Type::kB:
      return AttributeValue::Binary("x");
    case Type::kBool:
      return AttributeValue::Bool(true);
    case Type::kNull:
      return AttributeValue::Null();
    case Type::kM:
      return AttributeValue::Map({});
    case Type::kL:
      return AttributeValue::List({});
    case Type::kSS:
      return AttributeValue::StringSet({"x"});
    case Type::kNS:
      return AttributeValue::NumberSet({"1"});
    case Type::kBS:
      return AttributeValue::BinarySet({"x"});
    default:
      return AttributeValue::String("x");
  }
}

// Sample values for a request whose values the model does not list: one of the types tried fits
// most expressions.
ValueMap GuessedValues(std::string_view text, Type type) {
  ValueMap values;
  for (const Token& token : Tokenize(text)) {
    if (token.kind != TokenKind::kValue) continue;
    if (std::ranges::find(values, token.text, &ValueMap::value_type::first) == values.end()) {
      values.emplace_back(token.text, SampleOf(type));
    }
  }
  return values;
}

template <class T>
std::optional<std::string> MessageOf(const Result<T>& result) {
  if (result) return std::nullopt;
  std::string message = result.error().message();
  const std::size_t colon = message.find("Expression: ");
  return colon == std::string::npos ? message : message.substr(colon + 12);
}

bool Adjacent(const Token& a, const Token& b) {
  return a.text.data() + a.text.size() == b.text.data();
}

std::size_t OffsetOf(std::string_view text, const Token& token) {
  return static_cast<std::size_t>(token.text.data() - text.data());
}

bool IsSection(std::string_view word) {
  std::string upper(word);
  std::ranges::transform(upper, upper.begin(), [](char c) {
    return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  });
  return upper == "SET" || upper == "REMOVE" || upper == "ADD" || upper == "DELETE";
}

// A name that begins with a digit or an underscore, as the lexer splits it.
std::optional<std::string_view> OddName(std::string_view text, const std::vector<Token>& tokens) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool indexed = i > 0 && tokens[i - 1].text == "[";
    const bool digits = tokens[i].kind == TokenKind::kDigits && !indexed;
    if (!digits && tokens[i].text != "_") continue;
    std::size_t end = i;
    while (end + 1 < tokens.size() && Adjacent(tokens[end], tokens[end + 1]) &&
           (tokens[end + 1].kind == TokenKind::kIdentifier ||
            tokens[end + 1].kind == TokenKind::kDigits || tokens[end + 1].text == "_")) {
      ++end;
    }
    const std::size_t begin = OffsetOf(text, tokens[i]);
    return text.substr(begin, OffsetOf(text, tokens[end]) + tokens[end].text.size() - begin);
  }
  return std::nullopt;
}

struct ValueWord {
  std::string_view word;
  Type type;
};

constexpr std::array<ValueWord, 16> kValueWords = {{{"str", Type::kS},
                                                    {"num", Type::kN},
                                                    {"bin", Type::kB},
                                                    {"bool", Type::kBool},
                                                    {"null", Type::kNull},
                                                    {"map", Type::kM},
                                                    {"emptymap", Type::kM},
                                                    {"list", Type::kL},
                                                    {"emptylist", Type::kL},
                                                    {"strset", Type::kSS},
                                                    {"numset", Type::kNS},
                                                    {"binset", Type::kBS},
                                                    {"emptyset", Type::kSS},
                                                    {"emptystrset", Type::kSS},
                                                    {"emptynumset", Type::kNS},
                                                    {"emptybinset", Type::kBS}}};

std::optional<Type> TypeOfValueWord(std::string_view word) {
  const auto it = std::ranges::find(kValueWords, word, &ValueWord::word);
  if (it == kValueWords.end()) return std::nullopt;
  return it->type;
}

// One request's expressions against the grammar. A mistake that can be repaired is, so that those
// behind it show too.
class ExpressionCheck {
 public:
  // Both must outlive it.
  ExpressionCheck(const Code& code, CodeReport& report);

  // Nothing for an empty text.
  void Run(ExpressionKind kind, std::string_view text);
  // Placeholders that are given and not used; call it last.
  void RunUnused();

 private:
  // The error of the text as it is now; nothing when it parses.
  std::optional<std::string> Parse(ExpressionKind kind, const std::string& text);
  std::optional<std::string> ParseWith(ExpressionKind kind, const std::string& text,
                                       const ValueMap& values);
  // Reports the error. Returns the text without it, if it can be repaired.
  std::optional<std::string> Mend(ExpressionKind kind, const std::string& text,
                                  const std::string& error);
  std::optional<std::string> MendName(ExpressionKind kind, const std::string& text,
                                      std::string_view name, const std::string& error);
  std::optional<std::string> MendSyntax(ExpressionKind kind, const std::string& text,
                                        const std::string& error);
  void Report(CodeProblem::Kind problem, ExpressionKind kind, std::string message, std::string fix);
  void AddMissingNames(std::string_view text);

  const Code& code_;
  CodeReport& report_;
  NameMap names_;
  ValueMap values_;
  std::vector<std::pair<ExpressionKind, std::string>> parsed_;
  int aliases_ = 0;
};

ExpressionCheck::ExpressionCheck(const Code& code, CodeReport& report)
    : code_(code), report_(report), names_(code.names.begin(), code.names.end()) {
  for (const auto& [placeholder, word] : code.values) {
    values_.emplace_back(placeholder, SampleOf(TypeOfValue(code, placeholder).value_or(Type::kS)));
  }
}

void ExpressionCheck::Report(CodeProblem::Kind problem, ExpressionKind kind, std::string message,
                             std::string fix) {
  report_.problems.push_back(
      {problem, std::string(ExpressionName(kind)), std::move(message), std::move(fix)});
}

void ExpressionCheck::AddMissingNames(std::string_view text) {
  if (!code_.names.empty()) return;
  for (const Token& token : Tokenize(text)) {
    if (token.kind != TokenKind::kName) continue;
    if (std::ranges::find(names_, token.text, &NameMap::value_type::first) != names_.end())
      continue;
    names_.emplace_back(token.text, token.text.substr(1));
  }
}

void ExpressionCheck::Run(ExpressionKind kind, std::string_view text) {
  if (text.empty()) return;
  AddMissingNames(text);
  std::string now(text);
  for (int mends = 0; mends < kMaxMends; ++mends) {
    const std::optional<std::string> error = Parse(kind, now);
    if (!error) {
      parsed_.emplace_back(kind, now);
      return;
    }
    std::optional<std::string> mended = Mend(kind, now, *error);
    if (!mended) return;
    now = *std::move(mended);
  }
}

std::optional<std::string> ExpressionCheck::Parse(ExpressionKind kind, const std::string& text) {
  if (!code_.values.empty()) return ParseWith(kind, text, values_);
  std::optional<std::string> error;
  for (const Type type : {Type::kN, Type::kS, Type::kL, Type::kSS}) {
    error = ParseWith(kind, text, GuessedValues(text, type));
    if (!error || !error->starts_with("Incorrect operand type")) return error;
  }
  return std::nullopt;
}

std::optional<std::string> ExpressionCheck::ParseWith(ExpressionKind kind, const std::string& text,
                                                      const ValueMap& values) {
  Placeholders placeholders(&names_, &values, Wording::kCurrent);
  switch (kind) {
    case ExpressionKind::kUpdate: {
      const Result<Update> update = Update::Parse(text, placeholders);
      if (update) report_.targets = update->targets();
      return MessageOf(update);
    }
    case ExpressionKind::kKeyCondition:
      return MessageOf(ParseKeyCondition(text, placeholders));
    case ExpressionKind::kProjection:
      return MessageOf(stator::Projection::Parse(text, placeholders));
    case ExpressionKind::kCondition:
    case ExpressionKind::kFilter:
      return MessageOf(Condition::Parse(text, kind, placeholders));
  }
  return std::nullopt;
}

std::optional<std::string> ExpressionCheck::Mend(ExpressionKind kind, const std::string& text,
                                                 const std::string& error) {
  if (error.starts_with(kReserved)) {
    return MendName(kind, text, std::string_view(error).substr(kReserved.size()), error);
  }
  if (error.starts_with("Syntax error")) return MendSyntax(kind, text, error);
  if (error.starts_with("Two document paths")) {
    Report(CodeProblem::Kind::kOverlap, kind, error,
           "two updates, or one path; every right-hand side sees the item as it was before");
    return std::nullopt;
  }
  if (error.starts_with("Incorrect operand type")) {
    Report(CodeProblem::Kind::kMismatch, kind, error,
           "a value of the type that the operator takes");
    return std::nullopt;
  }
  Report(CodeProblem::Kind::kInvalid, kind, error, "mend the expression");
  return std::nullopt;
}

std::optional<std::string> ExpressionCheck::MendName(ExpressionKind kind, const std::string& text,
                                                     std::string_view name,
                                                     const std::string& error) {
  const std::string fix = fmt::format("an alias: #{}, names: {{\"#{}\": {}}}", name, name, name);
  const std::vector<Token> tokens = Tokenize(text);
  std::string mended = text;
  const std::string alias = fmt::format("#stator_{}", aliases_++);
  // From the back, so that the places of earlier tokens stay.
  for (std::size_t i = tokens.size(); i-- > 0;) {
    const bool called = i + 1 < tokens.size() && tokens[i + 1].text == "(";
    const bool bare = tokens[i].kind == TokenKind::kIdentifier && tokens[i].text == name && !called;
    if (bare) mended.replace(OffsetOf(text, tokens[i]), name.size(), alias);
  }
  Report(CodeProblem::Kind::kName, kind, error, fix);
  if (mended == text) return std::nullopt;
  names_.emplace_back(alias, name);
  return mended;
}

std::optional<std::string> ExpressionCheck::MendSyntax(ExpressionKind kind, const std::string& text,
                                                       const std::string& error) {
  const std::vector<Token> tokens = Tokenize(text);
  if (kind == ExpressionKind::kUpdate) {
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      if (!IsSection(tokens[i].text) || tokens[i].text != tokens[i + 1].text) continue;
      Report(
          CodeProblem::Kind::kInvalid, kind,
          fmt::format("{} {}: the keyword stands twice. {}", tokens[i].text, tokens[i].text, error),
          fmt::format("one {}", tokens[i].text));
      std::string mended = text;
      mended.erase(OffsetOf(text, tokens[i]), tokens[i].text.size());
      return mended;
    }
  }
  if (const std::optional<std::string_view> name = OddName(text, tokens)) {
    const std::string alias = fmt::format("#stator_{}", aliases_++);
    Report(CodeProblem::Kind::kName, kind,
           fmt::format("{} begins with no letter. {}", *name, error),
           fmt::format("an alias: #n{}, names: {{\"#n{}\": \"{}\"}}", *name, *name, *name));
    std::string mended = text;
    mended.replace(static_cast<std::size_t>(name->data() - text.data()), name->size(), alias);
    names_.emplace_back(alias, *name);
    return mended;
  }
  Report(CodeProblem::Kind::kInvalid, kind, error, "mend the expression");
  return std::nullopt;
}

void ExpressionCheck::RunUnused() {
  if (!report_.problems.empty() || parsed_.empty()) return;
  Placeholders placeholders(code_.names.empty() ? nullptr : &names_,
                            code_.values.empty() ? nullptr : &values_, Wording::kCurrent);
  for (const auto& [kind, text] : parsed_) {
    for (const Token& token : Tokenize(text)) {
      if (token.kind == TokenKind::kName) placeholders.UseName(token.text);
      if (token.kind == TokenKind::kValue) placeholders.UseValue(token.text);
    }
  }
  if (const Result<void> unused = placeholders.CheckUnused(); !unused) {
    Report(CodeProblem::Kind::kInvalid, parsed_.front().first, unused.error().message(),
           "leave out what no expression uses");
  }
}

}  // namespace

bool IsEmptySet(const std::string& value_word) {
  return value_word.starts_with("empty") && value_word.ends_with("set");
}

std::optional<Type> TypeOfValue(const Code& code, const std::string& placeholder) {
  const auto it = code.values.find(placeholder);
  return it == code.values.end() ? std::nullopt : TypeOfValueWord(it->second);
}

CodeReport ReadCode(const Code& code) {
  CodeReport report;
  ExpressionCheck check(code, report);
  check.Run(ExpressionKind::kUpdate, code.update);
  check.Run(ExpressionKind::kCondition, code.condition);
  check.Run(ExpressionKind::kKeyCondition, code.key_condition);
  check.Run(ExpressionKind::kFilter, code.filter);
  check.Run(ExpressionKind::kProjection, code.projection);
  check.RunUnused();
  return report;
}

std::vector<std::string> WrittenByCode(const Pattern& pattern) {
  std::vector<std::string> written;
  for (const Code& code : pattern.code) {
    if (code.update.empty()) continue;
    const CodeReport report = ReadCode(code);
    if (report.targets.empty()) return {};
    for (const Update::Target& target : report.targets) AddOnce(written, target.path[0].name);
  }
  return written;
}

std::vector<std::string> RequiredByCode(const Code& code) {
  std::vector<std::string> required;
  const std::vector<Token> tokens = Tokenize(code.condition);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].text != "attribute_exists" || tokens[i + 1].text != "(") continue;
    const std::string name(tokens[i + 2].text);
    const auto alias = code.names.find(name);
    AddOnce(required, alias == code.names.end() ? name : alias->second);
  }
  return required;
}

}  // namespace stator::model
