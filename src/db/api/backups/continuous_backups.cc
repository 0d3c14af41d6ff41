// DescribeContinuousBackups and UpdateContinuousBackups.
#include "api/backups/continuous_backups.h"

#include "api/constraints.h"
#include "api/operations.h"
#include "api/tables/table_reference.h"
#include "base/try.h"
#include "engine/history/history.h"

namespace stator {

Result<TablePtr> FindBackedUpTable(const std::string& name, const Engine& engine) {
  Result<TablePtr> table = engine.FindTable(name);
  if (!table) return std::unexpected(Error::TableNotFound(name));
  return table;
}

ContinuousBackupsResponse DescribeContinuousBackups(const Table& table, TimeMs now) {
  ContinuousBackupsResponse response;
  if (!table.recovery) return response;
  const RestorableTimes times = RestorableTimesOf(*table.recovery, now);
  response.continuous_backups.point_in_time_recovery = {
      .recovery_period_in_days = table.recovery->days,
      .earliest_restorable_ms = times.earliest.time_since_epoch().count(),
      .latest_restorable_ms = times.latest.time_since_epoch().count()};
  return response;
}

// DescribeContinuousBackups: tells to which times a table can be restored.
namespace describe_continuous_backups {
namespace {

struct Plan {
  std::string table_name;
};

Result<Plan> Validate(const DescribeContinuousBackupsRequest& request, Engine& engine, Wording) {
  Plan plan;
  ASSIGN_OR_RETURN(plan.table_name, RequiredTableName(request.table_name, engine));
  return plan;
}

Result<DescribeContinuousBackupsResponse> Execute(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const TablePtr table, FindBackedUpTable(plan.table_name, engine));
  return DescribeContinuousBackups(*table, engine.clock().Now());
}

}  // namespace
}  // namespace describe_continuous_backups

STATOR_DEFINE_OPERATION(DescribeContinuousBackups, describe_continuous_backups);

// UpdateContinuousBackups: turns point-in-time recovery on or off.
namespace update_continuous_backups {
namespace {

constexpr std::int64_t kMaxDays = 35;

struct Plan {
  std::string table_name;
  bool is_enabled = false;
  std::optional<std::int64_t> days;
};

Result<void> CheckConstraints(const UpdateContinuousBackupsRequest& request) {
  const auto& specification = request.point_in_time_recovery_specification;
  Constraints check;
  check.NotNull("pointInTimeRecoverySpecification", specification);
  if (specification) {
    check.NotNull("pointInTimeRecoverySpecification.pointInTimeRecoveryEnabled",
                  specification->point_in_time_recovery_enabled);
    const std::string_view days = "pointInTimeRecoverySpecification.recoveryPeriodInDays";
    check.AtLeast(days, specification->recovery_period_in_days, 1);
    check.AtMost(days, specification->recovery_period_in_days, kMaxDays);
  }
  return check.Finish();
}

Result<Plan> Validate(const UpdateContinuousBackupsRequest& request, Engine& engine, Wording) {
  Plan plan;
  ASSIGN_OR_RETURN(plan.table_name, RequiredTableName(request.table_name, engine));
  RETURN_IF_ERROR(CheckConstraints(request));
  plan.is_enabled = *request.point_in_time_recovery_specification->point_in_time_recovery_enabled;
  plan.days = request.point_in_time_recovery_specification->recovery_period_in_days;
  if (!plan.is_enabled && plan.days) {
    return std::unexpected(
        Error::Validation("Invalid Request: Cannot specify RecoveryPeriodInDays when disabling "
                          "point-in-time recovery."));
  }
  return plan;
}

Result<UpdateContinuousBackupsResponse> Execute(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(TablePtr table, FindBackedUpTable(plan.table_name, engine));
  if (plan.is_enabled) {
    ASSIGN_OR_RETURN(table, engine.recovery().EnableHistory(table->number, plan.days));
  } else if (table->recovery) {
    ASSIGN_OR_RETURN(table, engine.recovery().DisableHistory(table->number));
  }
  return DescribeContinuousBackups(*table, engine.clock().Now());
}

}  // namespace
}  // namespace update_continuous_backups

STATOR_DEFINE_BACKGROUND_OPERATION(UpdateContinuousBackups, update_continuous_backups);

}  // namespace stator
