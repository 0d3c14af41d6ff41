// CreateTable: adds a table with its indexes.
#include <fmt/format.h>

#include <algorithm>

#include "api/operations.h"
#include "api/request_rules.h"
#include "api/tables/create_table.h"
#include "api/tables/index_rules.h"
#include "api/tables/key_schema_rules.h"
#include "api/tables/table_constraints.h"
#include "api/tables/table_description.h"
#include "api/tables/table_reference.h"
#include "api/tables/tags.h"
#include "api/tables/throughput_rules.h"
#include "base/random.h"
#include "base/try.h"
#include "engine/streams/stream_lifecycle.h"

namespace stator {
namespace create_table {
namespace {

struct Plan {
  Table table;  // all but what is given to it when it is made: number, id, times, stream
  std::optional<StreamViewType> stream_view;
};

Result<void> CheckConstraints(const CreateTableRequest& request) {
  Constraints check;
  check.NotNull("attributeDefinitions", request.attribute_definitions);
  ConstrainDefinitions(check, request.attribute_definitions);
  check.Enum("billingMode", request.billing_mode);
  check.Enum("tableThroughputMode", request.table_throughput_mode);
  ConstrainThroughput(check, "provisionedThroughput", request.provisioned_throughput);
  ConstrainKeySchema(check, "keySchema", request.key_schema, 2);
  if (const auto& indexes = request.global_secondary_indexes) {
    for (std::size_t i = 0; i < indexes->size(); ++i) {
      ConstrainGlobalIndex(check, fmt::format("globalSecondaryIndexes.{}.member", i + 1),
                           (*indexes)[i]);
    }
  }
  if (const auto& indexes = request.local_secondary_indexes) {
    for (std::size_t i = 0; i < indexes->size(); ++i) {
      ConstrainLocalIndex(check, fmt::format("localSecondaryIndexes.{}.member", i + 1),
                          (*indexes)[i]);
    }
  }
  ConstrainStream(check, request.stream_specification);
  ConstrainSse(check, request.sse_specification);
  ConstrainTags(check, request.tags);
  return check.Finish();
}

// Elements are counted, not names: two elements of one name need two definitions here.
Result<void> CheckTableKeys(const SentSchema& schema, const Definitions& definitions) {
  if (schema.size() > definitions.size()) {
    return Invalid("Invalid KeySchema: Some index key attribute have no definition");
  }
  RETURN_IF_ERROR(CheckKeysDefined(schema, definitions));
  return CheckSimpleSchema(schema);
}

// The keys of the indexes, before anything else about them.
Result<void> CheckIndexKeys(const CreateTableRequest& request, const Definitions& definitions) {
  if (request.local_secondary_indexes) {
    RETURN_IF_ERROR(
        CheckLocalKeys(*request.local_secondary_indexes, definitions, *request.key_schema));
  }
  if (request.global_secondary_indexes) {
    RETURN_IF_ERROR(CheckGlobalKeys(*request.global_secondary_indexes, definitions));
  }
  return {};
}

// The table's schema first: an index may use an attribute only if the schemas use all of them.
std::vector<const SentSchema*> AllSchemas(const CreateTableRequest& request) {
  std::vector<const SentSchema*> schemas{&*request.key_schema};
  if (request.local_secondary_indexes) {
    for (const auto& index : *request.local_secondary_indexes)
      schemas.push_back(&*index.key_schema);
  }
  if (request.global_secondary_indexes) {
    for (const auto& index : *request.global_secondary_indexes)
      schemas.push_back(&*index.key_schema);
  }
  return schemas;
}

Result<void> SetKeysAndIndexes(const CreateTableRequest& request, Table& table) {
  ASSIGN_OR_RETURN(const Definitions definitions,
                   Definitions::From(*request.attribute_definitions));
  RETURN_IF_ERROR(CheckTableKeys(*request.key_schema, definitions));
  RETURN_IF_ERROR(CheckIndexKeys(request, definitions));
  RETURN_IF_ERROR(CheckDefinitionsUsed(definitions, AllSchemas(request)));
  table.attribute_definitions = definitions.Sorted();
  table.keys = MakeSchema(*request.key_schema, definitions);
  if (request.local_secondary_indexes) {
    RETURN_IF_ERROR(AddLocalIndexes(*request.local_secondary_indexes, definitions, table));
  }
  if (request.global_secondary_indexes) {
    RETURN_IF_ERROR(AddGlobalIndexes(*request.global_secondary_indexes, definitions, table));
  }
  return CheckIncludedTotal(table);
}

Index& GlobalIndex(Table& table, const GlobalSecondaryIndex& sent) {
  return *std::ranges::find(table.indexes, *sent.index_name, &Index::name);
}

Result<void> SetOnDemand(const CreateTableRequest& request, Table& table) {
  if (request.on_demand_throughput) {
    RETURN_IF_ERROR(CheckOnDemand(*request.on_demand_throughput, table.billing_mode, {}));
    table.on_demand = *request.on_demand_throughput;
  }
  if (!request.global_secondary_indexes) return {};
  for (const GlobalSecondaryIndex& sent : *request.global_secondary_indexes) {
    if (!sent.on_demand_throughput) continue;
    RETURN_IF_ERROR(
        CheckOnDemand(*sent.on_demand_throughput, table.billing_mode, {.index = *sent.index_name}));
    GlobalIndex(table, sent).on_demand = *sent.on_demand_throughput;
  }
  return {};
}

Result<void> SetWarm(const CreateTableRequest& request, Table& table) {
  if (request.warm_throughput) {
    RETURN_IF_ERROR(CheckNewWarm(*request.warm_throughput, table.billing_mode, table.throughput));
    table.warm = request.warm_throughput;
  }
  if (!request.global_secondary_indexes) return {};
  for (const GlobalSecondaryIndex& sent : *request.global_secondary_indexes) {
    if (!sent.warm_throughput) continue;
    Index& index = GlobalIndex(table, sent);
    RETURN_IF_ERROR(
        CheckNewWarm(*sent.warm_throughput, table.billing_mode, index.throughput, index.name));
    index.warm = sent.warm_throughput;
  }
  return {};
}

Result<Plan> Validate(const CreateTableRequest& request, Engine& engine, Wording) {
  Plan plan;
  Table& table = plan.table;
  ASSIGN_OR_RETURN(table.name, RequiredTableName(request.table_name, engine));
  RETURN_IF_ERROR(CheckConstraints(request));
  table.billing_mode = SentBillingMode(request.billing_mode, request.table_throughput_mode)
                           .value_or(BillingMode::kProvisioned);
  ASSIGN_OR_RETURN(table.throughput,
                   NewTableThroughput(table.billing_mode, request.provisioned_throughput));
  RETURN_IF_ERROR(SetKeysAndIndexes(request, table));
  RETURN_IF_ERROR(CheckNewStream(request.stream_specification));
  if (request.stream_specification && *request.stream_specification->stream_enabled) {
    plan.stream_view = request.stream_specification->stream_view_type->value();
  }
  RETURN_IF_ERROR(CheckTableClass(request.table_class));
  RETURN_IF_ERROR(CheckSse(request.sse_specification));
  RETURN_IF_ERROR(SetOnDemand(request, table));
  RETURN_IF_ERROR(SetWarm(request, table));
  if (request.tags) {
    RETURN_IF_ERROR(CheckTags(*request.tags));
    RETURN_IF_ERROR(MergeTags(*request.tags, table.tags));
  }
  if (request.table_class) table.table_class = request.table_class->value();
  table.deletion_protection = request.deletion_protection_enabled.value_or(false);
  table.arn = TableArn(engine, table.name);
  return plan;
}

// The table is being created as far as the answer goes, though it can be used as soon as it is
// there.
TableDescription DescribeAsCreating(const Table& table, TimeMs now) {
  TableDescription described = Describe(table, now);
  described.table_status = TableStatus::kCreating;
  described.last_update_to_pay_per_request_ms.reset();
  if (!table.warm) described.warm_throughput.reset();
  for (TableDescription::Index& index : described.global_secondary_indexes) {
    index.index_status = IndexStatus::kCreating;
    if (!table.FindIndex(index.index_name)->warm) index.warm_throughput.reset();
  }
  return described;
}

// Adds the table, with its stream.
Result<TablePtr> Add(Engine& engine, Table table, std::optional<StreamViewType> view, TimeMs now) {
  if (!view) return engine.catalog().Add(std::move(table));
  Stream stream = BeginStream(engine.streams(), *view, now, table);
  ASSIGN_OR_RETURN(TablePtr created,
                   engine.catalog().Add(std::move(table), StreamCatalog::RowsOfNew(stream)));
  stream.table = created->number;
  RETURN_IF_ERROR(engine.FollowStream(std::move(stream)));
  return created;
}

Result<CreateTableResponse> Execute(Engine& engine, Plan plan) {
  Table& table = plan.table;
  const TimeMs now = engine.clock().Now();
  RETURN_IF_ERROR(PrepareNewTable(engine, now, table));
  ASSIGN_OR_RETURN(const TablePtr created, Add(engine, std::move(table), plan.stream_view, now));
  return CreateTableResponse{DescribeAsCreating(*created, now)};
}

}  // namespace
}  // namespace create_table

Result<Table> PlanNewTable(const CreateTableRequest& request, Engine& engine) {
  ASSIGN_OR_RETURN(create_table::Plan plan,
                   create_table::Validate(request, engine, Wording::kClassic));
  return std::move(plan.table);
}

Result<void> PrepareNewTable(Engine& engine, TimeMs now, Table& table) {
  if (const TablePtr existing = engine.catalog().Find(table.name)) {
    RETURN_IF_ERROR(CheckIsCreated(*existing));
    return std::unexpected(
        Error::ResourceInUse(fmt::format("Table already exists: {}", table.name)));
  }
  RETURN_IF_ERROR(CheckAccountLimits(table.throughput, engine.region()));
  for (const Index& index : table.indexes) {
    RETURN_IF_ERROR(CheckAccountLimits(index.throughput, engine.region()));
  }
  table.id = RandomUuid();
  table.creation_ms = now.time_since_epoch().count();
  if (table.billing_mode == BillingMode::kPayPerRequest) {
    table.was_ever_pay_per_request = true;
    table.last_update_to_pay_per_request_ms = table.creation_ms;
  }
  return {};
}

STATOR_DEFINE_BACKGROUND_OPERATION(CreateTable, create_table);

}  // namespace stator
