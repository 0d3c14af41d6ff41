#include "api/request_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/tables/table_reference.h"
#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "value/size.h"
#include "value/value_problem.h"

namespace stator {
namespace {

bool AnyPresent(Parameters parameters) {
  return std::ranges::any_of(parameters, &Parameter::present);
}

std::string JoinPresent(Parameters parameters) {
  std::string joined;
  for (const Parameter& parameter : parameters) {
    if (!parameter.present) continue;
    if (!joined.empty()) joined += ", ";
    joined += parameter.name;
  }
  return joined;
}

struct KeySizes {
  std::size_t hash_bytes = 0;
  std::size_t range_bytes = 0;
};

std::size_t KeyBytes(const std::vector<KeyAttribute>& attributes, ItemView key) {
  std::size_t bytes = 0;
  for (const KeyAttribute& attribute : attributes) {
    if (const std::optional<ValueView> value = key.Find(attribute.name))
      bytes += KeyValueBytes(*value);
  }
  return bytes;
}

Result<void> CheckSizes(const KeySizes& sizes) {
  if (sizes.hash_bytes > kMaxPartitionKeyBytes) {
    return Invalid(fmt::format("{}Size of hashkey has exceeded the maximum size limit of{} bytes",
                               kInvalidValues, kMaxPartitionKeyBytes));
  }
  if (sizes.range_bytes > kMaxSortKeyBytes) {
    return Invalid(
        fmt::format("{}Aggregated size of all range keys has exceeded the size limit of {} bytes",
                    kInvalidValues, kMaxSortKeyBytes));
  }
  return {};
}

// The value of a key attribute in a whole item.
Result<ValueView> KeyValueIn(ItemView item, const KeyAttribute& attribute) {
  const std::optional<ValueView> value = item.Find(attribute.name);
  if (!value) {
    return std::unexpected(Error::Validation(
        fmt::format("{}Missing the key {} in the item", kInvalidValues, attribute.name)));
  }
  if (!Matches(attribute.type, value->type())) {
    return std::unexpected(Error::Validation(
        fmt::format("{}Type mismatch for key {} expected: {} actual: {}", kInvalidValues,
                    attribute.name, TypeName(AsType(attribute.type)), TypeName(value->type()))));
  }
  RETURN_IF_ERROR(CheckKeyValue(attribute, *value));
  return *value;
}

}  // namespace

bool IsTableName(std::string_view name) {
  if (IsArn(name)) return name.size() <= 1024;
  return !name.empty() && name.size() <= 255 && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '.' || c == '-';
  });
}

Result<void> Invalid(std::string message) {
  return std::unexpected(Error::Validation(std::move(message)));
}

std::unexpected<Error> InvalidValue(std::string_view what) {
  return std::unexpected(Error::Validation(std::string(kInvalidValues).append(what)));
}

Result<void> CheckTableNameNotEmpty(const std::optional<std::string>& name, Wording wording) {
  if (!IsCurrent(wording) || !name || !name->empty()) return {};
  return Invalid(
      "1 validation error detected: Value at 'TableName' failed to satisfy constraint: Member must "
      "have length greater than or equal to 1");
}

void ConstrainTableName(Constraints& check, const std::optional<std::string>& name,
                        std::string_view path) {
  if (!name) return check.NotNull(path, name);
  if (!IsArn(*name)) return check.Name(path, name, {.min_length = 1, .max_length = 255});
  if (name->size() > 1024) {
    check.Fail(Constraints::Quoted(*name), path,
               "Member must have length less than or equal to 1024");
  }
}

void ConstrainAttributesToGet(Constraints& check, std::string_view path,
                              const std::optional<std::vector<std::string>>& names) {
  if (!names) return;
  const auto fail = [&](std::string_view bound) {
    check.Fail(Constraints::Quoted(fmt::format("[{}]", fmt::join(*names, ", "))), path,
               fmt::format("Member must have length {}", bound));
  };
  if (names->empty()) fail("greater than or equal to 1");
  if (names->size() > 255) fail("less than or equal to 255");
}

void FailTableKeys(Constraints& check, std::string_view quoted) {
  check.Fail(quoted, "requestItems",
             "Map keys must satisfy constraint: [Member must have length less than or equal to "
             "255, Member must have length greater than or equal to 3, Member must satisfy regular "
             "expression pattern: [a-zA-Z0-9_.-]+]");
}

Result<void> CheckNoDuplicates(const std::vector<Item>& keys) {
  std::vector<std::string_view> encoded;
  encoded.reserve(keys.size());
  for (const Item& key : keys) encoded.push_back(key.encoded());
  std::ranges::sort(encoded);
  if (std::ranges::adjacent_find(encoded) == encoded.end()) return {};
  return Invalid("Provided list of item keys contains duplicates");
}

Result<void> CheckValues(const Item& item, Wording wording) {
  if (const ValueProblem* problem = item.problem()) {
    return std::unexpected(ProblemError(*problem, wording));
  }
  return {};
}

Result<void> CheckNotMixed(Parameters non_expression, Parameters expression) {
  if (!AnyPresent(non_expression) || !AnyPresent(expression)) return {};
  const std::string legacy = JoinPresent(non_expression);
  const std::string modern = JoinPresent(expression);
  return Invalid(
      fmt::format("Can not use both expression and non-expression parameters in the same request: "
                  "Non-expression parameters: {{{}}} Expression parameters: {{{}}}",
                  legacy, modern));
}

Result<void> CheckNamesHaveExpression(bool has_names, bool has_expression) {
  if (!has_names || has_expression) return {};
  return Invalid("ExpressionAttributeNames can only be specified when using expressions");
}

Result<void> CheckValuesHaveExpression(bool has_values, bool has_expression, Wording wording,
                                       std::initializer_list<std::string_view> value_holders) {
  if (!has_values || has_expression) return {};
  std::string message = "ExpressionAttributeValues can only be specified when using expressions";
  if (!IsCurrent(wording)) {
    message += fmt::format(": {} {} null", fmt::join(value_holders, " and "),
                           value_holders.size() == 1 ? "is" : "are");
  }
  return Invalid(std::move(message));
}

Result<void> CheckNotNestedKey(const Table& table, const Path& path) {
  if (path.size() < 2) return {};
  const std::string& name = path.front().name;
  const bool is_key = table.keys.Find(name) != nullptr;
  const bool is_index_key = std::ranges::any_of(
      table.indexes, [&](const Index& index) { return index.keys.Find(name) != nullptr; });
  if (!is_key && !is_index_key) return {};
  return Invalid(fmt::format(
      "Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
      "allowed: {}: {}",
      is_key ? "Key" : "IndexKey", name));
}

Result<void> CheckNoNestedKeys(const Table& table, const std::vector<Path>& paths) {
  for (const Path& path : paths) RETURN_IF_ERROR(CheckNotNestedKey(table, path));
  return {};
}

Result<void> CheckKeyValue(const KeyAttribute& attribute, ValueView value) {
  if (value.type() == Type::kN || KeyValueBytes(value) != 0) return {};
  return Invalid(fmt::format(
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
      "contain an empty {} value. Key: {}",
      value.type() == Type::kS ? "string" : "binary", attribute.name));
}

Result<void> CheckKeySizes(const KeySchema& schema, ItemView key) {
  return CheckSizes({KeyBytes(schema.hash, key), KeyBytes(schema.range, key)});
}

Result<void> CheckKey(const KeySchema& schema, ItemView key) {
  constexpr std::string_view kMismatch = "The provided key element does not match the schema";
  if (key.size() != schema.size()) return Invalid(std::string(kMismatch));
  for (const auto* attributes : {&schema.hash, &schema.range}) {
    for (const KeyAttribute& attribute : *attributes) {
      const std::optional<ValueView> value = key.Find(attribute.name);
      if (!value || !Matches(attribute.type, value->type())) return Invalid(std::string(kMismatch));
    }
  }
  for (const auto* attributes : {&schema.hash, &schema.range}) {
    for (const KeyAttribute& attribute : *attributes) {
      RETURN_IF_ERROR(CheckKeyValue(attribute, *key.Find(attribute.name)));
    }
  }
  return CheckKeySizes(schema, key);
}

Result<void> CheckItemSize(ItemView item) {
  if (!IsTooLarge(item)) return {};
  return Invalid("Item size has exceeded the maximum allowed size");
}

Result<void> CheckItemKeys(const KeySchema& schema, ItemView item) {
  KeySizes sizes;
  for (const KeyAttribute& attribute : schema.hash) {
    ASSIGN_OR_RETURN(const ValueView value, KeyValueIn(item, attribute));
    sizes.hash_bytes += KeyValueBytes(value);
  }
  for (const KeyAttribute& attribute : schema.range) {
    ASSIGN_OR_RETURN(const ValueView value, KeyValueIn(item, attribute));
    sizes.range_bytes += KeyValueBytes(value);
  }
  return CheckSizes(sizes);
}

}  // namespace stator
