// UpdateTimeToLive and DescribeTimeToLive.
#include "api/constraints.h"
#include "api/operations.h"
#include "api/tables/table_description.h"
#include "api/tables/table_reference.h"
#include "base/try.h"
#include "wire/enum_text.h"

namespace stator {

// UpdateTimeToLive: names the attribute by which items of a table expire, or lets none expire.
namespace update_time_to_live {
namespace {

constexpr std::size_t kMaxAttributeNameLength = 255;
// A second change within this time is refused.
constexpr std::chrono::minutes kCooldown{30};

struct Plan {
  std::string table_name;
  bool enabled = false;
  std::string attribute;
};

Result<void> CheckConstraints(const UpdateTimeToLiveRequest& request) {
  Constraints check;
  check.NotNull("timeToLiveSpecification", request.specification);
  if (const auto& specification = request.specification) {
    const std::string path = "timeToLiveSpecification.attributeName";
    check.NotNull("timeToLiveSpecification.enabled", specification->enabled);
    check.NotNull(path, specification->attribute_name);
    if (const auto& name = specification->attribute_name) {
      check.Length(Constraints::Quoted(*name), path, name->size(), 1, kMaxAttributeNameLength);
    }
  }
  return check.Finish();
}

Result<Plan> Validate(const UpdateTimeToLiveRequest& request, Engine& engine, Wording) {
  Plan plan;
  ASSIGN_OR_RETURN(plan.table_name, RequiredTableName(request.table_name, engine));
  RETURN_IF_ERROR(CheckConstraints(request));
  plan.enabled = *request.specification->enabled;
  plan.attribute = *request.specification->attribute_name;
  return plan;
}

Result<void> CheckChange(const Table& table, const Plan& plan, TimeMs now) {
  const auto refuse = [](std::string message) {
    return std::unexpected(Error::Validation(std::move(message)));
  };
  const auto& current = table.time_to_live;
  if (!plan.enabled && !current) return refuse("TimeToLive is already disabled");
  if (current && current->attribute != plan.attribute) {
    return refuse("TimeToLive is active on a different AttributeName: current AttributeName is " +
                  current->attribute);
  }
  if (plan.enabled && current) return refuse("TimeToLive is already enabled");
  const auto changed_ms = table.time_to_live_change_ms;
  if (changed_ms && now.time_since_epoch() - std::chrono::milliseconds(*changed_ms) < kCooldown) {
    return refuse("Time to live has been modified multiple times within a fixed interval");
  }
  return {};
}

Result<UpdateTimeToLiveResponse> Execute(Engine& engine, const Plan& plan) {
  const TablePtr table = engine.catalog().Find(plan.table_name);
  if (!table) return std::unexpected(TableNotFound(plan.table_name));
  RETURN_IF_ERROR(CheckChange(*table, plan, engine.clock().Now()));
  RETURN_IF_ERROR(plan.enabled ? engine.EnableTimeToLive(table->number, plan.attribute)
                               : engine.DisableTimeToLive(table->number));
  return UpdateTimeToLiveResponse{{.enabled = plan.enabled, .attribute_name = plan.attribute}};
}

}  // namespace
}  // namespace update_time_to_live

STATOR_DEFINE_BACKGROUND_OPERATION(UpdateTimeToLive, update_time_to_live);

// DescribeTimeToLive: tells by which attribute items of a table expire.
namespace describe_time_to_live {
namespace {

struct Plan {
  std::string table_name;
};

Result<Plan> Validate(const DescribeTimeToLiveRequest& request, Engine& engine, Wording) {
  Plan plan;
  ASSIGN_OR_RETURN(plan.table_name, RequiredTableName(request.table_name, engine));
  return plan;
}

Result<DescribeTimeToLiveResponse> Execute(Engine& engine, Plan plan) {
  ASSIGN_OR_RETURN(const TablePtr table,
                   engine.LookUp([&] { return engine.catalog().Find(plan.table_name); }));
  if (!table) return std::unexpected(TableNotFound(plan.table_name));
  if (!table->time_to_live)
    return DescribeTimeToLiveResponse{.status = std::string(EnumText(TimeToLiveStatus::kDisabled))};
  return DescribeTimeToLiveResponse{.status = std::string(EnumText(table->time_to_live->status)),
                                    .attribute_name = table->time_to_live->attribute};
}

}  // namespace
}  // namespace describe_time_to_live

STATOR_DEFINE_OPERATION(DescribeTimeToLive, describe_time_to_live);

}  // namespace stator
