// A request as the application's code sends it, checked with DynamoDB's own grammar.
#ifndef STATOR_MODEL_PLAN_REQUEST_CODE_H_
#define STATOR_MODEL_PLAN_REQUEST_CODE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "expr/update.h"
#include "model/model.h"

namespace stator::model {

struct CodeProblem {
  enum class Kind : std::uint8_t {
    kInvalid,   // does not parse: a keyword twice, an unknown function, an undefined placeholder
    kOverlap,   // two paths of which one is the other or leads into it
    kName,      // a name that needs an alias
    kMismatch,  // an operator on a value that is not of its type
  };
  Kind kind;
  std::string expression;  // "UpdateExpression"
  std::string message;     // what DynamoDB says
  std::string fix;
};

struct CodeReport {
  // A mistake that can be repaired is, so that those behind it show too.
  std::vector<CodeProblem> problems;
  // What the update expression changes; empty when there is none or it does not parse.
  std::vector<Update::Target> targets;
};

CodeReport ReadCode(const Code& code);

// The type that a word of `values` names: "num", "strset" …
std::optional<Type> TypeOfValue(const Code& code, const std::string& placeholder);
bool IsEmptySet(const std::string& value_word);

// Top-level attributes that the pattern's update expressions change. Empty: there are none, or one
// does not parse.
std::vector<std::string> WrittenByCode(const Pattern& pattern);
// Top-level attributes of which a condition of the request says attribute_exists.
std::vector<std::string> RequiredByCode(const Code& code);

}  // namespace stator::model

#endif  // STATOR_MODEL_PLAN_REQUEST_CODE_H_
