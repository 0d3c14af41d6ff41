#include "api/tables/key_schema_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "api/request_rules.h"
#include "base/try.h"

namespace stator {
namespace {

constexpr std::ptrdiff_t kMaxPartsOfAKind = 4;

bool IsHash(const KeySchemaElement& element) { return element.key_type->value() == KeyType::kHash; }

// Distinct names in order of appearance. A schema has no more than eight elements.
std::vector<std::string_view> KeyNames(const SentSchema& schema) {
  std::vector<std::string_view> names;
  for (const KeySchemaElement& element : schema) {
    if (std::ranges::find(names, *element.attribute_name) == names.end()) {
      names.push_back(*element.attribute_name);
    }
  }
  return names;
}

Result<void> CheckFirstIsHash(const SentSchema& schema) {
  if (IsHash(schema.front())) return {};
  return Invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
}

}  // namespace

Result<Definitions> Definitions::From(const std::vector<AttributeDefinition>& sent) {
  Definitions definitions;
  for (const AttributeDefinition& definition : sent) {
    const std::string& name = *definition.attribute_name;
    if (definitions.Find(name)) {
      return std::unexpected(
          Error::Validation(fmt::format("Attribute Name is duplicated: {}", name)));
    }
    // Only a caller in this process can send such a name: JSON is checked when it is parsed.
    if (AttributeValue::String(name).problem() != nullptr) {
      return InvalidValue("AttributeName is not valid UTF-8");
    }
    definitions.Add(name, definition.attribute_type->value());
  }
  return definitions;
}

Definitions Definitions::Merged(const Table& table, const Definitions& sent) {
  Definitions merged;
  for (const auto& [name, type] : table.attribute_definitions) merged.Add(name, type);
  for (const auto& [name, type] : sent.types_) {
    if (!merged.Find(name)) merged.Add(name, type);
  }
  return merged;
}

void Definitions::Add(const std::string& name, ScalarType type) {
  types_.emplace_back(name, type);
  by_name_.emplace(name, type);
}

std::optional<ScalarType> Definitions::Find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

std::string Definitions::Names() const {
  std::vector<std::string_view> names;
  for (const auto& [name, type] : types_) names.emplace_back(name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<std::pair<std::string, ScalarType>> Definitions::Sorted() const {
  auto sorted = types_;
  std::ranges::sort(sorted);
  return sorted;
}

Result<void> CheckKeysDefined(const SentSchema& schema, const Definitions& definitions) {
  const std::vector<std::string_view> names = KeyNames(schema);
  for (std::string_view name : names) {
    if (definitions.Find(name)) continue;
    return InvalidValue(fmt::format(
        "Some index key attributes are not defined in AttributeDefinitions. Keys: [{}], "
        "AttributeDefinitions: [{}]",
        fmt::join(names, ", "), definitions.Names()));
  }
  return {};
}

Result<void> CheckSimpleSchema(const SentSchema& schema) {
  if (schema.size() == 2 && schema[0].attribute_name == schema[1].attribute_name) {
    return Invalid(
        "Both the Hash Key and the Range Key element in the KeySchema have the same name");
  }
  RETURN_IF_ERROR(CheckFirstIsHash(schema));
  if (schema.size() == 2 && IsHash(schema[1])) {
    return Invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  }
  return {};
}

Result<void> CheckGlobalSchema(const SentSchema& schema) {
  if (schema.size() == 2 && !IsHash(schema[1])) return CheckSimpleSchema(schema);
  RETURN_IF_ERROR(CheckFirstIsHash(schema));
  if (!std::ranges::is_partitioned(schema, IsHash)) {
    return InvalidValue(
        "All HASH key attributes must precede RANGE key attributes in the KeySchema");
  }
  const std::ptrdiff_t hash_parts = std::ranges::count_if(schema, IsHash);
  if (hash_parts > kMaxPartsOfAKind) {
    return InvalidValue("The KeySchema exceeds the maximum allowed number of HASH key attributes");
  }
  if (std::ssize(schema) - hash_parts > kMaxPartsOfAKind) {
    return InvalidValue("The KeySchema exceeds the maximum allowed number of RANGE key attributes");
  }
  if (KeyNames(schema).size() != schema.size()) {
    return Invalid("The KeySchema contains multiple key attributes with the same name");
  }
  return {};
}

Result<void> CheckDefinitionsUsed(const Definitions& definitions,
                                  const std::vector<const SentSchema*>& schemas) {
  std::vector<std::string_view> used;
  std::set<std::string_view> seen;
  for (const SentSchema* schema : schemas) {
    for (std::string_view name : KeyNames(*schema)) {
      if (seen.insert(name).second) used.push_back(name);
    }
  }
  const auto is_defined = [&](std::string_view name) { return definitions.Find(name).has_value(); };
  if (std::cmp_equal(definitions.size(), std::ranges::count_if(used, is_defined))) return {};
  if (schemas.size() == 1) {
    return InvalidValue(
        "Number of attributes in KeySchema does not exactly match number of attributes defined in "
        "AttributeDefinitions");
  }
  return InvalidValue(fmt::format(
      "Some AttributeDefinitions are not used. AttributeDefinitions: [{}], keys used: [{}]",
      definitions.Names(), fmt::join(used, ", ")));
}

KeySchema MakeSchema(const SentSchema& schema, const Definitions& definitions) {
  KeySchema keys;
  for (const KeySchemaElement& element : schema) {
    const std::optional<ScalarType> type = definitions.Find(*element.attribute_name);
    (IsHash(element) ? keys.hash : keys.range).push_back({*element.attribute_name, *type});
  }
  return keys;
}

}  // namespace stator
