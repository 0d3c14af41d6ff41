// Requests and responses of backups and point-in-time recovery, with DynamoDB's own names. Times are
// milliseconds since the epoch.
#ifndef STATOR_RECOVERY_H_
#define STATOR_RECOVERY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stator/table_operations.h"

namespace stator {

enum class BackupType : std::uint8_t { kUser, kSystem, kAwsBackup };
enum class BackupTypeFilter : std::uint8_t { kUser, kSystem, kAwsBackup, kAll };
enum class BackupStatus : std::uint8_t { kCreating, kDeleted, kAvailable };

struct BackupDetails {
  std::string backup_arn;
  std::string backup_name;
  std::int64_t backup_size_bytes = 0;
  BackupStatus backup_status = BackupStatus::kAvailable;
  BackupType backup_type = BackupType::kUser;
  std::int64_t backup_creation_ms = 0;
  std::optional<std::int64_t> backup_expiry_ms;
};

// The table that a backup was made of, as it was then.
struct SourceTableDetails {
  std::string table_name;
  std::string table_id;
  std::string table_arn;
  std::int64_t table_size_bytes = 0;
  std::vector<std::pair<std::string, KeyType>> key_schema;
  std::int64_t table_creation_ms = 0;
  std::int64_t read_capacity_units = 0;
  std::int64_t write_capacity_units = 0;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::int64_t item_count = 0;
  BillingMode billing_mode = BillingMode::kProvisioned;
};
struct SourceTableFeatureDetails {
  std::vector<TableDescription::Index> local_secondary_indexes;
  std::vector<TableDescription::Index> global_secondary_indexes;
  std::optional<StreamViewType> stream_view_type;          // of its stream, if it had one
  std::optional<std::string> time_to_live_attribute_name;  // if its items expired
  std::string time_to_live_status;
};
struct BackupDescription {
  BackupDetails details;
  SourceTableDetails table;
  SourceTableFeatureDetails features;
};

struct CreateBackupRequest {
  std::optional<std::string> table_name;
  std::optional<std::string> backup_name;
};
struct CreateBackupResponse {
  BackupDetails details;
};

struct DescribeBackupRequest {
  std::optional<std::string> backup_arn;
};
struct DescribeBackupResponse {
  BackupDescription backup;
};

struct DeleteBackupRequest {
  std::optional<std::string> backup_arn;
};
using DeleteBackupResponse = DescribeBackupResponse;

struct ListBackupsRequest {
  std::optional<std::string> table_name;
  std::optional<std::int64_t> limit;
  std::optional<std::int64_t> time_range_lower_bound_ms;  // inclusive
  std::optional<std::int64_t> time_range_upper_bound_ms;  // exclusive
  std::optional<std::string> exclusive_start_backup_arn;
  std::optional<Choice<BackupTypeFilter>> backup_type;  // absent: those that users made
};
struct BackupSummary {
  std::string table_name;
  std::string table_id;
  std::string table_arn;
  BackupDetails details;
};
struct ListBackupsResponse {
  std::vector<BackupSummary> backup_summaries;
  std::optional<std::string> last_evaluated_backup_arn;
};

struct DescribeContinuousBackupsRequest {
  std::optional<std::string> table_name;
};
struct PointInTimeRecoverySpecification {
  std::optional<bool> point_in_time_recovery_enabled;
  std::optional<std::int64_t> recovery_period_in_days;
};
struct UpdateContinuousBackupsRequest {
  std::optional<std::string> table_name;
  std::optional<PointInTimeRecoverySpecification> point_in_time_recovery_specification;
};
struct ContinuousBackupsDescription {
  // Of a table with point-in-time recovery.
  struct Recovery {
    std::int64_t recovery_period_in_days = 35;
    std::int64_t earliest_restorable_ms = 0;
    std::int64_t latest_restorable_ms = 0;
  };
  std::optional<Recovery> point_in_time_recovery;
};
struct ContinuousBackupsResponse {
  ContinuousBackupsDescription continuous_backups;
};
using DescribeContinuousBackupsResponse = ContinuousBackupsResponse;
using UpdateContinuousBackupsResponse = ContinuousBackupsResponse;

// What a restored table has instead of what its source has.
struct RestoreOverrides {
  std::optional<Choice<BillingMode>> billing_mode;
  std::optional<std::vector<GlobalSecondaryIndex>> global_secondary_indexes;  // empty: none
  std::optional<std::vector<LocalSecondaryIndex>> local_secondary_indexes;
  std::optional<ProvisionedThroughput> provisioned_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<SseSpecification> sse_specification;
};

struct RestoreTableFromBackupRequest {
  std::optional<std::string> target_table_name;
  std::optional<std::string> backup_arn;
  RestoreOverrides overrides;
};
struct RestoreTableToPointInTimeRequest {
  std::optional<std::string> source_table_arn;
  std::optional<std::string> source_table_name;
  std::optional<std::string> target_table_name;
  std::optional<bool> use_latest_restorable_time;
  std::optional<std::int64_t> restore_date_time_ms;
  RestoreOverrides overrides;
};
using RestoreTableFromBackupResponse = TableDescriptionResponse;
using RestoreTableToPointInTimeResponse = TableDescriptionResponse;

}  // namespace stator

#endif  // STATOR_RECOVERY_H_
