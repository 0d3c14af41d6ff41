// The JSON of a TableDescription.
#include "api/enum_text.h"
#include "api/tables/table_description.h"

namespace stator {
namespace {

using Description = TableDescription;

void WriteTimestamp(JsonWriter& out, std::string_view key, const std::optional<std::int64_t>& ms) {
  if (ms) out.Key(key).TimestampMs(*ms);
}

void WriteThroughput(JsonWriter& out, const Description::Throughput& throughput) {
  out.Key("ProvisionedThroughput").BeginObject();
  WriteTimestamp(out, "LastIncreaseDateTime", throughput.last_increase_ms);
  WriteTimestamp(out, "LastDecreaseDateTime", throughput.last_decrease_ms);
  out.Key("NumberOfDecreasesToday").Integer(throughput.number_of_decreases_today);
  out.Key("ReadCapacityUnits").Integer(throughput.read_capacity_units);
  out.Key("WriteCapacityUnits").Integer(throughput.write_capacity_units);
  out.EndObject();
}

void WriteWarm(JsonWriter& out, const std::optional<Description::Warm>& warm) {
  if (!warm) return;
  out.Key("WarmThroughput").BeginObject();
  out.Key("ReadUnitsPerSecond").Integer(warm->read_units_per_second);
  out.Key("WriteUnitsPerSecond").Integer(warm->write_units_per_second);
  out.Key("Status").String(EnumText(warm->status));
  out.EndObject();
}

void WriteIndex(JsonWriter& out, const Description::Index& index, bool global) {
  out.BeginObject();
  out.Key("IndexName").String(index.index_name);
  WriteKeySchema(out, index.key_schema);
  WriteProjection(out, index);
  if (global) {
    out.Key("IndexStatus").String(EnumText(index.index_status));
    if (index.backfilling) out.Key("Backfilling").Bool(*index.backfilling);
    WriteThroughput(out, index.provisioned_throughput);
  }
  out.Key("IndexSizeBytes").Integer(index.index_size_bytes);
  out.Key("ItemCount").Integer(index.item_count);
  out.Key("IndexArn").String(index.index_arn);
  if (global) {
    WriteOnDemand(out, index.on_demand_throughput);
    WriteWarm(out, index.warm_throughput);
  }
  out.EndObject();
}

void WriteIndexes(JsonWriter& out, std::string_view key,
                  const std::vector<Description::Index>& indexes, bool global) {
  if (indexes.empty()) return;
  out.Key(key).BeginArray();
  for (const Description::Index& index : indexes) WriteIndex(out, index, global);
  out.EndArray();
}

// The same summary stands under two names.
void WriteBillingMode(JsonWriter& out, std::string_view key, std::string_view mode_key,
                      const Description& table) {
  if (!table.billing_mode) return;
  out.Key(key).BeginObject();
  out.Key(mode_key).String(EnumText(*table.billing_mode));
  WriteTimestamp(out, "LastUpdateToPayPerRequestDateTime", table.last_update_to_pay_per_request_ms);
  out.EndObject();
}

void WriteTableClass(JsonWriter& out, const Description& table) {
  if (!table.table_class) return;
  out.Key("TableClassSummary").BeginObject();
  out.Key("TableClass").String(EnumText(*table.table_class));
  WriteTimestamp(out, "LastUpdateDateTime", table.table_class_update_ms);
  out.EndObject();
}

void WriteStream(JsonWriter& out, const Description& table) {
  if (table.stream_view_type) {
    out.Key("StreamSpecification").BeginObject();
    out.Key("StreamEnabled").Bool(true);
    out.Key("StreamViewType").String(EnumText(*table.stream_view_type));
    out.EndObject();
  }
  if (table.latest_stream_label) out.Key("LatestStreamLabel").String(*table.latest_stream_label);
  if (table.latest_stream_arn) out.Key("LatestStreamArn").String(*table.latest_stream_arn);
}

void WriteRestore(JsonWriter& out, const Description& table) {
  if (!table.restore_summary) return;
  const Description::RestoreSummary& restore = *table.restore_summary;
  out.Key("RestoreSummary").BeginObject();
  if (restore.source_backup_arn) out.Key("SourceBackupArn").String(*restore.source_backup_arn);
  out.Key("SourceTableArn").String(restore.source_table_arn);
  out.Key("RestoreDateTime").TimestampMs(restore.restore_ms);
  out.Key("RestoreInProgress").Bool(restore.restore_in_progress);
  out.EndObject();
}

}  // namespace

void WriteKeySchema(JsonWriter& out, const std::vector<std::pair<std::string, KeyType>>& schema) {
  out.Key("KeySchema").BeginArray();
  for (const auto& [name, type] : schema) {
    out.BeginObject();
    out.Key("AttributeName").String(name);
    out.Key("KeyType").String(EnumText(type));
    out.EndObject();
  }
  out.EndArray();
}

void WriteProjection(JsonWriter& out, const TableDescription::Index& index) {
  out.Key("Projection").BeginObject();
  out.Key("ProjectionType").String(EnumText(index.projection_type));
  if (!index.non_key_attributes.empty()) {
    out.Key("NonKeyAttributes").BeginArray();
    for (const std::string& name : index.non_key_attributes) out.String(name);
    out.EndArray();
  }
  out.EndObject();
}

void WriteOnDemand(JsonWriter& out, const std::optional<OnDemandThroughput>& on_demand) {
  if (!on_demand) return;
  out.Key("OnDemandThroughput").BeginObject();
  if (on_demand->max_read_request_units) {
    out.Key("MaxReadRequestUnits").Integer(*on_demand->max_read_request_units);
  }
  if (on_demand->max_write_request_units) {
    out.Key("MaxWriteRequestUnits").Integer(*on_demand->max_write_request_units);
  }
  out.EndObject();
}

void WriteTableDescription(JsonWriter& out, const TableDescription& table) {
  out.BeginObject();
  out.Key("AttributeDefinitions").BeginArray();
  for (const auto& [name, type] : table.attribute_definitions) {
    out.BeginObject();
    out.Key("AttributeName").String(name);
    out.Key("AttributeType").String(EnumText(type));
    out.EndObject();
  }
  out.EndArray();
  out.Key("TableName").String(table.table_name);
  WriteKeySchema(out, table.key_schema);
  out.Key("TableStatus").String(EnumText(table.table_status));
  out.Key("CreationDateTime").TimestampMs(table.creation_ms);
  WriteThroughput(out, table.provisioned_throughput);
  out.Key("TableSizeBytes").Integer(table.table_size_bytes);
  out.Key("ItemCount").Integer(table.item_count);
  out.Key("TableArn").String(table.table_arn);
  out.Key("TableId").String(table.table_id);
  WriteBillingMode(out, "BillingModeSummary", "BillingMode", table);
  WriteBillingMode(out, "TableThroughputModeSummary", "TableThroughputMode", table);
  WriteIndexes(out, "LocalSecondaryIndexes", table.local_secondary_indexes, /*global=*/false);
  WriteIndexes(out, "GlobalSecondaryIndexes", table.global_secondary_indexes, /*global=*/true);
  WriteStream(out, table);
  WriteTableClass(out, table);
  WriteOnDemand(out, table.on_demand_throughput);
  WriteWarm(out, table.warm_throughput);
  WriteRestore(out, table);
  out.Key("DeletionProtectionEnabled").Bool(table.deletion_protection_enabled);
  out.EndObject();
}

}  // namespace stator
