#include "api/backups/backup_description.h"

#include <algorithm>
#include <string_view>

#include "api/constraints.h"
#include "api/tables/table_description.h"
#include "base/try.h"

namespace stator {
namespace {

constexpr std::string_view kBackupPart = "/backup/";
constexpr std::size_t kMaxArnLength = 1024;

std::string_view TimeToLiveText(TimeToLiveStatus status) {
  switch (status) {
    case TimeToLiveStatus::kEnabling:
      return "ENABLING";
    case TimeToLiveStatus::kEnabled:
      return "ENABLED";
    case TimeToLiveStatus::kDisabling:
      return "DISABLING";
  }
  return "ENABLED";
}

// What a backup's ARN begins with, up to the name of its table.
std::string ArnStart(const Engine& engine) { return TableArn(engine, ""); }

bool IsId(std::string_view id) {
  return !id.empty() && std::ranges::all_of(id, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || c == '-';
  });
}

}  // namespace

Result<std::string> BackupIdOf(const std::optional<std::string>& arn, const Engine& engine) {
  Constraints check;
  check.NotNull("backupArn", arn);
  RETURN_IF_ERROR(check.Finish());
  const std::string start = ArnStart(engine);
  const std::size_t part = arn->rfind(kBackupPart);
  const bool is_arn = arn->size() <= kMaxArnLength && arn->starts_with(start) &&
                      part != std::string::npos && part > start.size();
  std::string id = is_arn ? arn->substr(part + kBackupPart.size()) : std::string();
  if (!IsId(id)) return std::unexpected(Error::Validation("Invalid Backup ARN"));
  return id;
}

Result<BackupPtr> FindBackup(const std::string& arn, Engine& engine) {
  ASSIGN_OR_RETURN(const std::string id, BackupIdOf(arn, engine));
  BackupPtr backup = engine.recovery().backups().Find(id);
  if (!backup || backup->arn != arn) return std::unexpected(Error::BackupNotFound(arn));
  return backup;
}

BackupDetails DescribeDetails(const Backup& backup) {
  return {.backup_arn = backup.arn,
          .backup_name = backup.name,
          .backup_size_bytes = backup.bytes,
          .backup_status = BackupStatus::kAvailable,
          .backup_type = backup.type,
          .backup_creation_ms = backup.creation_ms,
          .backup_expiry_ms = backup.expiry_ms};
}

BackupDescription Describe(const Backup& backup) {
  const TableDescription table =
      Describe(backup.table, TimeMs(std::chrono::milliseconds(backup.creation_ms)));
  BackupDescription described;
  described.details = DescribeDetails(backup);
  described.table = {.table_name = table.table_name,
                     .table_id = table.table_id,
                     .table_arn = table.table_arn,
                     .table_size_bytes = backup.bytes,
                     .key_schema = table.key_schema,
                     .table_creation_ms = table.creation_ms,
                     .read_capacity_units = table.provisioned_throughput.read_capacity_units,
                     .write_capacity_units = table.provisioned_throughput.write_capacity_units,
                     .on_demand_throughput = table.on_demand_throughput,
                     .item_count = backup.items,
                     .billing_mode = backup.table.billing_mode};
  described.features.local_secondary_indexes = table.local_secondary_indexes;
  described.features.global_secondary_indexes = table.global_secondary_indexes;
  if (backup.table.stream) described.features.stream_view_type = backup.table.stream->view;
  if (backup.table.time_to_live) {
    described.features.time_to_live_attribute_name = backup.table.time_to_live->attribute;
    described.features.time_to_live_status = TimeToLiveText(backup.table.time_to_live->status);
  }
  return described;
}

}  // namespace stator
