// ExpressionAttributeNames and ExpressionAttributeValues of one request, and which of them were
// used.
#ifndef STATOR_EXPR_PLACEHOLDERS_H_
#define STATOR_EXPR_PLACEHOLDERS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/inline_vector.h"
#include "base/wording.h"
#include "stator/expression.h"
#include "stator/result.h"

namespace stator {

enum class ExpressionKind : std::uint8_t {
  kUpdate,
  kCondition,
  kKeyCondition,
  kFilter,
  kProjection
};

// "UpdateExpression", "ConditionExpression", …
std::string_view ExpressionName(ExpressionKind kind);

// Positions in a map, ordered by their keys. Empty for a small map, which is searched as it is.
using PlaceholderIndex = std::vector<std::uint32_t>;
using PlaceholderMarks = InlineVector<bool, 8>;

// One request's placeholders. The maps must outlive it. Null means the parameter was absent.
// Errors of CheckUnused and of the parsers are bare: the operation puts them into its envelope.
// Those of CheckMaps are complete, because the problem of a value is sometimes enveloped and
// sometimes not.
class Placeholders {
 public:
  Placeholders(const NameMap* names, const ValueMap* values, Wording wording);

  // Map-level rules (behaviour.md §5.1): empty map, key too long, key syntax, empty name, name too
  // long; for values also the problem of a value, wrapped in the classic wording.
  Result<void> CheckMaps() const;
  // After all expressions are parsed: "Value provided in … unused in expressions: keys: {…}", names
  // first.
  Result<void> CheckUnused() const;

  Wording wording() const { return wording_; }

  // The name or value behind a placeholder (sign included); marks it used.
  const std::string* UseName(std::string_view placeholder);
  const AttributeValue* UseValue(std::string_view placeholder);

 private:
  const NameMap* names_;
  const ValueMap* values_;
  Wording wording_;
  PlaceholderIndex name_index_;
  PlaceholderIndex value_index_;
  PlaceholderMarks name_used_;
  PlaceholderMarks value_used_;
};

}  // namespace stator

#endif  // STATOR_EXPR_PLACEHOLDERS_H_
