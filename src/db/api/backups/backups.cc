// CreateBackup, DescribeBackup, DeleteBackup and ListBackups.
#include "api/backups/backups.h"

#include <string_view>

#include "api/backups/continuous_backups.h"
#include "api/constraints.h"
#include "api/operations.h"
#include "api/request_rules.h"
#include "api/tables/table_description.h"
#include "api/tables/table_reference.h"
#include "base/try.h"
#include "wire/enum_text.h"

namespace stator {

namespace {

constexpr std::string_view kBackupPart = "/backup/";

// What a backup's ARN begins with, up to the name of its table.
std::string ArnStart(const Engine& engine) { return TableArn(engine, ""); }

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
  if (!IsArnId(id)) return std::unexpected(Error::Validation("Invalid Backup ARN"));
  return id;
}

Result<BackupPtr> FindBackup(const std::string& arn, Engine& engine) {
  ASSIGN_OR_RETURN(const std::string id, BackupIdOf(arn, engine));
  ASSIGN_OR_RETURN(BackupPtr backup,
                   engine.LookUp([&] { return engine.recovery().backups().Find(id); }));
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
    described.features.time_to_live_status = EnumText(backup.table.time_to_live->status);
  }
  return described;
}

// CreateBackup: keeps a table as it is.
namespace create_backup {
namespace {

constexpr std::size_t kMinNameLength = 3;
constexpr std::size_t kMaxNameLength = 255;

struct Plan {
  std::string table_name;
  std::string backup_name;
};

// Minimum length before the pattern: the order of the control plane.
Result<void> CheckName(const std::optional<std::string>& name) {
  Constraints check;
  check.NotNull("backupName", name);
  if (name) {
    check.Length(Constraints::Quoted(*name), "backupName", name->size(), kMinNameLength,
                 kMaxNameLength);
    check.NamePattern("backupName", *name);
  }
  return check.Finish();
}

Result<Plan> Validate(const CreateBackupRequest& request, Engine& engine, Wording) {
  Plan plan;
  ASSIGN_OR_RETURN(plan.table_name, RequiredTableName(request.table_name, engine));
  RETURN_IF_ERROR(CheckName(request.backup_name));
  plan.backup_name = *request.backup_name;
  return plan;
}

// The backup is being created as far as the answer goes, though it is there.
Result<CreateBackupResponse> MakeBackup(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const TablePtr table, FindBackedUpTable(plan.table_name, engine));
  ASSIGN_OR_RETURN(const BackupPtr backup,
                   engine.recovery().MakeBackup(*table, plan.backup_name, BackupType::kUser));
  CreateBackupResponse response{DescribeDetails(*backup)};
  response.details.backup_status = BackupStatus::kCreating;
  return response;
}

void Execute(Engine& engine, Plan plan, Reply<CreateBackupResponse> reply) {
  engine.copying().Post([&engine, plan = std::move(plan), reply = std::move(reply)]() mutable {
    reply(api_internal::RunChange<MakeBackup>(engine, std::move(plan)));
  });
}

}  // namespace
}  // namespace create_backup

STATOR_DEFINE_OPERATION(CreateBackup, create_backup);

// DescribeBackup: tells about a backup and the table that it was made of.
namespace describe_backup {
namespace {

struct Plan {
  std::string backup_arn;
};

Result<Plan> Validate(const DescribeBackupRequest& request, Engine& engine, Wording) {
  RETURN_IF_ERROR(BackupIdOf(request.backup_arn, engine));
  return Plan{*request.backup_arn};
}

Result<DescribeBackupResponse> Execute(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const BackupPtr backup, FindBackup(plan.backup_arn, engine));
  return DescribeBackupResponse{Describe(*backup)};
}

}  // namespace
}  // namespace describe_backup

STATOR_DEFINE_OPERATION(DescribeBackup, describe_backup);

// DeleteBackup: forgets a backup.
namespace delete_backup {
namespace {

struct Plan {
  std::string backup_arn;
};

Result<Plan> Validate(const DeleteBackupRequest& request, Engine& engine, Wording) {
  RETURN_IF_ERROR(BackupIdOf(request.backup_arn, engine));
  return Plan{*request.backup_arn};
}

Result<DeleteBackupResponse> Execute(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const BackupPtr backup, FindBackup(plan.backup_arn, engine));
  if (engine.recovery().IsInUse(*backup)) {
    return std::unexpected(Error::BackupInUse(backup->arn));
  }
  RETURN_IF_ERROR(engine.recovery().DeleteBackup(*backup));
  DeleteBackupResponse response{Describe(*backup)};
  response.backup.details.backup_status = BackupStatus::kDeleted;
  return response;
}

}  // namespace
}  // namespace delete_backup

STATOR_DEFINE_BACKGROUND_OPERATION(DeleteBackup, delete_backup);

// ListBackups: backups in the order of their creation, page by page.
namespace list_backups {
namespace {

constexpr std::int64_t kMaxPage = 100;

struct Plan {
  std::optional<std::string> table_name;
  std::optional<std::int64_t> from_ms;
  std::optional<std::int64_t> before_ms;
  BackupTypeFilter type = BackupTypeFilter::kUser;
  std::string start_after;  // an id; empty: from the beginning
  std::size_t limit = kMaxPage;
};

Result<Plan> Validate(const ListBackupsRequest& request, Engine& engine, Wording) {
  Plan plan;
  if (request.table_name) {
    ASSIGN_OR_RETURN(plan.table_name, RequiredTableName(request.table_name, engine));
  }
  Constraints check;
  check.AtLeast("limit", request.limit, 1);
  check.AtMost("limit", request.limit, kMaxPage);
  check.Enum("backupType", request.backup_type);
  RETURN_IF_ERROR(check.Finish());
  plan.from_ms = request.time_range_lower_bound_ms;
  plan.before_ms = request.time_range_upper_bound_ms;
  if (plan.from_ms && plan.before_ms && *plan.from_ms > *plan.before_ms) {
    return InvalidValue("Time range lower bound must be less than or equal to upper bound");
  }
  if (request.exclusive_start_backup_arn) {
    ASSIGN_OR_RETURN(plan.start_after, BackupIdOf(request.exclusive_start_backup_arn, engine));
  }
  if (request.backup_type) plan.type = request.backup_type->value();
  if (request.limit) plan.limit = static_cast<std::size_t>(*request.limit);
  return plan;
}

bool HasType(const Backup& backup, BackupTypeFilter wanted) {
  switch (wanted) {
    case BackupTypeFilter::kUser:
      return backup.type == BackupType::kUser;
    case BackupTypeFilter::kSystem:
      return backup.type == BackupType::kSystem;
    case BackupTypeFilter::kAwsBackup:
      return backup.type == BackupType::kAwsBackup;
    case BackupTypeFilter::kAll:
      return true;
  }
  return false;
}

bool IsWanted(const Backup& backup, const Plan& plan) {
  return (!plan.table_name || backup.table.name == *plan.table_name) &&
         (!plan.from_ms || backup.creation_ms >= *plan.from_ms) &&
         (!plan.before_ms || backup.creation_ms < *plan.before_ms) && HasType(backup, plan.type) &&
         backup.id > plan.start_after;
}

Result<ListBackupsResponse> Execute(Engine& engine, const Plan& plan) {
  RETURN_IF_ERROR(engine.BringCatalogUpToDate());
  ListBackupsResponse response;
  for (const BackupPtr& backup : engine.recovery().backups().All()) {
    if (!IsWanted(*backup, plan)) continue;
    if (response.backup_summaries.size() == plan.limit) {
      response.last_evaluated_backup_arn = response.backup_summaries.back().details.backup_arn;
      break;
    }
    response.backup_summaries.push_back({.table_name = backup->table.name,
                                         .table_id = backup->table.id,
                                         .table_arn = backup->table.arn,
                                         .details = DescribeDetails(*backup)});
  }
  return response;
}

}  // namespace
}  // namespace list_backups

STATOR_DEFINE_OPERATION(ListBackups, list_backups);

}  // namespace stator
