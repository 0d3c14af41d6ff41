// UpdateContinuousBackups: turns point-in-time recovery on or off.
#include "api/backups/continuous_backups.h"
#include "api/constraints.h"
#include "api/member_reader.h"
#include "api/operations.h"
#include "api/tables/table_reference.h"
#include "base/try.h"

namespace stator {
namespace update_continuous_backups {
namespace {

constexpr std::int64_t kMaxDays = 35;

struct Plan {
  std::string table_name;
  bool is_enabled = false;
  std::optional<std::int64_t> days;
};

Result<UpdateContinuousBackupsRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  UpdateContinuousBackupsRequest request;
  request.table_name = in.String("TableName");
  request.point_in_time_recovery_specification = in.Structure<PointInTimeRecoverySpecification>(
      "PointInTimeRecoverySpecification", "PointInTimeRecoverySpecification",
      [](MemberReader& inner, PointInTimeRecoverySpecification& specification) {
        specification.point_in_time_recovery_enabled = inner.Boolean("PointInTimeRecoveryEnabled");
        specification.recovery_period_in_days = inner.Integer("RecoveryPeriodInDays");
      });
  return in.Finish(std::move(request));
}

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

Result<UpdateContinuousBackupsResponse> Update(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(TablePtr table, FindBackedUpTable(plan.table_name, engine));
  if (plan.is_enabled) {
    ASSIGN_OR_RETURN(table, engine.recovery().EnableHistory(table->number, plan.days));
  } else if (table->recovery) {
    ASSIGN_OR_RETURN(table, engine.recovery().DisableHistory(table->number));
  }
  return DescribeContinuousBackups(*table, engine.clock().Now());
}

void Execute(Engine& engine, Plan plan, Reply<UpdateContinuousBackupsResponse> reply) {
  engine.background().Post([&engine, plan = std::move(plan), reply = std::move(reply)]() mutable {
    reply(Update(engine, plan));
  });
}

void Encode(const UpdateContinuousBackupsResponse& response, JsonWriter& out) {
  WriteContinuousBackups(out, response);
}

}  // namespace
}  // namespace update_continuous_backups

constinit const Operation<UpdateContinuousBackupsRequest, UpdateContinuousBackupsResponse>
    kUpdateContinuousBackups =
        DefineOperation<UpdateContinuousBackupsRequest, UpdateContinuousBackupsResponse,
                        update_continuous_backups::Decode, update_continuous_backups::Validate,
                        update_continuous_backups::Execute, update_continuous_backups::Encode>();

}  // namespace stator
