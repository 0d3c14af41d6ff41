// Short forms for tests: expressions with the placeholders that belong to them.
#ifndef STATOR_EXPR_TESTING_EXPRESSIONS_H_
#define STATOR_EXPR_TESTING_EXPRESSIONS_H_

#include <string>
#include <string_view>
#include <vector>

#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/projection.h"
#include "expr/update.h"

namespace stator {

// The placeholders of one request. Both maps are present.
struct TestPlaceholders {
  NameMap names;
  ValueMap values;
  Wording wording = Wording::kCurrent;
};

inline Result<Condition> ParseCondition(std::string_view text, const TestPlaceholders& maps = {},
                                        ExpressionKind kind = ExpressionKind::kCondition) {
  Placeholders placeholders(&maps.names, &maps.values, maps.wording);
  return Condition::Parse(text, kind, placeholders);
}

inline Result<Update> ParseUpdate(std::string_view text, const TestPlaceholders& maps = {}) {
  Placeholders placeholders(&maps.names, &maps.values, maps.wording);
  return Update::Parse(text, placeholders);
}

inline Result<Projection> ParseProjection(std::string_view text,
                                          const TestPlaceholders& maps = {}) {
  Placeholders placeholders(&maps.names, &maps.values, maps.wording);
  return Projection::Parse(text, placeholders);
}

inline Result<std::vector<KeyClause>> ParseKeys(std::string_view text,
                                                const TestPlaceholders& maps = {}) {
  Placeholders placeholders(&maps.names, &maps.values, maps.wording);
  return ParseKeyCondition(text, placeholders);
}

// The message of a failure; "(accepted)" for a success.
template <class T>
std::string MessageOf(const Result<T>& result) {
  return result ? "(accepted)" : result.error().message();
}

}  // namespace stator

#endif  // STATOR_EXPR_TESTING_EXPRESSIONS_H_
