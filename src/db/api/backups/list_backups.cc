// ListBackups: backups in the order of their creation, page by page.
#include "api/backups/backup_description.h"
#include "api/constraints.h"
#include "api/enum_text.h"
#include "api/invalid_value.h"
#include "api/member_reader.h"
#include "api/operations.h"
#include "api/tables/table_reference.h"
#include "base/try.h"

namespace stator {
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

Result<ListBackupsRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  ListBackupsRequest request;
  request.table_name = in.String("TableName");
  request.limit = in.Integer("Limit");
  request.time_range_lower_bound_ms = in.TimestampMs("TimeRangeLowerBound");
  request.time_range_upper_bound_ms = in.TimestampMs("TimeRangeUpperBound");
  request.exclusive_start_backup_arn = in.String("ExclusiveStartBackupArn");
  request.backup_type = in.Enum<BackupTypeFilter>("BackupType");
  return in.Finish(std::move(request));
}

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

void WriteSummary(JsonWriter& out, const BackupSummary& summary) {
  const BackupDetails& details = summary.details;
  out.BeginObject();
  out.Key("TableName").String(summary.table_name);
  out.Key("TableId").String(summary.table_id);
  out.Key("TableArn").String(summary.table_arn);
  out.Key("BackupArn").String(details.backup_arn);
  out.Key("BackupName").String(details.backup_name);
  out.Key("BackupCreationDateTime").TimestampMs(details.backup_creation_ms);
  if (details.backup_expiry_ms) {
    out.Key("BackupExpiryDateTime").TimestampMs(*details.backup_expiry_ms);
  }
  out.Key("BackupStatus").String(EnumText(details.backup_status));
  out.Key("BackupType").String(EnumText(details.backup_type));
  out.Key("BackupSizeBytes").Integer(details.backup_size_bytes);
  out.EndObject();
}

void Encode(const ListBackupsResponse& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("BackupSummaries").BeginArray();
  for (const BackupSummary& summary : response.backup_summaries) WriteSummary(out, summary);
  out.EndArray();
  if (response.last_evaluated_backup_arn) {
    out.Key("LastEvaluatedBackupArn").String(*response.last_evaluated_backup_arn);
  }
  out.EndObject();
}

}  // namespace
}  // namespace list_backups

constinit const Operation<ListBackupsRequest, ListBackupsResponse> kListBackups =
    DefineOperation<ListBackupsRequest, ListBackupsResponse, list_backups::Decode,
                    list_backups::Validate, list_backups::Execute, list_backups::Encode>();

}  // namespace stator
