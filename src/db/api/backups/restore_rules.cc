#include "api/backups/restore_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "api/request_rules.h"
#include "api/tables/index_rules.h"
#include "api/tables/table_constraints.h"
#include "api/tables/table_description.h"
#include "api/tables/throughput_rules.h"
#include "base/random.h"
#include "base/try.h"

namespace stator {
namespace {

std::unexpected<Error> InvalidRequest(std::string_view why) {
  return std::unexpected(Error::Validation(fmt::format("Invalid Request: {}", why)));
}

bool HasSchema(const KeySchema& keys, const std::vector<KeySchemaElement>& sent) {
  if (sent.size() != keys.size()) return false;
  for (std::size_t i = 0; i < sent.size(); ++i) {
    const bool is_hash = i < keys.hash.size();
    const KeyAttribute& key = is_hash ? keys.hash[i] : keys.range[i - keys.hash.size()];
    if (sent[i].attribute_name != key.name) return false;
    if (sent[i].key_type->value() != (is_hash ? KeyType::kHash : KeyType::kRange)) return false;
  }
  return true;
}

bool HasProjection(const Index& index, const IndexProjection& sent) {
  if (!sent.projection_type || sent.projection_type->value() != index.projection) return false;
  std::vector<std::string> names = sent.non_key_attributes.value_or(std::vector<std::string>());
  std::ranges::sort(names);
  return names == index.non_key_attributes;
}

// Takes the index of the source that the request describes; its name may be another.
template <class SentIndex>
Result<Index> TakeMatching(std::vector<Index>& left, const SentIndex& sent) {
  const auto found = std::ranges::find_if(left, [&](const Index& index) {
    return HasSchema(index.keys, *sent.key_schema) && HasProjection(index, *sent.projection);
  });
  if (found == left.end()) {
    return InvalidRequest(
        fmt::format("Index {} does not match a secondary index that existed in "
                    "the source table and cannot be created during the restore "
                    "operation",
                    *sent.index_name));
  }
  Index index = std::move(*found);
  left.erase(found);
  index.name = *sent.index_name;
  return index;
}

// The definition alone: counts, states and the books on capacity are those of a new index.
Index NewIndex(const Index& source, BillingMode from, BillingMode to) {
  Index index;
  index.name = source.name;
  index.global = source.global;
  index.keys = source.keys;
  index.projection = source.projection;
  index.non_key_attributes = source.non_key_attributes;
  if (!index.global || from != to) return index;
  index.throughput.read_units = source.throughput.read_units;
  index.throughput.write_units = source.throughput.write_units;
  index.on_demand = source.on_demand;
  return index;
}

Result<void> AddIndex(Index index, Table& target) {
  if (target.FindIndex(index.name)) {
    return InvalidValue(fmt::format("Duplicate index name: {}", index.name));
  }
  index.number = target.next_index_number++;
  CompleteIndex(target.keys, index);
  target.indexes.push_back(std::move(index));
  return {};
}

Result<void> AddLocal(std::vector<Index> source,
                      const std::optional<std::vector<LocalSecondaryIndex>>& sent, Table& target) {
  if (!sent) {
    for (Index& index : source) RETURN_IF_ERROR(AddIndex(std::move(index), target));
    return {};
  }
  for (const LocalSecondaryIndex& one : *sent) {
    ASSIGN_OR_RETURN(Index index, TakeMatching(source, one));
    RETURN_IF_ERROR(AddIndex(std::move(index), target));
  }
  return {};
}

Result<void> SetCapacity(const GlobalSecondaryIndex& sent, BillingMode mode, Index& index) {
  const bool has_units = index.throughput.read_units != 0;
  if (sent.provisioned_throughput || !has_units) {
    ASSIGN_OR_RETURN(index.throughput, NewIndexThroughput(mode, sent, /*with_table=*/true));
  }
  if (sent.on_demand_throughput) {
    RETURN_IF_ERROR(CheckOnDemand(*sent.on_demand_throughput, mode, {.index = index.name}));
    index.on_demand = *sent.on_demand_throughput;
  }
  return {};
}

Result<void> AddGlobal(std::vector<Index> source,
                       const std::optional<std::vector<GlobalSecondaryIndex>>& sent,
                       Table& target) {
  if (!sent) {
    for (Index& index : source) {
      RETURN_IF_ERROR(SetCapacity({.index_name = index.name}, target.billing_mode, index));
      RETURN_IF_ERROR(AddIndex(std::move(index), target));
    }
    return {};
  }
  for (const GlobalSecondaryIndex& one : *sent) {
    ASSIGN_OR_RETURN(Index index, TakeMatching(source, one));
    RETURN_IF_ERROR(SetCapacity(one, target.billing_mode, index));
    RETURN_IF_ERROR(AddIndex(std::move(index), target));
  }
  return {};
}

Result<void> AddIndexes(const Table& source, const RestoreOverrides& overrides, Table& target) {
  std::vector<Index> local;
  std::vector<Index> global;
  for (const Index& index : source.indexes) {
    if (!index.is_maintained()) continue;
    (index.global ? global : local)
        .push_back(NewIndex(index, source.billing_mode, target.billing_mode));
  }
  RETURN_IF_ERROR(AddLocal(std::move(local), overrides.local_secondary_indexes, target));
  return AddGlobal(std::move(global), overrides.global_secondary_indexes, target);
}

Result<void> SetTableCapacity(const Table& source, const RestoreOverrides& overrides,
                              Table& target) {
  if (overrides.billing_mode) target.billing_mode = overrides.billing_mode->value();
  const bool has_units = target.billing_mode == BillingMode::kProvisioned;
  if (overrides.provisioned_throughput && !has_units) {
    return InvalidRequest(
        "Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED");
  }
  if (overrides.provisioned_throughput) {
    ASSIGN_OR_RETURN(target.throughput,
                     NewTableThroughput(target.billing_mode, overrides.provisioned_throughput));
  } else if (has_units) {
    target.throughput.read_units = source.throughput.read_units;
    target.throughput.write_units = source.throughput.write_units;
  }
  if (overrides.on_demand_throughput) {
    RETURN_IF_ERROR(CheckOnDemand(*overrides.on_demand_throughput, target.billing_mode, {}));
    target.on_demand = *overrides.on_demand_throughput;
  } else if (!has_units) {
    target.on_demand = source.on_demand;
  }
  return {};
}

}  // namespace

void ConstrainTarget(Constraints& check, const std::optional<std::string>& name) {
  ConstrainNewName(check, "targetTableName", name);
}

void ConstrainOverrides(Constraints& check, const RestoreOverrides& overrides) {
  check.Enum("billingModeOverride", overrides.billing_mode);
  if (const auto& indexes = overrides.global_secondary_indexes) {
    for (std::size_t i = 0; i < indexes->size(); ++i) {
      ConstrainGlobalIndex(check, fmt::format("globalSecondaryIndexOverride.{}.member", i + 1),
                           (*indexes)[i]);
    }
  }
  if (const auto& indexes = overrides.local_secondary_indexes) {
    for (std::size_t i = 0; i < indexes->size(); ++i) {
      ConstrainLocalIndex(check, fmt::format("localSecondaryIndexOverride.{}.member", i + 1),
                          (*indexes)[i]);
    }
  }
  ConstrainThroughput(check, "provisionedThroughputOverride", overrides.provisioned_throughput);
  if (overrides.sse_specification) {
    check.Enum("sSESpecificationOverride.sSEType", overrides.sse_specification->sse_type);
  }
}

Result<void> CheckOverrides(const RestoreOverrides& overrides) {
  const bool has_units = overrides.provisioned_throughput.has_value();
  if (overrides.billing_mode) {
    const bool wants_units = overrides.billing_mode->value() == BillingMode::kProvisioned;
    if (wants_units && !has_units) {
      return InvalidRequest(
          "Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED");
    }
    if (!wants_units && has_units) {
      return InvalidRequest(
          "Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED");
    }
  }
  return CheckSse(overrides.sse_specification);
}

Result<Table> MakeTarget(const Table& source, const RestoreOverrides& overrides, std::string name,
                         const Engine& engine) {
  Table target;
  target.name = std::move(name);
  target.arn = TableArn(engine, target.name);
  target.id = RandomUuid();
  target.creation_ms = engine.clock().Now().time_since_epoch().count();
  target.keys = source.keys;
  target.attribute_definitions = source.attribute_definitions;
  target.billing_mode = source.billing_mode;
  RETURN_IF_ERROR(SetTableCapacity(source, overrides, target));
  if (target.billing_mode == BillingMode::kPayPerRequest) {
    target.was_ever_pay_per_request = true;
    target.last_update_to_pay_per_request_ms = target.creation_ms;
  }
  RETURN_IF_ERROR(AddIndexes(source, overrides, target));
  PruneAttributeDefinitions(target);
  RETURN_IF_ERROR(CheckAccountLimits(target.throughput, engine.region()));
  for (const Index& index : target.indexes) {
    RETURN_IF_ERROR(CheckAccountLimits(index.throughput, engine.region()));
  }
  return target;
}

Result<void> CheckTargetIsFree(const std::string& name, Engine& engine) {
  const TablePtr table = engine.catalog().Find(name);
  if (!table) return {};
  const bool is_being_restored = table->status == TableStatus::kCreating && table->restored_from;
  if (is_being_restored && !table->restored_from->backup_arn.empty()) {
    return std::unexpected(
        Error::TableInUse(fmt::format("Table: {} is already being restored from backup: {}", name,
                                      table->restored_from->backup_arn)));
  }
  return std::unexpected(Error::TableAlreadyExists(name));
}

}  // namespace stator
