#include "model/plan/request_code.h"

#include <algorithm>
#include <array>

#include "expr/lexer.h"
#include "model/names.h"
#include "model/plan/expression_check.h"

namespace stator::model {
namespace {

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

std::optional<Type> TypeOfWord(std::string_view word) {
  const auto it = std::ranges::find(kValueWords, word, &ValueWord::word);
  if (it == kValueWords.end()) return std::nullopt;
  return it->type;
}

}  // namespace

bool IsEmptySet(const std::string& value_word) {
  return value_word.starts_with("empty") && value_word.ends_with("set");
}

std::optional<Type> TypeOfValue(const Code& code, const std::string& placeholder) {
  const auto it = code.values.find(placeholder);
  return it == code.values.end() ? std::nullopt : TypeOfWord(it->second);
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
