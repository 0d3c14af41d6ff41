// DescribeBackup: tells about a backup and the table that it was made of.
#include "api/backups/backup_description.h"
#include "api/member_reader.h"
#include "api/operations.h"
#include "base/try.h"

namespace stator {
namespace describe_backup {
namespace {

struct Plan {
  std::string backup_arn;
};

Result<DescribeBackupRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  DescribeBackupRequest request;
  request.backup_arn = in.String("BackupArn");
  return in.Finish(std::move(request));
}

Result<Plan> Validate(const DescribeBackupRequest& request, Engine& engine, Wording) {
  RETURN_IF_ERROR(BackupIdOf(request.backup_arn, engine));
  return Plan{*request.backup_arn};
}

Result<DescribeBackupResponse> Execute(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const BackupPtr backup, FindBackup(plan.backup_arn, engine));
  return DescribeBackupResponse{Describe(*backup)};
}

void Encode(const DescribeBackupResponse& response, JsonWriter& out) {
  WriteBackupDescription(out, response.backup);
}

}  // namespace
}  // namespace describe_backup

constinit const Operation<DescribeBackupRequest, DescribeBackupResponse> kDescribeBackup =
    DefineOperation<DescribeBackupRequest, DescribeBackupResponse, describe_backup::Decode,
                    describe_backup::Validate, describe_backup::Execute, describe_backup::Encode>();

}  // namespace stator
