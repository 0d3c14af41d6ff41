// DeleteTable: removes a table. Its name is free at once; its rows are cleared in the background.
#include "api/operations.h"
#include "api/request_rules.h"
#include "api/tables/table_description.h"
#include "api/tables/table_reference.h"
#include "base/try.h"
#include "engine/streams/stream_lifecycle.h"

namespace stator {
namespace delete_table {
namespace {

struct Plan {
  std::string table_name;
};

Result<Plan> Validate(const DeleteTableRequest& request, Engine& engine, Wording) {
  Plan plan;
  ASSIGN_OR_RETURN(plan.table_name, RequiredTableName(request.table_name, engine));
  return plan;
}

// Its stream can be read for another day.
Result<void> Drop(Engine& engine, const Table& table) {
  std::optional<Stream> stream;
  RETURN_IF_ERROR(engine.catalog().Drop(table.number, [&](const Table& newest) {
    stream.reset();
    if (!newest.stream) return RawRows();
    Table ending = newest;
    stream = EndStream(engine.streams(), engine.clock().Now(), ending);
    return StreamCatalog::RowsOf(*stream);
  }));
  if (!stream) return {};
  return engine.FollowStream(*std::move(stream));
}

// DynamoDB tells less about a table that goes.
TableDescription DescribeAsDeleting(const Table& table, TimeMs now) {
  TableDescription described = Describe(table, now);
  described.table_status = TableStatus::kDeleting;
  described.attribute_definitions.clear();
  described.key_schema.clear();
  described.creation_ms = 0;
  described.global_secondary_indexes.clear();
  return described;
}

Result<DeleteTableResponse> Execute(Engine& engine, const Plan& plan) {
  const TablePtr table = engine.catalog().Find(plan.table_name);
  if (!table) return std::unexpected(TableNotFound(plan.table_name));
  RETURN_IF_ERROR(CheckIsCreated(*table));
  for (const Index& index : table->indexes) {
    if (index.status == IndexStatus::kActive) continue;
    return std::unexpected(Error::ResourceInUse(
        "Attempt to change a resource which is still in use: Cannot delete table while indexes are "
        "being created, updated, or deleted."));
  }
  if (table->deletion_protection) {
    return std::unexpected(
        Error::Validation("Resource cannot be deleted as it is currently protected against "
                          "deletion. Disable deletion "
                          "protection first."));
  }
  if (table->recovery) RETURN_IF_ERROR(engine.recovery().BackUpForDeletion(table));
  RETURN_IF_ERROR(Drop(engine, *table));
  engine.StartClearing(table->number);
  return DeleteTableResponse{DescribeAsDeleting(*table, engine.clock().Now())};
}

}  // namespace
}  // namespace delete_table

STATOR_DEFINE_BACKGROUND_OPERATION(DeleteTable, delete_table);

}  // namespace stator
