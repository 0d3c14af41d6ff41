// DeleteBackup: forgets a backup.
#include "api/backups/backup_description.h"
#include "api/member_reader.h"
#include "api/operations.h"
#include "base/try.h"

namespace stator {
namespace delete_backup {
namespace {

struct Plan {
  std::string backup_arn;
};

Result<DeleteBackupRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  DeleteBackupRequest request;
  request.backup_arn = in.String("BackupArn");
  return in.Finish(std::move(request));
}

Result<Plan> Validate(const DeleteBackupRequest& request, Engine& engine, Wording) {
  RETURN_IF_ERROR(BackupIdOf(request.backup_arn, engine));
  return Plan{*request.backup_arn};
}

Result<DeleteBackupResponse> Delete(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const BackupPtr backup, FindBackup(plan.backup_arn, engine));
  if (engine.recovery().IsInUse(*backup)) {
    return std::unexpected(Error::BackupInUse(backup->arn));
  }
  RETURN_IF_ERROR(engine.recovery().DeleteBackup(*backup));
  DeleteBackupResponse response{Describe(*backup)};
  response.backup.details.backup_status = BackupStatus::kDeleted;
  return response;
}

void Execute(Engine& engine, Plan plan, Reply<DeleteBackupResponse> reply) {
  engine.background().Post([&engine, plan = std::move(plan), reply = std::move(reply)]() mutable {
    reply(Delete(engine, plan));
  });
}

void Encode(const DeleteBackupResponse& response, JsonWriter& out) {
  WriteBackupDescription(out, response.backup);
}

}  // namespace
}  // namespace delete_backup

constinit const Operation<DeleteBackupRequest, DeleteBackupResponse> kDeleteBackup =
    DefineOperation<DeleteBackupRequest, DeleteBackupResponse, delete_backup::Decode,
                    delete_backup::Validate, delete_backup::Execute, delete_backup::Encode>();

}  // namespace stator
