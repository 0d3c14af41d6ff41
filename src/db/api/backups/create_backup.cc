// CreateBackup: keeps a table as it is.
#include "api/backups/backup_description.h"
#include "api/backups/continuous_backups.h"
#include "api/constraints.h"
#include "api/member_reader.h"
#include "api/operations.h"
#include "api/tables/table_reference.h"
#include "base/try.h"

namespace stator {
namespace create_backup {
namespace {

constexpr std::size_t kMinNameLength = 3;
constexpr std::size_t kMaxNameLength = 255;

struct Plan {
  std::string table_name;
  std::string backup_name;
};

Result<CreateBackupRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  CreateBackupRequest request;
  request.table_name = in.String("TableName");
  request.backup_name = in.String("BackupName");
  return in.Finish(std::move(request));
}

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
Result<CreateBackupResponse> Create(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const TablePtr table, FindBackedUpTable(plan.table_name, engine));
  ASSIGN_OR_RETURN(const BackupPtr backup,
                   engine.recovery().MakeBackup(*table, plan.backup_name, BackupType::kUser));
  CreateBackupResponse response{DescribeDetails(*backup)};
  response.details.backup_status = BackupStatus::kCreating;
  return response;
}

void Execute(Engine& engine, Plan plan, Reply<CreateBackupResponse> reply) {
  engine.background().Post([&engine, plan = std::move(plan), reply = std::move(reply)]() mutable {
    reply(Create(engine, plan));
  });
}

void Encode(const CreateBackupResponse& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("BackupDetails");
  WriteBackupDetails(out, response.details);
  out.EndObject();
}

}  // namespace
}  // namespace create_backup

constinit const Operation<CreateBackupRequest, CreateBackupResponse> kCreateBackup =
    DefineOperation<CreateBackupRequest, CreateBackupResponse, create_backup::Decode,
                    create_backup::Validate, create_backup::Execute, create_backup::Encode>();

}  // namespace stator
