// Backups and point-in-time recovery on the wire.
#include "stator/recovery.h"
#include "wire/field_list.h"
#include "wire/table_fields.h"

namespace stator {

template <class Visitor>
void Fields(Visitor& visit, CreateBackupRequest& request) {
  visit("TableName", request.table_name);
  visit("BackupName", request.backup_name);
}

template <class Visitor>
void Fields(Visitor& visit, BackupDetails& details) {
  visit("BackupArn", details.backup_arn);
  visit("BackupName", details.backup_name);
  visit("BackupSizeBytes", details.backup_size_bytes);
  visit("BackupStatus", details.backup_status);
  visit("BackupType", details.backup_type);
  visit.Time("BackupCreationDateTime", details.backup_creation_ms);
  visit.Time("BackupExpiryDateTime", details.backup_expiry_ms);
}

template <class Visitor>
void Fields(Visitor& visit, CreateBackupResponse& response) {
  visit("BackupDetails", response.details);
}

template <class Visitor>
void UnitsFields(Visitor& visit, std::int64_t& read, std::int64_t& write) {
  visit.Group("ProvisionedThroughput", [&](Visitor& throughput) {
    throughput("ReadCapacityUnits", read);
    throughput("WriteCapacityUnits", write);
  });
}

template <class Visitor>
void Fields(Visitor& visit, SourceTableDetails& table) {
  visit("TableName", table.table_name);
  visit("TableId", table.table_id);
  visit("TableArn", table.table_arn);
  visit("TableSizeBytes", table.table_size_bytes);
  KeySchemaFields(visit, table.key_schema);
  visit.Time("TableCreationDateTime", table.table_creation_ms);
  UnitsFields(visit, table.read_capacity_units, table.write_capacity_units);
  visit("OnDemandThroughput", table.on_demand_throughput);
  visit("ItemCount", table.item_count);
  visit("BillingMode", table.billing_mode);
}

template <class Visitor>
void SourceIndexFields(Visitor& visit, TableDescription::Index& index) {
  visit("IndexName", index.index_name);
  KeySchemaFields(visit, index.key_schema);
  ProjectionFields(visit, index);
}

template <class Visitor>
void Fields(Visitor& visit, SourceTableFeatureDetails& features) {
  if (visit.When(!features.local_secondary_indexes.empty())) {
    visit.Each("LocalSecondaryIndexes", "LocalSecondaryIndexInfo", features.local_secondary_indexes,
               [](Visitor& of_index, auto& index) { SourceIndexFields(of_index, index); });
  }
  if (visit.When(!features.global_secondary_indexes.empty())) {
    visit.Each("GlobalSecondaryIndexes", "GlobalSecondaryIndexInfo",
               features.global_secondary_indexes, [](Visitor& of_index, auto& index) {
                 SourceIndexFields(of_index, index);
                 UnitsFields(of_index, index.provisioned_throughput.read_capacity_units,
                             index.provisioned_throughput.write_capacity_units);
                 of_index("OnDemandThroughput", index.on_demand_throughput);
               });
  }
  StreamViewFields(visit, "StreamDescription", features.stream_view_type);
  if (visit.When(features.time_to_live_attribute_name.has_value())) {
    visit.Group("TimeToLiveDescription", [&](Visitor& time_to_live) {
      time_to_live("TimeToLiveStatus", features.time_to_live_status);
      time_to_live("AttributeName", features.time_to_live_attribute_name);
    });
  }
}

template <class Visitor>
void Fields(Visitor& visit, BackupDescription& backup) {
  visit("BackupDetails", backup.details);
  visit("SourceTableDetails", backup.table);
  visit("SourceTableFeatureDetails", backup.features);
}

template <class Visitor>
void Fields(Visitor& visit, DescribeBackupRequest& request) {
  visit("BackupArn", request.backup_arn);
}

template <class Visitor>
void Fields(Visitor& visit, DescribeBackupResponse& response) {
  visit("BackupDescription", response.backup);
}

template <class Visitor>
void Fields(Visitor& visit, DeleteBackupRequest& request) {
  visit("BackupArn", request.backup_arn);
}

template <class Visitor>
void Fields(Visitor& visit, ListBackupsRequest& request) {
  visit("TableName", request.table_name);
  visit("Limit", request.limit);
  visit.Time("TimeRangeLowerBound", request.time_range_lower_bound_ms);
  visit.Time("TimeRangeUpperBound", request.time_range_upper_bound_ms);
  visit("ExclusiveStartBackupArn", request.exclusive_start_backup_arn);
  visit("BackupType", request.backup_type);
}

// The details in another order than elsewhere.
template <class Visitor>
void Fields(Visitor& visit, BackupSummary& summary) {
  BackupDetails& details = summary.details;
  visit("TableName", summary.table_name);
  visit("TableId", summary.table_id);
  visit("TableArn", summary.table_arn);
  visit("BackupArn", details.backup_arn);
  visit("BackupName", details.backup_name);
  visit.Time("BackupCreationDateTime", details.backup_creation_ms);
  visit.Time("BackupExpiryDateTime", details.backup_expiry_ms);
  visit("BackupStatus", details.backup_status);
  visit("BackupType", details.backup_type);
  visit("BackupSizeBytes", details.backup_size_bytes);
}

template <class Visitor>
void Fields(Visitor& visit, ListBackupsResponse& response) {
  visit("BackupSummaries", "BackupSummary", response.backup_summaries);
  visit("LastEvaluatedBackupArn", response.last_evaluated_backup_arn);
}

template <class Visitor>
void Fields(Visitor& visit, DescribeContinuousBackupsRequest& request) {
  visit("TableName", request.table_name);
}

template <class Visitor>
void Fields(Visitor& visit, PointInTimeRecoverySpecification& specification) {
  visit("PointInTimeRecoveryEnabled", specification.point_in_time_recovery_enabled);
  visit("RecoveryPeriodInDays", specification.recovery_period_in_days);
}

template <class Visitor>
void Fields(Visitor& visit, UpdateContinuousBackupsRequest& request) {
  visit("TableName", request.table_name);
  visit("PointInTimeRecoverySpecification", request.point_in_time_recovery_specification);
}

template <class Visitor>
void Fields(Visitor& visit, ContinuousBackupsDescription::Recovery& recovery) {
  visit("RecoveryPeriodInDays", recovery.recovery_period_in_days);
  visit.Time("EarliestRestorableDateTime", recovery.earliest_restorable_ms);
  visit.Time("LatestRestorableDateTime", recovery.latest_restorable_ms);
}

template <class Visitor>
void Fields(Visitor& visit, ContinuousBackupsDescription& backups) {
  visit.Constant("ContinuousBackupsStatus", "ENABLED");
  visit.Group("PointInTimeRecoveryDescription", [&](Visitor& description) {
    auto& recovery = backups.point_in_time_recovery;
    bool enabled = recovery.has_value();
    description.Flag("PointInTimeRecoveryStatus", enabled);
    if (!enabled) return;
    if (!recovery) recovery = ContinuousBackupsDescription::Recovery{};
    Fields(description, *recovery);
  });
}

template <class Visitor>
void Fields(Visitor& visit, ContinuousBackupsResponse& response) {
  visit("ContinuousBackupsDescription", response.continuous_backups);
}

template <class Visitor>
void Fields(Visitor& visit, RestoreOverrides& overrides) {
  visit("BillingModeOverride", overrides.billing_mode);
  visit("GlobalSecondaryIndexOverride", "GlobalSecondaryIndex", overrides.global_secondary_indexes);
  visit("LocalSecondaryIndexOverride", "LocalSecondaryIndex", overrides.local_secondary_indexes);
  visit("ProvisionedThroughputOverride", "ProvisionedThroughput", overrides.provisioned_throughput);
  visit("OnDemandThroughputOverride", "OnDemandThroughput", overrides.on_demand_throughput);
  visit("SSESpecificationOverride", "SSESpecification", overrides.sse_specification);
  visit.Unsupported({"VectorIndexOverride"});
}

template <class Visitor>
void Fields(Visitor& visit, RestoreTableFromBackupRequest& request) {
  visit("TargetTableName", request.target_table_name);
  visit("BackupArn", request.backup_arn);
  Fields(visit, request.overrides);
}

template <class Visitor>
void Fields(Visitor& visit, RestoreTableToPointInTimeRequest& request) {
  visit("SourceTableArn", request.source_table_arn);
  visit("SourceTableName", request.source_table_name);
  visit("TargetTableName", request.target_table_name);
  visit("UseLatestRestorableTime", request.use_latest_restorable_time);
  visit.Time("RestoreDateTime", request.restore_date_time_ms);
  Fields(visit, request.overrides);
}

STATOR_WIRE_OPERATION(CreateBackup);
STATOR_WIRE_OPERATION(DescribeBackup);
STATOR_WIRE_REQUEST(DeleteBackupRequest);
STATOR_WIRE_OPERATION(ListBackups);
STATOR_WIRE_REQUEST(DescribeContinuousBackupsRequest);
STATOR_WIRE_REQUEST(UpdateContinuousBackupsRequest);
STATOR_WIRE_RESPONSE(ContinuousBackupsResponse);
STATOR_WIRE_REQUEST(RestoreTableFromBackupRequest);
STATOR_WIRE_REQUEST(RestoreTableToPointInTimeRequest);

}  // namespace stator
