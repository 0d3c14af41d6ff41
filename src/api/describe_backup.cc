// DescribeBackup: tells about a backup and the table that it was made of.
#include "api/backup_description.h"
#include "api/member_reader.h"
#include "api/operations.h"
#include "base/try.h"

namespace stator {
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

constinit const Operation<DescribeBackupRequest, DescribeBackupResponse> kDescribeBackup =
    DefineOperation<DescribeBackupRequest, DescribeBackupResponse, Decode, Validate, Execute,
                    Encode>();

}  // namespace stator
