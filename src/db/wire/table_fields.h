// Structures that describe tables, shared by the operations on tables, backups and transfers.
#ifndef STATOR_WIRE_TABLE_FIELDS_H_
#define STATOR_WIRE_TABLE_FIELDS_H_

#include "stator/table_operations.h"
#include "wire/field_list.h"

namespace stator {

template <class Visitor>
void Fields(Visitor& visit, AttributeDefinition& definition) {
  visit("AttributeName", definition.attribute_name);
  visit("AttributeType", definition.attribute_type);
}

template <class Visitor>
void Fields(Visitor& visit, KeySchemaElement& element) {
  visit("AttributeName", element.attribute_name);
  visit("KeyType", element.key_type);
}

template <class Visitor>
void Fields(Visitor& visit, IndexProjection& projection) {
  visit("ProjectionType", projection.projection_type);
  visit("NonKeyAttributes", projection.non_key_attributes);
}

template <class Visitor>
void Fields(Visitor& visit, ProvisionedThroughput& throughput) {
  visit.Long("ReadCapacityUnits", throughput.read_capacity_units);
  visit.Long("WriteCapacityUnits", throughput.write_capacity_units);
}

template <class Visitor>
void Fields(Visitor& visit, OnDemandThroughput& throughput) {
  visit.Long("MaxReadRequestUnits", throughput.max_read_request_units);
  visit.Long("MaxWriteRequestUnits", throughput.max_write_request_units);
}

template <class Visitor>
void Fields(Visitor& visit, WarmThroughput& throughput) {
  visit.Long("ReadUnitsPerSecond", throughput.read_units_per_second);
  visit.Long("WriteUnitsPerSecond", throughput.write_units_per_second);
}

template <class Visitor>
void Fields(Visitor& visit, StreamSpecification& stream) {
  visit("StreamEnabled", stream.stream_enabled);
  visit("StreamViewType", stream.stream_view_type);
}

template <class Visitor>
void Fields(Visitor& visit, SseSpecification& sse) {
  visit("Enabled", sse.enabled);
  visit("SSEType", sse.sse_type);
  visit("KMSMasterKeyId", sse.kms_master_key_id);
}

template <class Visitor>
void Fields(Visitor& visit, Tag& tag) {
  visit("Key", tag.key);
  visit("Value", tag.value);
}

template <class Visitor>
void Fields(Visitor& visit, LocalSecondaryIndex& index) {
  visit("IndexName", index.index_name);
  visit("KeySchema", "KeySchemaElement", index.key_schema);
  visit("Projection", index.projection);
}

template <class Visitor>
void Fields(Visitor& visit, GlobalSecondaryIndex& index) {
  visit("IndexName", index.index_name);
  visit("KeySchema", "KeySchemaElement", index.key_schema);
  visit("Projection", index.projection);
  visit("ProvisionedThroughput", index.provisioned_throughput);
  visit("OnDemandThroughput", index.on_demand_throughput);
  visit("WarmThroughput", index.warm_throughput);
}

template <class Visitor>
void KeySchemaFields(Visitor& visit, std::vector<std::pair<std::string, KeyType>>& schema) {
  visit.Pairs("KeySchema", "AttributeName", "KeyType", schema);
}

template <class Visitor>
void ProjectionFields(Visitor& visit, TableDescription::Index& index) {
  visit.Group("Projection", [&](Visitor& projection) {
    projection("ProjectionType", index.projection_type);
    if (projection.When(!index.non_key_attributes.empty())) {
      projection("NonKeyAttributes", index.non_key_attributes);
    }
  });
}

// A stream, as long as there is one.
template <class Visitor>
void StreamViewFields(Visitor& visit, std::string_view name, std::optional<StreamViewType>& view) {
  if (!visit.When(view.has_value())) return;
  visit.Group(name, [&](Visitor& stream) {
    bool enabled = view.has_value();
    stream("StreamEnabled", enabled);
    if (enabled) stream("StreamViewType", view);
  });
}

template <class Visitor>
void Fields(Visitor& visit, TableDescription::Throughput& throughput) {
  visit.Time("LastIncreaseDateTime", throughput.last_increase_ms);
  visit.Time("LastDecreaseDateTime", throughput.last_decrease_ms);
  visit("NumberOfDecreasesToday", throughput.number_of_decreases_today);
  visit("ReadCapacityUnits", throughput.read_capacity_units);
  visit("WriteCapacityUnits", throughput.write_capacity_units);
}

template <class Visitor>
void Fields(Visitor& visit, TableDescription::Warm& warm) {
  visit("ReadUnitsPerSecond", warm.read_units_per_second);
  visit("WriteUnitsPerSecond", warm.write_units_per_second);
  visit("Status", warm.status);
}

template <class Visitor>
void LocalIndexFields(Visitor& visit, TableDescription::Index& index) {
  visit("IndexName", index.index_name);
  KeySchemaFields(visit, index.key_schema);
  ProjectionFields(visit, index);
  visit("IndexSizeBytes", index.index_size_bytes);
  visit("ItemCount", index.item_count);
  visit("IndexArn", index.index_arn);
}

template <class Visitor>
void GlobalIndexFields(Visitor& visit, TableDescription::Index& index) {
  visit("IndexName", index.index_name);
  KeySchemaFields(visit, index.key_schema);
  ProjectionFields(visit, index);
  visit("IndexStatus", index.index_status);
  visit("Backfilling", index.backfilling);
  visit("ProvisionedThroughput", index.provisioned_throughput);
  visit("IndexSizeBytes", index.index_size_bytes);
  visit("ItemCount", index.item_count);
  visit("IndexArn", index.index_arn);
  visit("OnDemandThroughput", index.on_demand_throughput);
  visit("WarmThroughput", index.warm_throughput);
}

template <class Visitor>
void Fields(Visitor& visit, TableDescription::RestoreSummary& restore) {
  visit("SourceBackupArn", restore.source_backup_arn);
  visit("SourceTableArn", restore.source_table_arn);
  visit.Time("RestoreDateTime", restore.restore_ms);
  visit("RestoreInProgress", restore.restore_in_progress);
}

// DynamoDB shows the billing mode under two names.
template <class Visitor>
void BillingModeFields(Visitor& visit, std::string_view summary, std::string_view mode,
                       TableDescription& table) {
  if (!visit.When(table.billing_mode.has_value())) return;
  visit.Group(summary, [&](Visitor& billing) {
    billing(mode, table.billing_mode);
    billing.Time("LastUpdateToPayPerRequestDateTime", table.last_update_to_pay_per_request_ms);
  });
}

template <class Visitor>
void Fields(Visitor& visit, TableDescription& table) {
  if (visit.When(!table.attribute_definitions.empty())) {
    visit.Pairs("AttributeDefinitions", "AttributeName", "AttributeType",
                table.attribute_definitions);
  }
  visit("TableName", table.table_name);
  const bool tells_keys = visit.When(!table.key_schema.empty());
  if (tells_keys) KeySchemaFields(visit, table.key_schema);
  visit("TableStatus", table.table_status);
  if (tells_keys) visit.Time("CreationDateTime", table.creation_ms);
  visit("ProvisionedThroughput", table.provisioned_throughput);
  visit("TableSizeBytes", table.table_size_bytes);
  visit("ItemCount", table.item_count);
  visit("TableArn", table.table_arn);
  visit("TableId", table.table_id);
  BillingModeFields(visit, "BillingModeSummary", "BillingMode", table);
  BillingModeFields(visit, "TableThroughputModeSummary", "TableThroughputMode", table);
  if (visit.When(!table.local_secondary_indexes.empty())) {
    visit.Each("LocalSecondaryIndexes", "LocalSecondaryIndexDescription",
               table.local_secondary_indexes,
               [](Visitor& of_index, auto& index) { LocalIndexFields(of_index, index); });
  }
  if (visit.When(!table.global_secondary_indexes.empty())) {
    visit.Each("GlobalSecondaryIndexes", "GlobalSecondaryIndexDescription",
               table.global_secondary_indexes,
               [](Visitor& of_index, auto& index) { GlobalIndexFields(of_index, index); });
  }
  StreamViewFields(visit, "StreamSpecification", table.stream_view_type);
  visit("LatestStreamLabel", table.latest_stream_label);
  visit("LatestStreamArn", table.latest_stream_arn);
  if (visit.When(table.table_class.has_value())) {
    visit.Group("TableClassSummary", [&](Visitor& summary) {
      summary("TableClass", table.table_class);
      summary.Time("LastUpdateDateTime", table.table_class_update_ms);
    });
  }
  visit("OnDemandThroughput", table.on_demand_throughput);
  visit("WarmThroughput", table.warm_throughput);
  visit("RestoreSummary", table.restore_summary);
  visit("DeletionProtectionEnabled", table.deletion_protection_enabled);
}

}  // namespace stator

#endif  // STATOR_WIRE_TABLE_FIELDS_H_
