#include "live/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/try.h"
#include "entity/tables.h"
#include "model/keys/derive.h"

namespace stator::live {
namespace {

using std::chrono::days;

std::vector<std::pair<std::string, KeyType>> SchemaOf(const model::Index& index) {
  std::vector<std::pair<std::string, KeyType>> schema;
  for (const model::KeyAttribute& key : index.partition)
    schema.emplace_back(key.name, KeyType::kHash);
  for (const model::KeyAttribute& key : index.sort) schema.emplace_back(key.name, KeyType::kRange);
  return schema;
}

ProjectionType ProjectionOf(const model::Index& index) {
  if (index.projection.kind == model::Projection::Kind::kKeysOnly) return ProjectionType::kKeysOnly;
  return index.projection.kind == model::Projection::Kind::kInclude ? ProjectionType::kInclude
                                                                    : ProjectionType::kAll;
}

std::vector<std::string> Sorted(std::vector<std::string> names) {
  std::ranges::sort(names);
  return names;
}

// A key attribute has one type in the table and all its indexes.
bool IsDefined(const model::KeyAttribute& key, const TableDescription& table) {
  return std::ranges::find(table.attribute_definitions,
                           std::pair(key.name, entity::ScalarOf(key.type))) !=
         table.attribute_definitions.end();
}

// How an existing index differs from the model's; empty: not at all.
std::string Difference(const model::Index& wanted, const TableDescription::Index& existing,
                       const TableDescription& table) {
  if (SchemaOf(wanted) != existing.key_schema) return "its keys differ";
  const auto is_defined = [&](const model::KeyAttribute& key) { return IsDefined(key, table); };
  if (!std::ranges::all_of(wanted.partition, is_defined) ||
      !std::ranges::all_of(wanted.sort, is_defined)) {
    return "the types of its keys differ";
  }
  if (ProjectionOf(wanted) != existing.projection_type) return "its projection differs";
  if (wanted.projection.kind == model::Projection::Kind::kInclude &&
      Sorted(wanted.projection.attributes) != Sorted(existing.non_key_attributes)) {
    return "its projected attributes differ";
  }
  return {};
}

bool TypesAreSame(const model::Table& wanted, const TableDescription& table) {
  return IsDefined(*wanted.partition, table) && (!wanted.sort || IsDefined(*wanted.sort, table));
}

class Planner {
 public:
  Planner(const model::Model& model, const model::Table& table, const StepOptions& options)
      : model_(model), table_(table), options_(options) {}

  std::vector<Step> ForNewTable() {
    Add(StepKind::kCreateTable, fmt::format("create table {}", table_.name));
    if (!table_.ttl.empty()) PlanTtl({});
    PlanRecovery(std::nullopt);
    return std::move(steps_);
  }

  std::vector<Step> ForTable(const TableState& state) {
    if (!KeyIsSame(state)) return std::move(steps_);
    PlanSettings(state);
    if (options_.prune) PlanRemovals(state);
    for (const model::Index& index : table_.indexes) PlanIndex(index, state);
    return std::move(steps_);
  }

 private:
  Step& Add(StepKind kind, std::string text) {
    return steps_.emplace_back(Step{.kind = kind,
                                    .table = &table_,
                                    .index = nullptr,
                                    .index_name = {},
                                    .text = std::move(text)});
  }

  bool KeyIsSame(const TableState& state) {
    std::vector<std::pair<std::string, KeyType>> wanted;
    wanted.emplace_back(table_.partition->name, KeyType::kHash);
    if (table_.sort) wanted.emplace_back(table_.sort->name, KeyType::kRange);
    if (wanted == state.description.key_schema && TypesAreSame(table_, state.description)) {
      return true;
    }
    Add(StepKind::kStuck,
        fmt::format("table {} has another primary key, which cannot be changed: give the model's "
                    "table another name, apply it, and copy the items",
                    table_.name));
    return false;
  }

  void PlanSettings(const TableState& state) {
    const bool is_provisioned = state.description.billing_mode.value_or(
                                    BillingMode::kProvisioned) == BillingMode::kProvisioned;
    if (is_provisioned != table_.provisioned.has_value()) {
      Add(StepKind::kSetBilling, fmt::format("bill table {} {}", table_.name,
                                             is_provisioned ? "on demand" : "as provisioned"));
    }
    if (table_.stream.empty() == state.description.stream_view_type.has_value()) {
      Add(StepKind::kSetStream, fmt::format("switch the stream of table {} {}", table_.name,
                                            table_.stream.empty() ? "off" : "on"));
    }
    const bool protect = table_.deletion_protection.In(options_.environment).value_or(false);
    if (protect && !state.description.deletion_protection_enabled) {
      Add(StepKind::kSetProtection, fmt::format("protect table {} from deletion", table_.name));
    }
    PlanTtl(state.ttl);
    PlanRecovery(state.pitr_days);
  }

  void PlanTtl(const std::string& existing) {
    if (table_.ttl == existing) return;
    if (!existing.empty()) {
      Add(StepKind::kStuck,
          fmt::format(
              "table {} expires items by {}, the model by {}: switch it off first, and wait "
              "an hour",
              table_.name, existing, table_.ttl.empty() ? "nothing" : table_.ttl));
      return;
    }
    Add(StepKind::kSetTtl, fmt::format("expire items of table {} by {}", table_.name, table_.ttl));
  }

  void PlanRecovery(std::optional<std::int64_t> existing) {
    const auto wanted = table_.pitr.In(options_.environment);
    if (!wanted || wanted->count() == 0) return;
    const std::int64_t wanted_days = std::chrono::ceil<days>(*wanted).count();
    if (existing == wanted_days) return;
    Add(StepKind::kSetRecovery, fmt::format("keep {} days of point-in-time recovery for table {}",
                                            wanted_days, table_.name));
  }

  void PlanRemovals(const TableState& state) {
    for (const TableDescription::Index& index : state.description.global_secondary_indexes) {
      if (table_.FindIndex(index.index_name) != nullptr) continue;
      Add(StepKind::kDeleteIndex,
          fmt::format("delete index {} of table {}", index.index_name, table_.name))
          .index_name = index.index_name;
    }
  }

  void PlanIndex(const model::Index& index, const TableState& state) {
    const TableDescription::Index* existing = state.FindIndex(index.name);
    if (existing != nullptr) {
      if (const std::string difference = Difference(index, *existing, state.description);
          !difference.empty()) {
        Add(StepKind::kStuck,
            fmt::format("index {} of table {}: {}, which cannot be changed in place: add it to the "
                        "model under another name, move the readers, then remove the old one",
                        index.name, table_.name, difference));
      } else if (options_.backfill) {
        PlanBackfill(index);
      }
      return;
    }
    if (index.local) {
      Add(StepKind::kStuck,
          fmt::format("local index {} of table {} can only be made with the table", index.name,
                      table_.name));
      return;
    }
    Add(StepKind::kCreateIndex, fmt::format("add index {} to table {}", index.name, table_.name))
        .index = &index;
    PlanBackfill(index);
  }

  void PlanBackfill(const model::Index& index) {
    if (NeedsBackfill(model_, table_, index)) {
      Add(StepKind::kBackfill,
          fmt::format("fill the keys of index {} in items of table {}", index.name, table_.name))
          .index = &index;
    }
    Add(StepKind::kVerify, fmt::format("compare index {} with table {}", index.name, table_.name))
        .index = &index;
  }

  const model::Model& model_;
  const model::Table& table_;
  const StepOptions& options_;
  std::vector<Step> steps_;
};

}  // namespace

const TableDescription::Index* TableState::FindIndex(const std::string& name) const {
  for (const auto* indexes :
       {&description.global_secondary_indexes, &description.local_secondary_indexes}) {
    const auto it = std::ranges::find(*indexes, name, &TableDescription::Index::index_name);
    if (it != indexes->end()) return &*it;
  }
  return nullptr;
}

Result<std::optional<TableState>> ReadTableState(Endpoint& endpoint,
                                                 const std::string& table_name) {
  auto described = endpoint.DescribeTable({.table_name = table_name});
  if (!described) {
    if (described.error().code() == ErrorCode::kResourceNotFound) return std::nullopt;
    return std::unexpected(described.error());
  }
  TableState state{.description = std::move(described->table), .ttl = {}, .pitr_days = {}};
  ASSIGN_OR_RETURN(const DescribeTimeToLiveResponse ttl,
                   endpoint.DescribeTimeToLive({.table_name = table_name}));
  if (ttl.status == "ENABLED" || ttl.status == "ENABLING") {
    state.ttl = ttl.attribute_name.value_or("");
  }
  ASSIGN_OR_RETURN(const DescribeContinuousBackupsResponse backups,
                   endpoint.DescribeContinuousBackups({.table_name = table_name}));
  if (const auto& recovery = backups.continuous_backups.point_in_time_recovery) {
    state.pitr_days = recovery->recovery_period_in_days;
  }
  return state;
}

bool NeedsBackfill(const model::Model& model, const model::Table& table,
                   const model::Index& index) {
  for (const model::Entity* entity : model.EntitiesOf(table)) {
    for (const auto* keys : {&index.partition, &index.sort}) {
      for (const model::KeyAttribute& attribute : *keys) {
        const model::KeyTemplate* key = entity->FindKey(attribute.name);
        if (key != nullptr && key->IsDerived()) return true;
      }
    }
  }
  return false;
}

std::vector<Step> PlanSteps(const model::Model& model, const model::Table& table,
                            const std::optional<TableState>& state, const StepOptions& options) {
  Planner planner(model, table, options);
  return state ? planner.ForTable(*state) : planner.ForNewTable();
}

}  // namespace stator::live
