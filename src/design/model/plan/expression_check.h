// One request's expressions against the grammar, with the mistakes taken away one after the other.
#ifndef STATOR_MODEL_PLAN_EXPRESSION_CHECK_H_
#define STATOR_MODEL_PLAN_EXPRESSION_CHECK_H_

#include <optional>
#include <string>
#include <string_view>

#include "expr/placeholders.h"
#include "model/plan/request_code.h"

namespace stator::model {

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
  // Reports the error. The text without it, when it can be taken away.
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

}  // namespace stator::model

#endif  // STATOR_MODEL_PLAN_EXPRESSION_CHECK_H_
