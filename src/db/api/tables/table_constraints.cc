#include "api/tables/table_constraints.h"

#include <fmt/format.h>

#include "api/request_rules.h"
#include "wire/enum_text.h"

namespace stator {

namespace {

constexpr std::size_t kMaxAttributeName = 255;
constexpr std::size_t kMaxIncluded = 20;
constexpr std::size_t kMaxLocalKeys = 2;
constexpr std::size_t kMaxGlobalKeys = 8;

std::string Element(std::string_view path, std::size_t index) {
  return fmt::format("{}.{}.member", path, index + 1);
}

template <class E>
std::string_view TextOf(const std::optional<Choice<E>>& choice) {
  if (!choice) return "null";
  return choice->is_known() ? EnumText(choice->value()) : std::string_view(choice->unknown());
}

void ConstrainAttributeName(Constraints& check, const std::string& path,
                            const std::optional<std::string>& name) {
  check.NotNull(path, name);
  if (name) check.Length(Constraints::Quoted(*name), path, name->size(), 1, kMaxAttributeName);
}

// '[KeySchemaElement(attributeName=pk, keyType=HASH)]'
std::string Shown(const std::vector<KeySchemaElement>& schema) {
  std::string text = "'[";
  for (const KeySchemaElement& element : schema) {
    if (text.size() > 2) text += ", ";
    text += fmt::format("KeySchemaElement(attributeName={}, keyType={})",
                        element.attribute_name.value_or("null"), TextOf(element.key_type));
  }
  return text + "]'";
}

void ConstrainProjection(Constraints& check, const std::string& path,
                         const std::optional<IndexProjection>& projection) {
  check.NotNull(path, projection);
  if (!projection) return;
  check.Enum(path + ".projectionType", projection->projection_type);
  if (!projection->non_key_attributes) return;
  const std::vector<std::string>& names = *projection->non_key_attributes;
  const std::string names_path = path + ".nonKeyAttributes";
  check.Length(fmt::format("'[{}]'", fmt::join(names, ", ")), names_path, names.size(), 1,
               kMaxIncluded);
  for (std::size_t i = 0; i < names.size(); ++i) {
    check.Length(Constraints::Quoted(names[i]), Element(names_path, i), names[i].size(), 1,
                 kMaxAttributeName);
  }
}

}  // namespace

void ConstrainDefinitions(Constraints& check,
                          const std::optional<std::vector<AttributeDefinition>>& definitions) {
  if (!definitions) return;
  for (std::size_t i = 0; i < definitions->size(); ++i) {
    const AttributeDefinition& definition = (*definitions)[i];
    const std::string path = Element("attributeDefinitions", i);
    ConstrainAttributeName(check, path + ".attributeName", definition.attribute_name);
    check.NotNull(path + ".attributeType", definition.attribute_type);
    check.Enum(path + ".attributeType", definition.attribute_type);
  }
}

void ConstrainThroughput(Constraints& check, std::string_view path,
                         const std::optional<ProvisionedThroughput>& throughput) {
  if (!throughput) return;
  const std::string write = fmt::format("{}.writeCapacityUnits", path);
  check.NotNull(write, throughput->write_capacity_units);
  check.AtLeast(write, throughput->write_capacity_units, 1);
  const std::string read = fmt::format("{}.readCapacityUnits", path);
  check.NotNull(read, throughput->read_capacity_units);
  check.AtLeast(read, throughput->read_capacity_units, 1);
}

void ConstrainKeySchema(Constraints& check, std::string_view path,
                        const std::optional<std::vector<KeySchemaElement>>& schema,
                        std::size_t max_length) {
  check.NotNull(path, schema);
  if (!schema) return;
  check.Length(Shown(*schema), path, schema->size(), 1, max_length);
  for (std::size_t i = 0; i < schema->size(); ++i) {
    const KeySchemaElement& element = (*schema)[i];
    const std::string element_path = Element(path, i);
    ConstrainAttributeName(check, element_path + ".attributeName", element.attribute_name);
    check.NotNull(element_path + ".keyType", element.key_type);
    check.Enum(element_path + ".keyType", element.key_type);
  }
}

void ConstrainNewName(Constraints& check, std::string_view path,
                      const std::optional<std::string>& name) {
  check.NotNull(path, name);
  if (!name) return;
  check.Length(Constraints::Quoted(*name), path, name->size(), 3, 255);
  check.NamePattern(path, *name);
}

void ConstrainGlobalIndex(Constraints& check, std::string_view path,
                          const GlobalSecondaryIndex& index) {
  ConstrainKeySchema(check, fmt::format("{}.keySchema", path), index.key_schema, kMaxGlobalKeys);
  ConstrainProjection(check, fmt::format("{}.projection", path), index.projection);
  ConstrainNewName(check, fmt::format("{}.indexName", path), index.index_name);
  ConstrainThroughput(check, fmt::format("{}.provisionedThroughput", path),
                      index.provisioned_throughput);
}

void ConstrainLocalIndex(Constraints& check, std::string_view path,
                         const LocalSecondaryIndex& index) {
  ConstrainKeySchema(check, fmt::format("{}.keySchema", path), index.key_schema, kMaxLocalKeys);
  ConstrainProjection(check, fmt::format("{}.projection", path), index.projection);
  ConstrainNewName(check, fmt::format("{}.indexName", path), index.index_name);
}

void ConstrainStream(Constraints& check, const std::optional<StreamSpecification>& stream) {
  if (!stream) return;
  check.NotNull("streamSpecification.streamEnabled", stream->stream_enabled);
  check.Enum("streamSpecification.streamViewType", stream->stream_view_type);
}

void ConstrainSse(Constraints& check, const std::optional<SseSpecification>& sse) {
  if (sse) check.Enum("sSESpecification.sSEType", sse->sse_type);
}

void ConstrainTags(Constraints& check, const std::optional<std::vector<Tag>>& tags) {
  if (!tags) return;
  for (std::size_t i = 0; i < tags->size(); ++i) {
    const std::string path = Element("tags", i);
    check.NotNull(path + ".key", (*tags)[i].key);
    check.NotNull(path + ".value", (*tags)[i].value);
  }
}

Result<void> CheckNewStream(const std::optional<StreamSpecification>& stream) {
  if (!stream) return {};
  if (*stream->stream_enabled) {
    if (stream->stream_view_type) return {};
    return InvalidValue("Table is being created with a stream enabled, UpdateViewType is required");
  }
  if (stream->stream_view_type) {
    return InvalidValue(
        "Table is being created with a stream disabled, UpdateViewType should not be specified");
  }
  return {};
}

Result<void> CheckStreamChange(const StreamSpecification& stream) {
  if (*stream.stream_enabled) {
    if (stream.stream_view_type) return {};
    return InvalidValue("If stream is being enabled then UpdateViewType is required");
  }
  if (stream.stream_view_type) {
    return InvalidValue("If stream is being disabled, then UpdateViewType must not be specified");
  }
  return {};
}

Result<void> CheckTableClass(const std::optional<Choice<TableClass>>& table_class) {
  if (!table_class || table_class->is_known()) return {};
  return Invalid(
      fmt::format("Invalid table-class parameter provided. Please try again with a valid "
                  "table-class value: {}.",
                  EnumSet<TableClass>()));
}

Result<void> CheckSse(const std::optional<SseSpecification>& sse) {
  if (!sse) return {};
  if (sse->enabled && !*sse->enabled) {
    if (sse->sse_type) return InvalidValue("SSEType can not be specified if Enabled is false");
    if (sse->kms_master_key_id) {
      return InvalidValue("KMSMasterKeyId can not be specified if Enabled is false");
    }
    return {};
  }
  if (sse->kms_master_key_id && !sse->sse_type) {
    return InvalidValue("SSEType KMS is required if KMSMasterKeyId is specified");
  }
  if (sse->sse_type && sse->sse_type->value() == SseType::kAes256) {
    return InvalidValue("SSEType AES256 is not supported");
  }
  return {};
}

}  // namespace stator
