#include "api/tables/update_table_rules.h"

#include <algorithm>
#include <array>
#include <vector>

#include "api/invalid_value.h"
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
    if (present) return InvalidValue("{} be the only operation in the request", what);
  }
  return {};
}

const std::optional<std::string>& NameOf(const IndexUpdate& update) {
  if (update.update) return update.update->index_name;
  return update.create ? update.create->index_name : update.remove->index_name;
}

}  // namespace

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
  std::vector<std::string_view> names;
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
    if (std::ranges::find(names, name) != names.end()) {
      return InvalidValue(
          "Only one global secondary index update per index is allowed simultaneously. Index: {}",
          name);
    }
    names.push_back(name);
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

}  // namespace stator
