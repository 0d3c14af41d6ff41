// RestoreTableFromBackup and RestoreTableToPointInTime.
#include <fmt/format.h>

#include <algorithm>

#include "api/backups/backups.h"
#include "api/backups/continuous_backups.h"
#include "api/backups/restore_rules.h"
#include "api/constraints.h"
#include "api/operations.h"
#include "api/tables/table_constraints.h"
#include "api/tables/table_description.h"
#include "api/tables/table_reference.h"
#include "base/try.h"
#include "base/utc_text.h"
#include "engine/history/history.h"

namespace stator {

// RestoreTableFromBackup: makes a new table of a backup.
namespace restore_table_from_backup {
namespace {

struct Plan {
  std::string target_name;
  std::string backup_arn;
  RestoreOverrides overrides;
};

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

Result<RestoreTableFromBackupResponse> Execute(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const BackupPtr backup, FindBackup(plan.backup_arn, engine));
  ASSIGN_OR_RETURN(Table target,
                   MakeTarget(backup->table, plan.overrides, plan.target_name, engine));
  RETURN_IF_ERROR(CheckTargetIsFree(plan.target_name, engine));
  ASSIGN_OR_RETURN(const TablePtr table,
                   engine.recovery().RestoreBackup(*backup, std::move(target)));
  return RestoreTableFromBackupResponse{Describe(*table, engine.clock().Now())};
}

}  // namespace
}  // namespace restore_table_from_backup

STATOR_DEFINE_BACKGROUND_OPERATION(RestoreTableFromBackup, restore_table_from_backup);

// RestoreTableToPointInTime: makes a new table of what a table was at a time.
namespace restore_table_to_point_in_time {
namespace {

struct Plan {
  std::string source_name;
  std::string target_name;
  std::optional<std::int64_t> at_ms;  // absent: as late as can be
  RestoreOverrides overrides;
};

Result<std::string> SourceName(const RestoreTableToPointInTimeRequest& request,
                               const Engine& engine) {
  if (request.source_table_arn.has_value() == request.source_table_name.has_value()) {
    return std::unexpected(
        Error::Validation("Must provide exactly one of: sourceTableArn, sourceTableName"));
  }
  if (request.source_table_name) return *request.source_table_name;
  return TableNameOf(*request.source_table_arn, engine);
}

Result<void> CheckTimeIsGivenOnce(const RestoreTableToPointInTimeRequest& request) {
  const bool wants_latest = request.use_latest_restorable_time.value_or(false);
  if (wants_latest != request.restore_date_time_ms.has_value()) return {};
  return std::unexpected(
      Error::Validation("Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime "
                        "must be specified, but not both"));
}

Result<Plan> Validate(RestoreTableToPointInTimeRequest&& request, Engine& engine, Wording) {
  Constraints check;
  if (request.source_table_name) {
    ConstrainNewName(check, "sourceTableName", request.source_table_name);
  }
  ConstrainTarget(check, request.target_table_name);
  ConstrainOverrides(check, request.overrides);
  RETURN_IF_ERROR(check.Finish());
  Plan plan;
  ASSIGN_OR_RETURN(plan.source_name, SourceName(request, engine));
  RETURN_IF_ERROR(CheckTimeIsGivenOnce(request));
  RETURN_IF_ERROR(CheckOverrides(request.overrides));
  plan.target_name = *std::move(request.target_table_name);
  plan.at_ms = request.restore_date_time_ms;
  plan.overrides = std::move(request.overrides);
  return plan;
}

std::string IsoTime(TimeMs time) {
  // Years of four digits.
  const TimeMs first{std::chrono::sys_days(std::chrono::year(0) / 1 / 1)};
  const TimeMs last{std::chrono::sys_days(std::chrono::year(9999) / 12 / 31)};
  return UtcSeconds(std::clamp(time, first, last)) + "Z";
}

// Everything that is acknowledged can be restored, so the latest time is now.
Result<TimeMs> RestoreTime(const Table& source, std::optional<std::int64_t> at_ms, TimeMs now) {
  if (!at_ms) return now;
  const RestorableTimes times = RestorableTimesOf(*source.recovery, now);
  const TimeMs at{std::chrono::milliseconds(*at_ms)};
  if (at >= times.earliest && at <= std::max(now, times.latest)) return at;
  return std::unexpected(Error::InvalidRestoreTime(
      fmt::format("RestoreDateTime '{}' must be within EarliestRestorableDateTime '{}' and "
                  "LatestRestorableDateTime '{}'",
                  IsoTime(at), IsoTime(times.earliest), IsoTime(times.latest))));
}

Result<RestoreTableToPointInTimeResponse> Execute(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const TablePtr source, FindBackedUpTable(plan.source_name, engine));
  if (!source->recovery) {
    return std::unexpected(Error::PointInTimeRecoveryUnavailable(source->name));
  }
  const TimeMs now = engine.clock().Now();
  ASSIGN_OR_RETURN(const TimeMs at, RestoreTime(*source, plan.at_ms, now));
  ASSIGN_OR_RETURN(Table target, MakeTarget(*source, plan.overrides, plan.target_name, engine));
  RETURN_IF_ERROR(CheckTargetIsFree(plan.target_name, engine));
  ASSIGN_OR_RETURN(const TablePtr table,
                   engine.recovery().RestorePast(*source, at, std::move(target)));
  return RestoreTableToPointInTimeResponse{Describe(*table, now)};
}

}  // namespace
}  // namespace restore_table_to_point_in_time

STATOR_DEFINE_BACKGROUND_OPERATION(RestoreTableToPointInTime, restore_table_to_point_in_time);

}  // namespace stator
