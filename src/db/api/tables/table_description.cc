// What is told about a table, and DescribeTable.
#include "api/tables/table_description.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/operations.h"
#include "api/tables/table_reference.h"
#include "api/tables/throughput_rules.h"
#include "base/try.h"

namespace stator {

namespace {

TableDescription::Throughput DescribeThroughput(BillingMode mode, const Throughput& throughput,
                                                TimeMs now) {
  TableDescription::Throughput described;
  if (mode == BillingMode::kProvisioned) {
    described.read_capacity_units = throughput.read_units;
    described.write_capacity_units = throughput.write_units;
    described.number_of_decreases_today = DecreasesToday(throughput, now);
  }
  described.last_increase_ms = throughput.last_increase_ms;
  described.last_decrease_ms = throughput.last_decrease_ms;
  return described;
}

std::optional<OnDemandThroughput> DescribeOnDemand(const OnDemandThroughput& on_demand) {
  if (!on_demand.max_read_request_units && !on_demand.max_write_request_units) return std::nullopt;
  return on_demand;
}

TableDescription::Warm DescribeWarm(BillingMode mode, const Throughput& throughput,
                                    const std::optional<WarmThroughput>& asked) {
  const WarmUnits warm = WarmUnitsOf(mode, throughput, asked);
  return {.read_units_per_second = warm.read, .write_units_per_second = warm.write};
}

TableDescription::Index DescribeIndex(const Table& table, const Index& index, TimeMs now) {
  TableDescription::Index described;
  described.index_name = index.name;
  described.key_schema = DescribeKeys(index.keys);
  described.projection_type = index.projection;
  described.non_key_attributes = index.non_key_attributes;
  described.index_size_bytes = index.counts->all_bytes();
  described.item_count = index.counts->all_items();
  described.index_arn = fmt::format("{}/index/{}", table.arn, index.name);
  if (index.global) {
    // Indexes become ACTIVE together with a table that is being filled.
    described.index_status =
        table.status == TableStatus::kCreating ? IndexStatus::kCreating : index.status;
    described.backfilling = index.backfilling;
    described.provisioned_throughput =
        DescribeThroughput(table.billing_mode, index.throughput, now);
    described.on_demand_throughput = DescribeOnDemand(index.on_demand);
    described.warm_throughput = DescribeWarm(table.billing_mode, index.throughput, index.warm);
  }
  return described;
}

// A table counts as being updated until a new index begins to fill, and while one is being removed.
TableStatus StatusOf(const Table& table) {
  const bool is_changing = std::ranges::any_of(table.indexes, [](const Index& index) {
    return index.status == IndexStatus::kDeleting ||
           (index.status == IndexStatus::kCreating && index.backfilling == false);
  });
  return table.status == TableStatus::kActive && is_changing ? TableStatus::kUpdating
                                                             : table.status;
}

std::optional<TableDescription::RestoreSummary> DescribeOrigin(const Table& table) {
  // Shown only while the table is being filled.
  if (!table.restored_from || table.status != TableStatus::kCreating) return std::nullopt;
  TableDescription::RestoreSummary described;
  if (!table.restored_from->backup_arn.empty()) {
    described.source_backup_arn = table.restored_from->backup_arn;
  }
  described.source_table_arn = table.restored_from->table_arn;
  described.restore_ms = table.restored_from->time_ms;
  described.restore_in_progress = true;
  return described;
}

}  // namespace

std::vector<std::pair<std::string, KeyType>> DescribeKeys(const KeySchema& keys) {
  std::vector<std::pair<std::string, KeyType>> described;
  for (const KeyAttribute& attribute : keys.hash)
    described.emplace_back(attribute.name, KeyType::kHash);
  for (const KeyAttribute& attribute : keys.range) {
    described.emplace_back(attribute.name, KeyType::kRange);
  }
  return described;
}

TableDescription Describe(const Table& table, TimeMs now) {
  TableDescription described;
  described.attribute_definitions = table.attribute_definitions;
  described.table_name = table.name;
  described.key_schema = DescribeKeys(table.keys);
  described.table_status = StatusOf(table);
  described.creation_ms = table.creation_ms;
  described.provisioned_throughput = DescribeThroughput(table.billing_mode, table.throughput, now);
  described.table_size_bytes = table.counts->all_bytes();
  described.item_count = table.counts->all_items();
  described.table_arn = table.arn;
  described.table_id = table.id;
  if (table.was_ever_pay_per_request) {
    described.billing_mode = table.billing_mode;
    described.last_update_to_pay_per_request_ms = table.last_update_to_pay_per_request_ms;
  }
  for (const Index& index : table.indexes) {
    (index.global ? described.global_secondary_indexes : described.local_secondary_indexes)
        .push_back(DescribeIndex(table, index, now));
  }
  if (table.stream) described.stream_view_type = table.stream->view;
  if (table.latest_stream_label) {
    described.latest_stream_label = table.latest_stream_label;
    described.latest_stream_arn =
        fmt::format("{}/stream/{}", table.arn, *table.latest_stream_label);
  }
  described.table_class = table.table_class;
  described.table_class_update_ms = table.table_class_update_ms;
  described.on_demand_throughput = DescribeOnDemand(table.on_demand);
  described.warm_throughput = DescribeWarm(table.billing_mode, table.throughput, table.warm);
  described.restore_summary = DescribeOrigin(table);
  described.deletion_protection_enabled = table.deletion_protection;
  return described;
}

std::string TableArn(const Engine& engine, std::string_view table_name) {
  return fmt::format("arn:aws:dynamodb:{}:{}:table/{}", engine.region(), engine.account(),
                     table_name);
}

Result<void> CheckIsCreated(const Table& table) {
  if (table.status != TableStatus::kCreating) return {};
  return std::unexpected(Error::ResourceInUse(
      fmt::format("Attempt to change a resource which is still in use: Table is being created: {}",
                  table.name)));
}

Error TableNotFound(std::string_view table_name) {
  return Error::ResourceNotFound(
      fmt::format("Requested resource not found: Table: {} not found", table_name));
}

// DescribeTable: tells about a table.
namespace describe_table {
namespace {

struct Plan {
  std::string table_name;
};

Result<Plan> Validate(const DescribeTableRequest& request, Engine& engine, Wording) {
  Plan plan;
  ASSIGN_OR_RETURN(plan.table_name, RequiredTableName(request.table_name, engine));
  return plan;
}

void Execute(Engine& engine, Plan plan, Reply<DescribeTableResponse> reply) {
  Result<TablePtr> table = engine.LookUp([&] { return engine.catalog().Find(plan.table_name); });
  if (!table) return reply(std::unexpected(std::move(table).error()));
  if (!*table) return reply(std::unexpected(TableNotFound(plan.table_name)));
  if (Result<void> counted = engine.BringCountsUpToDate(); !counted) {
    return reply(std::unexpected(std::move(counted).error()));
  }
  reply(DescribeTableResponse{Describe(**table, engine.clock().Now())});
}

}  // namespace
}  // namespace describe_table

STATOR_DEFINE_OPERATION(DescribeTable, describe_table);

}  // namespace stator
