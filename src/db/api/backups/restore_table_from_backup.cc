// RestoreTableFromBackup: makes a new table of a backup.
#include "api/backups/backup_description.h"
#include "api/backups/restore_rules.h"
#include "api/constraints.h"
#include "api/member_reader.h"
#include "api/operations.h"
#include "api/tables/table_description.h"
#include "base/try.h"

namespace stator {
namespace restore_table_from_backup {
namespace {

struct Plan {
  std::string target_name;
  std::string backup_arn;
  RestoreOverrides overrides;
};

Result<RestoreTableFromBackupRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  RestoreTableFromBackupRequest request;
  request.target_table_name = in.String("TargetTableName");
  request.backup_arn = in.String("BackupArn");
  request.overrides = ReadOverrides(in);
  return in.Finish(std::move(request));
}

Result<Plan> Validate(RestoreTableFromBackupRequest&& request, Engine& engine, Wording) {
  Constraints check;
  ConstrainTarget(check, request.target_table_name);
  check.NotNull("backupArn", request.backup_arn);
  ConstrainOverrides(check, request.overrides);
  RETURN_IF_ERROR(check.Finish());
  RETURN_IF_ERROR(BackupIdOf(request.backup_arn, engine));
  RETURN_IF_ERROR(CheckOverrides(request.overrides));
  return Plan{*std::move(request.target_table_name), *std::move(request.backup_arn),
              std::move(request.overrides)};
}

Result<RestoreTableFromBackupResponse> Restore(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const BackupPtr backup, FindBackup(plan.backup_arn, engine));
  ASSIGN_OR_RETURN(Table target,
                   MakeTarget(backup->table, plan.overrides, plan.target_name, engine));
  RETURN_IF_ERROR(CheckTargetIsFree(plan.target_name, engine));
  ASSIGN_OR_RETURN(const TablePtr table,
                   engine.recovery().RestoreBackup(*backup, std::move(target)));
  return RestoreTableFromBackupResponse{Describe(*table, engine.clock().Now())};
}

void Execute(Engine& engine, Plan plan, Reply<RestoreTableFromBackupResponse> reply) {
  engine.background().Post([&engine, plan = std::move(plan), reply = std::move(reply)]() mutable {
    reply(Restore(engine, plan));
  });
}

void Encode(const RestoreTableFromBackupResponse& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("TableDescription");
  WriteTableDescription(out, response.table);
  out.EndObject();
}

}  // namespace
}  // namespace restore_table_from_backup

constinit const Operation<RestoreTableFromBackupRequest, RestoreTableFromBackupResponse>
    kRestoreTableFromBackup =
        DefineOperation<RestoreTableFromBackupRequest, RestoreTableFromBackupResponse,
                        restore_table_from_backup::Decode, restore_table_from_backup::Validate,
                        restore_table_from_backup::Execute, restore_table_from_backup::Encode>();

}  // namespace stator
