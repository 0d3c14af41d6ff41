// Rules that several operations share. Each is one step in an operation's list; the step's place in
// the list is the operation's own matter.
#ifndef STATOR_API_REQUEST_RULES_H_
#define STATOR_API_REQUEST_RULES_H_

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/constraints.h"
#include "base/try.h"
#include "base/wording.h"
#include "engine/catalog/table.h"
#include "expr/path.h"
#include "expr/placeholders.h"
#include "expr/projection.h"
#include "stator/expression.h"
#include "stator/item.h"
#include "stator/result.h"

namespace stator {

inline constexpr std::string_view kInvalidValues = "One or more parameter values were invalid: ";

Result<void> Invalid(std::string message);
// "One or more parameter values were invalid: …"
std::unexpected<Error> InvalidValue(std::string_view what);

// The current wording reports an empty table name alone and first.
Result<void> CheckTableNameNotEmpty(const std::optional<std::string>& name, Wording wording);

// The data plane's constraint on a table name or ARN.
void ConstrainTableName(Constraints& check, const std::optional<std::string>& name,
                        std::string_view path = "tableName");

// 1 to 255 names.
void ConstrainAttributesToGet(Constraints& check, std::string_view path,
                              const std::optional<std::vector<std::string>>& names);

// Table names are the keys of RequestItems: all of them are wrong or none is. `quoted` writes the
// map as the message shows it.
bool IsTableName(std::string_view name);
void FailTableKeys(Constraints& check, std::string_view quoted);
template <class Map, class Quoted>
void ConstrainTableKeys(Constraints& check, const Map& tables, Quoted quoted) {
  const auto is_good = [](const auto& table) { return IsTableName(table.first); };
  if (!std::ranges::all_of(tables, is_good)) FailTableKeys(check, quoted(tables));
}

// "Provided list of item keys contains duplicates"
Result<void> CheckNoDuplicates(const std::vector<Item>& keys);

// Values of an item or key, in request order.
Result<void> CheckValues(const Item& item, Wording wording);

// A parameter and whether the request has it.
struct Parameter {
  std::string_view name;
  bool present;
};
using Parameters = std::initializer_list<Parameter>;

// "Can not use both expression and non-expression parameters in the same request: …"
Result<void> CheckNotMixed(Parameters non_expression, Parameters expression);

// ExpressionAttributeNames or -Values given although no expression could use them. `value_holders`
// are the expressions that can hold values, for the classic suffix ": FilterExpression is null".
Result<void> CheckNamesHaveExpression(bool has_names, bool has_expression);
Result<void> CheckValuesHaveExpression(bool has_values, bool has_expression, Wording wording,
                                       std::initializer_list<std::string_view> value_holders);

// What a read of single items gives back: AttributesToGet or ProjectionExpression, with its
// placeholders.
template <class Request>
Result<std::optional<Projection>> ProjectionOf(const Request& request, Wording wording) {
  if (request.attributes_to_get) return Projection::FromNames(*request.attributes_to_get);
  Placeholders placeholders(
      request.expression_attribute_names ? &*request.expression_attribute_names : nullptr, nullptr,
      wording);
  RETURN_IF_ERROR(placeholders.CheckMaps());
  if (!request.projection_expression) return std::nullopt;
  ASSIGN_OR_RETURN(Projection projection,
                   Projection::Parse(*request.projection_expression, placeholders));
  RETURN_IF_ERROR(placeholders.CheckUnused());
  return projection;
}

// "Key attributes must be scalars; …" for a path below a key attribute of the table or of an index.
Result<void> CheckNotNestedKey(const Table& table, const Path& path);
Result<void> CheckNoNestedKeys(const Table& table, const std::vector<Path>& paths);

// Keys of GetItem, UpdateItem, DeleteItem and the batches: exactly the key attributes, of the right
// types, not empty, not too long.
Result<void> CheckKey(const KeySchema& schema, ItemView key);
// The same for the key attributes inside a whole item.
Result<void> CheckItemKeys(const KeySchema& schema, ItemView item);
// An empty value of one key attribute; then the sizes of all of them.
Result<void> CheckKeyValue(const KeyAttribute& attribute, ValueView value);
Result<void> CheckKeySizes(const KeySchema& schema, ItemView key);
// An item that is put as a whole: at most 400 KB.
Result<void> CheckItemSize(ItemView item);

}  // namespace stator

#endif  // STATOR_API_REQUEST_RULES_H_
