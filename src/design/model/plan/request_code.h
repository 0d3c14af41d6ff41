// A request as somebody's code sends it, read word by word with DynamoDB's own grammar.
#ifndef STATOR_MODEL_PLAN_REQUEST_CODE_H_
#define STATOR_MODEL_PLAN_REQUEST_CODE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "expr/update.h"
#include "model/model.h"

namespace stator::model {

struct CodeProblem {
  enum class Kind : std::uint8_t {
    kInvalid,   // does not parse: a keyword twice, an unknown function, an undefined placeholder
    kOverlap,   // two paths of which one is the other or leads into it
    kName,      // a name that may not stand there bare
    kMismatch,  // an operator on a value that is not of its type
  };
  Kind kind;
  std::string expression;  // "UpdateExpression"
  std::string message;     // what DynamoDB says
  std::string fix;
};

struct CodeReport {
  // Mistakes that can be taken away are, so that those behind them show too.
  std::vector<CodeProblem> problems;
  // What the update expression changes; empty when there is none or it cannot be told.
  std::vector<Update::Target> targets;
};

CodeReport ReadCode(const Code& code);

// The value that a word of `values` stands for, when it names a type: "num", "strset" …
std::optional<Type> TypeOfValue(const Code& code, const std::string& placeholder);
bool IsEmptySet(const std::string& value_word);

// Top-level attributes that the pattern's update expressions change. Empty: none is given, or it
// cannot be told.
std::vector<std::string> WrittenByCode(const Pattern& pattern);
// Top-level attributes of which a condition of the request says attribute_exists.
std::vector<std::string> RequiredByCode(const Code& code);

}  // namespace stator::model

#endif  // STATOR_MODEL_PLAN_REQUEST_CODE_H_
