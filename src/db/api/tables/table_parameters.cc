// TableCreationParameters, in and out.
#include "api/enum_text.h"
#include "api/tables/table_members.h"
#include "api/transfers/import_description.h"
#include "api/transfers/transfer_rules.h"
#include "value/json.h"

namespace stator {
namespace {

template <class E>
void WriteChoice(JsonWriter& out, std::string_view key, const std::optional<Choice<E>>& choice) {
  if (choice && choice->is_known()) out.Key(key).String(EnumText(choice->value()));
}

void WriteNumber(JsonWriter& out, std::string_view key, const std::optional<std::int64_t>& number) {
  if (number) out.Key(key).Integer(*number);
}

void WriteKeys(JsonWriter& out, const std::optional<std::vector<KeySchemaElement>>& schema) {
  if (!schema) return;
  out.Key("KeySchema").BeginArray();
  for (const KeySchemaElement& element : *schema) {
    out.BeginObject();
    WriteOptional(out, "AttributeName", element.attribute_name);
    WriteChoice(out, "KeyType", element.key_type);
    out.EndObject();
  }
  out.EndArray();
}

void WriteDefinitions(JsonWriter& out,
                      const std::optional<std::vector<AttributeDefinition>>& definitions) {
  if (!definitions) return;
  out.Key("AttributeDefinitions").BeginArray();
  for (const AttributeDefinition& definition : *definitions) {
    out.BeginObject();
    WriteOptional(out, "AttributeName", definition.attribute_name);
    WriteChoice(out, "AttributeType", definition.attribute_type);
    out.EndObject();
  }
  out.EndArray();
}

void WriteThroughput(JsonWriter& out, const std::optional<ProvisionedThroughput>& throughput) {
  if (!throughput) return;
  out.Key("ProvisionedThroughput").BeginObject();
  WriteNumber(out, "ReadCapacityUnits", throughput->read_capacity_units);
  WriteNumber(out, "WriteCapacityUnits", throughput->write_capacity_units);
  out.EndObject();
}

void WriteOnDemand(JsonWriter& out, const std::optional<OnDemandThroughput>& on_demand) {
  if (!on_demand) return;
  out.Key("OnDemandThroughput").BeginObject();
  WriteNumber(out, "MaxReadRequestUnits", on_demand->max_read_request_units);
  WriteNumber(out, "MaxWriteRequestUnits", on_demand->max_write_request_units);
  out.EndObject();
}

void WriteWarm(JsonWriter& out, const std::optional<WarmThroughput>& warm) {
  if (!warm) return;
  out.Key("WarmThroughput").BeginObject();
  WriteNumber(out, "ReadUnitsPerSecond", warm->read_units_per_second);
  WriteNumber(out, "WriteUnitsPerSecond", warm->write_units_per_second);
  out.EndObject();
}

void WriteSse(JsonWriter& out, const std::optional<SseSpecification>& sse) {
  if (!sse) return;
  out.Key("SSESpecification").BeginObject();
  if (sse->enabled) out.Key("Enabled").Bool(*sse->enabled);
  WriteChoice(out, "SSEType", sse->sse_type);
  WriteOptional(out, "KMSMasterKeyId", sse->kms_master_key_id);
  out.EndObject();
}

void WriteProjection(JsonWriter& out, const std::optional<IndexProjection>& projection) {
  if (!projection) return;
  out.Key("Projection").BeginObject();
  WriteChoice(out, "ProjectionType", projection->projection_type);
  if (projection->non_key_attributes) {
    out.Key("NonKeyAttributes").BeginArray();
    for (const std::string& name : *projection->non_key_attributes) out.String(name);
    out.EndArray();
  }
  out.EndObject();
}

void WriteIndexes(JsonWriter& out, const std::optional<std::vector<GlobalSecondaryIndex>>& all) {
  if (!all) return;
  out.Key("GlobalSecondaryIndexes").BeginArray();
  for (const GlobalSecondaryIndex& index : *all) {
    out.BeginObject();
    WriteOptional(out, "IndexName", index.index_name);
    WriteKeys(out, index.key_schema);
    WriteProjection(out, index.projection);
    WriteThroughput(out, index.provisioned_throughput);
    WriteOnDemand(out, index.on_demand_throughput);
    WriteWarm(out, index.warm_throughput);
    out.EndObject();
  }
  out.EndArray();
}

void Read(MemberReader& in, TableCreationParameters& table) {
  table.table_name = in.String("TableName");
  table.attribute_definitions = ReadAttributeDefinitions(in);
  table.key_schema = ReadKeySchema(in);
  table.billing_mode = in.Enum<BillingMode>("BillingMode");
  table.provisioned_throughput = ReadProvisionedThroughput(in);
  table.on_demand_throughput = ReadOnDemandThroughput(in);
  table.sse_specification = ReadSseSpecification(in);
  table.global_secondary_indexes = ReadGlobalIndexes(in);
}

}  // namespace

std::optional<TableCreationParameters> ReadTableParameters(MemberReader& in) {
  return in.Structure<TableCreationParameters>("TableCreationParameters", "TableCreationParameters",
                                               Read);
}

void WriteTableParameters(JsonWriter& out, const TableCreationParameters& table) {
  out.BeginObject();
  WriteOptional(out, "TableName", table.table_name);
  WriteDefinitions(out, table.attribute_definitions);
  WriteKeys(out, table.key_schema);
  WriteChoice(out, "BillingMode", table.billing_mode);
  WriteThroughput(out, table.provisioned_throughput);
  WriteOnDemand(out, table.on_demand_throughput);
  WriteSse(out, table.sse_specification);
  WriteIndexes(out, table.global_secondary_indexes);
  out.EndObject();
}

ImportTableDescription Describe(const ImportJob& job) {
  ImportTableDescription shown = job.shown;
  JsonDocument document;
  if (!document.Parse(job.table_parameters)) return shown;
  MemberReader in(document.root());
  Read(in, shown.table_creation_parameters);
  return shown;
}

}  // namespace stator
