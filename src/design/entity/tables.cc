#include "entity/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <thread>

#include "base/try.h"
#include "generate/table_shape.h"

namespace stator::entity {
namespace {

std::vector<KeySchemaElement> SchemaOf(const std::vector<model::KeyElement>& elements) {
  std::vector<KeySchemaElement> schema;
  for (const model::KeyElement& element : elements) {
    schema.push_back({.attribute_name = element.attribute.name,
                      .key_type = element.sorts ? KeyType::kRange : KeyType::kHash});
  }
  return schema;
}

IndexProjection ProjectionOf(const model::Index& index) {
  switch (index.projection.kind) {
    case model::Projection::Kind::kKeysOnly:
      return {.projection_type = ProjectionType::kKeysOnly, .non_key_attributes = std::nullopt};
    case model::Projection::Kind::kInclude:
      return {.projection_type = ProjectionType::kInclude,
              .non_key_attributes = index.projection.attributes};
    case model::Projection::Kind::kAll:
      break;
  }
  return {.projection_type = ProjectionType::kAll, .non_key_attributes = std::nullopt};
}

ProvisionedThroughput ThroughputOf(const model::Capacity& capacity) {
  return {.read_capacity_units = std::llround(std::max(1.0, capacity.read)),
          .write_capacity_units = std::llround(std::max(1.0, capacity.write))};
}

StreamViewType ViewOf(const std::string& view) {
  if (view == "KEYS_ONLY") return StreamViewType::kKeysOnly;
  if (view == "NEW_IMAGE") return StreamViewType::kNewImage;
  if (view == "OLD_IMAGE") return StreamViewType::kOldImage;
  return StreamViewType::kNewAndOldImages;
}

constexpr auto kLongestWait = std::chrono::minutes(10);
constexpr auto kLongestPause = std::chrono::milliseconds(2000);

// What is not active yet; empty: everything is.
std::string NotActive(const TableDescription& table) {
  if (table.table_status != TableStatus::kActive) return "table " + table.table_name;
  for (const TableDescription::Index& index : table.global_secondary_indexes) {
    if (index.index_status != IndexStatus::kActive || index.backfilling.value_or(false)) {
      return fmt::format("index {} of table {}", index.index_name, table.table_name);
    }
  }
  return {};
}

EntityResult<void> CreateTable(Context& context, const model::Table& table) {
  const std::string name = context.TableName(table);
  const auto described = context.endpoint().DescribeTable({.table_name = name});
  if (described) return {};
  if (described.error().code() != ErrorCode::kResourceNotFound) {
    return std::unexpected(StoreError(described.error()));
  }
  const auto created = context.endpoint().CreateTable(MakeCreateTable(table, name));
  // Another process may have been faster.
  if (!created && created.error().code() != ErrorCode::kResourceInUse) {
    return std::unexpected(StoreError(created.error()));
  }
  const auto waiting_for = WaitUntilActive(context.endpoint(), name);
  if (!waiting_for) return std::unexpected(StoreError(waiting_for.error()));
  if (!waiting_for->empty()) {
    return std::unexpected(StoreError(
        Error::Throttling(fmt::format("{} is still not active after ten minutes", *waiting_for))));
  }
  if (!table.ttl.empty() && created) {
    const auto updated = context.endpoint().UpdateTimeToLive(
        {.table_name = name,
         .specification = TimeToLiveSpecification{.enabled = true, .attribute_name = table.ttl}});
    if (!updated) return std::unexpected(StoreError(updated.error()));
  }
  return {};
}

}  // namespace

ScalarType ScalarOf(Type type) {
  if (type == Type::kN) return ScalarType::kN;
  return type == Type::kB ? ScalarType::kB : ScalarType::kS;
}

std::vector<AttributeDefinition> MakeDefinitions(const model::Table& table,
                                                 const std::vector<const model::Index*>& indexes) {
  std::vector<AttributeDefinition> definitions;
  for (const model::KeyAttribute& key : model::AttributeDefinitionsOf(table, indexes)) {
    definitions.push_back({.attribute_name = key.name, .attribute_type = ScalarOf(key.type)});
  }
  return definitions;
}

GlobalSecondaryIndex MakeGlobalIndex(const model::Table& table, const model::Index& index) {
  GlobalSecondaryIndex made;
  made.index_name = index.name;
  made.key_schema = SchemaOf(model::KeySchemaOf(table, index));
  made.projection = ProjectionOf(index);
  if (const std::optional<model::Capacity> capacity = model::CapacityOf(table, index)) {
    made.provisioned_throughput = ThroughputOf(*capacity);
  }
  return made;
}

CreateTableRequest MakeCreateTable(const model::Table& table, const std::string& table_name,
                                   const std::string& environment) {
  CreateTableRequest request;
  request.table_name = table_name;
  request.key_schema = SchemaOf(model::KeySchemaOf(table));
  std::vector<const model::Index*> indexes;
  for (const model::Index& index : table.indexes) {
    indexes.push_back(&index);
    if (index.local) {
      if (!request.local_secondary_indexes) request.local_secondary_indexes.emplace();
      request.local_secondary_indexes->push_back(
          {.index_name = index.name,
           .key_schema = SchemaOf(model::KeySchemaOf(table, index)),
           .projection = ProjectionOf(index)});
    } else {
      if (!request.global_secondary_indexes) request.global_secondary_indexes.emplace();
      request.global_secondary_indexes->push_back(MakeGlobalIndex(table, index));
    }
  }
  request.attribute_definitions = MakeDefinitions(table, indexes);
  if (table.provisioned) {
    request.billing_mode = BillingMode::kProvisioned;
    request.provisioned_throughput = ThroughputOf(*table.provisioned);
  } else {
    request.billing_mode = BillingMode::kPayPerRequest;
  }
  if (!table.stream.empty()) {
    request.stream_specification =
        StreamSpecification{.stream_enabled = true, .stream_view_type = ViewOf(table.stream)};
  }
  if (table.infrequent_access) request.table_class = TableClass::kStandardInfrequentAccess;
  if (table.deletion_protection.In(environment).value_or(false)) {
    request.deletion_protection_enabled = true;
  }
  return request;
}

Result<std::string> WaitUntilActive(Endpoint& endpoint, const std::string& table_name,
                                    const std::function<void(const std::string& what)>& waiting) {
  const auto give_up = std::chrono::steady_clock::now() + kLongestWait;
  auto pause = std::chrono::milliseconds(5);
  for (;;) {
    ASSIGN_OR_RETURN(const DescribeTableResponse answer,
                     endpoint.DescribeTable({.table_name = table_name}));
    std::string what = NotActive(answer.table);
    if (what.empty() || std::chrono::steady_clock::now() > give_up) return what;
    if (waiting) waiting(what);
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, kLongestPause);
  }
}

EntityResult<void> CreateTables(Context& context) {
  for (const model::Table& table : context.model().tables) {
    if (!table.partition) {
      return Invalid(fmt::format("table `{}` has no key in the model", table.id));
    }
    RETURN_IF_ERROR(CreateTable(context, table));
  }
  return {};
}

}  // namespace stator::entity
