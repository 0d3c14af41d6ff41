// UpdateTable: changes a table's capacity, indexes, stream, class or protection.
#include <algorithm>

#include "api/invalid_value.h"
#include "api/operations.h"
#include "api/tables/capacity_change.h"
#include "api/tables/index_change.h"
#include "api/tables/setting_change.h"
#include "api/tables/stream_change.h"
#include "api/tables/table_constraints.h"
#include "api/tables/table_description.h"
#include "api/tables/table_members.h"
#include "api/tables/table_option_rules.h"
#include "api/tables/table_reference.h"
#include "api/tables/throughput_rules.h"
#include "api/tables/update_table_rules.h"
#include "base/try.h"

namespace stator {
namespace update_table {
namespace {

struct Plan {
  std::string table_name;
  UpdateTableRequest request;
};

Result<UpdateTableRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  UpdateTableRequest request;
  request.attribute_definitions = ReadAttributeDefinitions(in);
  request.table_name = in.String("TableName");
  request.billing_mode = in.Enum<BillingMode>("BillingMode");
  request.table_throughput_mode = in.Enum<BillingMode>("TableThroughputMode");
  request.provisioned_throughput = ReadProvisionedThroughput(in);
  request.global_secondary_index_updates = ReadGlobalIndexUpdates(in);
  request.stream_specification = ReadStreamSpecification(in);
  request.sse_specification = ReadSseSpecification(in);
  request.table_class = in.Enum<TableClass>("TableClass");
  request.deletion_protection_enabled = in.Boolean("DeletionProtectionEnabled");
  request.on_demand_throughput = ReadOnDemandThroughput(in);
  request.warm_throughput = ReadWarmThroughput(in);
  RefuseUnsupported(in, {"ReplicaUpdates", "MultiRegionConsistency", "GlobalTableWitnessUpdates",
                         "VectorIndexUpdates"});
  return in.Finish(std::move(request));
}

void ConstrainIndexUpdate(Constraints& check, const std::string& path,
                          const GlobalSecondaryIndexUpdate& update) {
  if (update.update) {
    ConstrainIndexName(check, path + ".update.indexName", update.update->index_name);
    if (!update.update->on_demand_throughput && !update.update->warm_throughput) {
      check.NotNull(path + ".update.provisionedThroughput", update.update->provisioned_throughput);
    }
    ConstrainThroughput(check, path + ".update.provisionedThroughput",
                        update.update->provisioned_throughput);
  }
  if (update.create) ConstrainGlobalIndex(check, path + ".create", *update.create);
  if (update.remove) {
    ConstrainIndexName(check, path + ".delete.indexName", update.remove->index_name);
  }
}

Result<void> CheckConstraints(const UpdateTableRequest& request) {
  Constraints check;
  ConstrainDefinitions(check, request.attribute_definitions);
  check.Enum("billingMode", request.billing_mode);
  check.Enum("tableThroughputMode", request.table_throughput_mode);
  ConstrainThroughput(check, "provisionedThroughput", request.provisioned_throughput);
  if (const auto& updates = request.global_secondary_index_updates) {
    for (std::size_t i = 0; i < updates->size(); ++i) {
      ConstrainIndexUpdate(check, fmt::format("globalSecondaryIndexUpdates.{}.member", i + 1),
                           (*updates)[i]);
    }
  }
  ConstrainStream(check, request.stream_specification);
  ConstrainSse(check, request.sse_specification);
  return check.Finish();
}

Result<void> CheckUnitsForMode(const UpdateTableRequest& request) {
  const auto mode = SentBillingMode(request.billing_mode, request.table_throughput_mode);
  if (mode != BillingMode::kProvisioned || request.provisioned_throughput) return {};
  return InvalidValue("ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
}

Result<Plan> Validate(const UpdateTableRequest& request, Engine& engine, Wording) {
  Plan plan;
  ASSIGN_OR_RETURN(plan.table_name, RequiredTableName(request.table_name, engine));
  RETURN_IF_ERROR(CheckConstraints(request));
  RETURN_IF_ERROR(CheckSomethingToDo(request));
  RETURN_IF_ERROR(CheckCombination(request));
  RETURN_IF_ERROR(CheckIndexActions(request));
  RETURN_IF_ERROR(CheckUnitsForMode(request));
  if (request.stream_specification)
    RETURN_IF_ERROR(CheckStreamChange(*request.stream_specification));
  RETURN_IF_ERROR(CheckTableClass(request.table_class));
  RETURN_IF_ERROR(CheckSse(request.sse_specification));
  RETURN_IF_ERROR(CheckNotHollow(request));
  plan.request = request;
  return plan;
}

// Carries out all that the request asks for on a copy of the table.
Result<IndexChanges> Apply(const UpdateTableRequest& request, const ChangeContext& context,
                           Table& table) {
  const BillingMode was = table.billing_mode;
  RETURN_IF_ERROR(ChangeTableCapacity(request, context, table));
  ASSIGN_OR_RETURN(IndexChanges changes, ChangeIndexes(request, was, context, table));
  if (request.on_demand_throughput) {
    RETURN_IF_ERROR(
        ChangeOnDemand(*request.on_demand_throughput, table.billing_mode, {}, table.on_demand));
  }
  if (request.warm_throughput) RETURN_IF_ERROR(ChangeTableWarm(*request.warm_throughput, table));
  RETURN_IF_ERROR(ChangeSettings(request, context.now, table));
  return changes;
}

// The answer shows the capacity as it was: the change is under way as far as the caller can tell.
TableDescription DescribeUpdate(const UpdateTableRequest& request, const IndexChanges& changes,
                                const Table& before, const Table& after, TimeMs now) {
  TableDescription described = Describe(after, now);
  const TableDescription old = Describe(before, now);
  // These two are done at once, even on the service.
  if (!request.deletion_protection_enabled && !request.sse_specification) {
    described.table_status = TableStatus::kUpdating;
  }
  described.provisioned_throughput = old.provisioned_throughput;
  if (request.warm_throughput) described.warm_throughput->status = IndexStatus::kUpdating;
  for (const TableDescription::Index& index : old.global_secondary_indexes) {
    const auto shown = std::ranges::find(described.global_secondary_indexes, index.index_name,
                                         &TableDescription::Index::index_name);
    shown->provisioned_throughput = index.provisioned_throughput;
    if (std::ranges::find(changes.updated, index.index_name) != changes.updated.end()) {
      shown->index_status = IndexStatus::kUpdating;
    }
  }
  return described;
}

Result<UpdateTableResponse> Update(Engine& engine, const Plan& plan) {
  const TablePtr before = engine.catalog().Find(plan.table_name);
  if (!before) return std::unexpected(TableNotFound(plan.table_name));
  RETURN_IF_ERROR(CheckIsCreated(*before));
  const TimeMs now = engine.clock().Now();
  IndexChanges changes;
  StreamChange stream_change;
  ASSIGN_OR_RETURN(
      const TablePtr after,
      engine.catalog().Change(
          before->number,
          [&](Table& table) -> Result<void> {
            ASSIGN_OR_RETURN(changes, Apply(plan.request, {now, engine.region()}, table));
            ASSIGN_OR_RETURN(stream_change, ChangeStream(plan.request.stream_specification,
                                                         engine.streams(), now, table));
            return {};
          },
          stream_change.rows));
  if (stream_change.stream) {
    RETURN_IF_ERROR(engine.FollowStream(*std::move(stream_change.stream)));
  }
  if (changes.created) engine.StartBackfill(after->number, *changes.created);
  if (changes.removed) engine.StartIndexRemoval(after->number, *changes.removed);
  return UpdateTableResponse{DescribeUpdate(plan.request, changes, *before, *after, now)};
}

void Execute(Engine& engine, Plan plan, Reply<UpdateTableResponse> reply) {
  engine.background().Post([&engine, plan = std::move(plan), reply = std::move(reply)]() mutable {
    reply(Update(engine, plan));
  });
}

void Encode(const UpdateTableResponse& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("TableDescription");
  WriteTableDescription(out, response.table);
  out.EndObject();
}

}  // namespace
}  // namespace update_table

constinit const Operation<UpdateTableRequest, UpdateTableResponse> kUpdateTable =
    DefineOperation<UpdateTableRequest, UpdateTableResponse, update_table::Decode,
                    update_table::Validate, update_table::Execute, update_table::Encode>();

}  // namespace stator
