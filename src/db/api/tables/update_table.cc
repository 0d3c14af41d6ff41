// UpdateTable: what a request may hold, whatever the table is like (behaviour.md §9.4), then the
// operation. What it changes is in capacity_change.h and table_change.h.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "api/operations.h"
#include "api/request_rules.h"
#include "api/tables/capacity_change.h"
#include "api/tables/table_change.h"
#include "api/tables/table_constraints.h"
#include "api/tables/table_description.h"
#include "api/tables/table_reference.h"
#include "api/tables/throughput_rules.h"
#include "base/try.h"

namespace stator {

namespace {

using IndexUpdate = GlobalSecondaryIndexUpdate;

bool HasIndexUpdates(const UpdateTableRequest& request) {
  return request.global_secondary_index_updates && !request.global_secondary_index_updates->empty();
}

bool HasBillingMode(const UpdateTableRequest& request) {
  return request.billing_mode || request.table_throughput_mode;
}

// The members that change something; a billing mode and its throughput count as one.
struct Operations {
  explicit Operations(const UpdateTableRequest& request)
      : iops(HasBillingMode(request) || request.provisioned_throughput),
        indexes(HasIndexUpdates(request)),
        stream(request.stream_specification),
        sse(request.sse_specification),
        table_class(request.table_class),
        protection(request.deletion_protection_enabled),
        on_demand(request.on_demand_throughput),
        warm(request.warm_throughput) {}
  int Count() const {
    return iops + indexes + stream + sse + table_class + protection + on_demand + warm;
  }
  bool iops, indexes, stream, sse, table_class, protection, on_demand, warm;
};

template <class Predicate>
bool AnyIndexUpdate(const UpdateTableRequest& request, Predicate predicate) {
  return HasIndexUpdates(request) &&
         std::ranges::any_of(*request.global_secondary_index_updates, predicate);
}

Result<void> CheckOnlyOperation(const Operations& operations) {
  if (operations.Count() <= 1) return {};
  const std::pair<bool, std::string_view> exclusive[] = {
      {operations.sse, "Server-Side Encryption modification must"},
      {operations.table_class, "TableClass modification must"},
      {operations.protection, "DeletionProtection modification must"},
      {operations.warm, "WarmThroughput must"},
  };
  for (const auto& [present, what] : exclusive) {
    if (present) return InvalidValue(fmt::format("{} be the only operation in the request", what));
  }
  return {};
}

const std::optional<std::string>& NameOf(const IndexUpdate& update) {
  if (update.update) return update.update->index_name;
  return update.create ? update.create->index_name : update.remove->index_name;
}

Result<void> CheckSomethingToDo(const UpdateTableRequest& request) {
  if (Operations(request).Count() > 0) {
    const auto& updates = request.global_secondary_index_updates;
    if (updates && updates->empty())
      return InvalidValue("List of GlobalSecondaryIndexUpdates is empty");
    return {};
  }
  return Invalid(fmt::format(
      "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
      "{}SSESpecification, "
      "ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, "
      "DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required",
      request.global_secondary_index_updates ? "" : "GlobalSecondaryIndexUpdates, "));
}

Result<void> CheckCombination(const UpdateTableRequest& request) {
  const Operations operations(request);
  RETURN_IF_ERROR(CheckOnlyOperation(operations));
  const bool only_billing_mode =
      operations.Count() == 2 && HasBillingMode(request) && !request.provisioned_throughput;
  if (operations.on_demand && operations.Count() > 1 && !only_billing_mode) {
    return InvalidValue(
        "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request");
  }
  const bool changes_iops = request.provisioned_throughput.has_value();
  const bool changes_indexes = AnyIndexUpdate(
      request, [](const IndexUpdate& update) { return update.create || update.remove; });
  if (operations.stream && changes_iops) {
    return InvalidValue("You cannot modify stream status while updating table IOPS");
  }
  if (changes_indexes && changes_iops) {
    return InvalidValue("You cannot create or delete index while updating table IOPS");
  }
  if (changes_indexes && operations.stream) {
    return InvalidValue("You cannot create or delete index while changing stream status");
  }
  const bool creates =
      AnyIndexUpdate(request, [](const IndexUpdate& update) { return update.create.has_value(); });
  const bool warms = AnyIndexUpdate(request, [](const IndexUpdate& update) {
    return update.update && update.update->warm_throughput;
  });
  if (creates && warms) {
    return InvalidValue(
        "Create global secondary index cannot be specified when updating WarmThroughput");
  }
  return {};
}

Result<void> CheckIndexActions(const UpdateTableRequest& request) {
  if (!HasIndexUpdates(request)) return {};
  std::set<std::string_view> names;
  for (const IndexUpdate& update : *request.global_secondary_index_updates) {
    const int actions =
        update.update.has_value() + update.create.has_value() + update.remove.has_value();
    if (actions == 0) {
      return InvalidValue(
          "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
          "GlobalSecondaryIndexUpdate.Delete must not be null");
    }
    if (actions > 1) {
      return InvalidValue(
          "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate "
          "object");
    }
    const std::string& name = *NameOf(update);
    if (!names.insert(name).second) {
      return InvalidValue(fmt::format(
          "Only one global secondary index update per index is allowed simultaneously. Index: {}",
          name));
    }
  }
  return {};
}

Result<void> CheckNotHollow(const UpdateTableRequest& request) {
  const auto& on_demand = request.on_demand_throughput;
  const auto& warm = request.warm_throughput;
  const bool hollow = (on_demand && !on_demand->max_read_request_units &&
                       !on_demand->max_write_request_units && !HasBillingMode(request)) ||
                      (warm && !warm->read_units_per_second && !warm->write_units_per_second);
  if (hollow) return std::unexpected(Error::InternalFailure());
  return {};
}

}  // namespace

// UpdateTable: changes a table's capacity, indexes, stream, class or protection.
namespace update_table {
namespace {

struct Plan {
  std::string table_name;
  UpdateTableRequest request;
};

void ConstrainIndexUpdate(Constraints& check, const std::string& path,
                          const GlobalSecondaryIndexUpdate& update) {
  if (update.update) {
    ConstrainNewName(check, path + ".update.indexName", update.update->index_name);
    if (!update.update->on_demand_throughput && !update.update->warm_throughput) {
      check.NotNull(path + ".update.provisionedThroughput", update.update->provisioned_throughput);
    }
    ConstrainThroughput(check, path + ".update.provisionedThroughput",
                        update.update->provisioned_throughput);
  }
  if (update.create) ConstrainGlobalIndex(check, path + ".create", *update.create);
  if (update.remove) {
    ConstrainNewName(check, path + ".delete.indexName", update.remove->index_name);
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
  if (request.provisioned_throughput) RETURN_IF_ERROR(CheckBounds(*request.provisioned_throughput));
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

// The units as they were and the time of the change, which is under way.
TableDescription::Throughput DescribeThroughputChange(const TableDescription::Throughput& before,
                                                      const TableDescription::Throughput& after) {
  TableDescription::Throughput described = before;
  described.last_increase_ms = after.last_increase_ms;
  described.last_decrease_ms = after.last_decrease_ms;
  return described;
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
  described.provisioned_throughput =
      DescribeThroughputChange(old.provisioned_throughput, described.provisioned_throughput);
  if (request.warm_throughput) described.warm_throughput->status = IndexStatus::kUpdating;
  for (const TableDescription::Index& index : old.global_secondary_indexes) {
    const auto shown = std::ranges::find(described.global_secondary_indexes, index.index_name,
                                         &TableDescription::Index::index_name);
    shown->provisioned_throughput =
        DescribeThroughputChange(index.provisioned_throughput, shown->provisioned_throughput);
    if (std::ranges::find(changes.updated, index.index_name) != changes.updated.end()) {
      shown->index_status = IndexStatus::kUpdating;
    }
  }
  return described;
}

Result<UpdateTableResponse> Execute(Engine& engine, const Plan& plan) {
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

}  // namespace
}  // namespace update_table

STATOR_DEFINE_BACKGROUND_OPERATION(UpdateTable, update_table);

}  // namespace stator
