// The JSON of a backup's description.
#include "api/backups/backup_description.h"
#include "api/enum_text.h"
#include "api/tables/table_description.h"

namespace stator {
namespace {

void WriteUnits(JsonWriter& out, std::int64_t read, std::int64_t write) {
  out.Key("ProvisionedThroughput").BeginObject();
  out.Key("ReadCapacityUnits").Integer(read);
  out.Key("WriteCapacityUnits").Integer(write);
  out.EndObject();
}

void WriteTable(JsonWriter& out, const SourceTableDetails& table) {
  out.Key("SourceTableDetails").BeginObject();
  out.Key("TableName").String(table.table_name);
  out.Key("TableId").String(table.table_id);
  out.Key("TableArn").String(table.table_arn);
  out.Key("TableSizeBytes").Integer(table.table_size_bytes);
  WriteKeySchema(out, table.key_schema);
  out.Key("TableCreationDateTime").TimestampMs(table.table_creation_ms);
  WriteUnits(out, table.read_capacity_units, table.write_capacity_units);
  WriteOnDemand(out, table.on_demand_throughput);
  out.Key("ItemCount").Integer(table.item_count);
  out.Key("BillingMode").String(EnumText(table.billing_mode));
  out.EndObject();
}

void WriteIndexes(JsonWriter& out, std::string_view key,
                  const std::vector<TableDescription::Index>& indexes, bool global) {
  if (indexes.empty()) return;
  out.Key(key).BeginArray();
  for (const TableDescription::Index& index : indexes) {
    out.BeginObject();
    out.Key("IndexName").String(index.index_name);
    WriteKeySchema(out, index.key_schema);
    WriteProjection(out, index);
    if (global) {
      WriteUnits(out, index.provisioned_throughput.read_capacity_units,
                 index.provisioned_throughput.write_capacity_units);
      WriteOnDemand(out, index.on_demand_throughput);
    }
    out.EndObject();
  }
  out.EndArray();
}

void WriteFeatures(JsonWriter& out, const SourceTableFeatureDetails& features) {
  out.Key("SourceTableFeatureDetails").BeginObject();
  WriteIndexes(out, "LocalSecondaryIndexes", features.local_secondary_indexes, /*global=*/false);
  WriteIndexes(out, "GlobalSecondaryIndexes", features.global_secondary_indexes, /*global=*/true);
  if (features.stream_view_type) {
    out.Key("StreamDescription").BeginObject();
    out.Key("StreamEnabled").Bool(true);
    out.Key("StreamViewType").String(EnumText(*features.stream_view_type));
    out.EndObject();
  }
  if (features.time_to_live_attribute_name) {
    out.Key("TimeToLiveDescription").BeginObject();
    out.Key("TimeToLiveStatus").String(features.time_to_live_status);
    out.Key("AttributeName").String(*features.time_to_live_attribute_name);
    out.EndObject();
  }
  out.EndObject();
}

}  // namespace

void WriteBackupDetails(JsonWriter& out, const BackupDetails& details) {
  out.BeginObject();
  out.Key("BackupArn").String(details.backup_arn);
  out.Key("BackupName").String(details.backup_name);
  out.Key("BackupSizeBytes").Integer(details.backup_size_bytes);
  out.Key("BackupStatus").String(EnumText(details.backup_status));
  out.Key("BackupType").String(EnumText(details.backup_type));
  out.Key("BackupCreationDateTime").TimestampMs(details.backup_creation_ms);
  if (details.backup_expiry_ms) {
    out.Key("BackupExpiryDateTime").TimestampMs(*details.backup_expiry_ms);
  }
  out.EndObject();
}

void WriteBackupDescription(JsonWriter& out, const BackupDescription& backup) {
  out.BeginObject();
  out.Key("BackupDescription").BeginObject();
  out.Key("BackupDetails");
  WriteBackupDetails(out, backup.details);
  WriteTable(out, backup.table);
  WriteFeatures(out, backup.features);
  out.EndObject();
  out.EndObject();
}

}  // namespace stator
