// DeleteTable: removes a table. Its name is free at once; its rows are cleared in the background.
#include "api/invalid_value.h"
#include "api/member_reader.h"
#include "api/operations.h"
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

Result<DeleteTableRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  DeleteTableRequest request;
  request.table_name = in.String("TableName");
  return in.Finish(std::move(request));
}

Result<Plan> Validate(const DeleteTableRequest& request, Engine& engine, Wording) {
  Plan plan;
  ASSIGN_OR_RETURN(plan.table_name, RequiredTableName(request.table_name, engine));
  return plan;
}

// Its stream can be read for another day.
Result<void> Drop(Engine& engine, const Table& table) {
  if (!table.stream) return engine.catalog().Drop(table.number);
  Table ending = table;
  Stream stream = EndStream(engine.streams(), engine.clock().Now(), ending);
  RETURN_IF_ERROR(engine.catalog().Drop(table.number, StreamCatalog::RowsOf(stream)));
  return engine.FollowStream(std::move(stream));
}

Result<DeleteTableResponse> Delete(Engine& engine, const std::string& name) {
  const TablePtr table = engine.catalog().Find(name);
  if (!table) return std::unexpected(TableNotFound(name));
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
  DeleteTableResponse response{Describe(*table, engine.clock().Now())};
  response.table.table_status = TableStatus::kDeleting;
  response.table.global_secondary_indexes.clear();
  return response;
}

void Execute(Engine& engine, Plan plan, Reply<DeleteTableResponse> reply) {
  engine.background().Post([&engine, plan = std::move(plan), reply = std::move(reply)]() mutable {
    reply(Delete(engine, plan.table_name));
  });
}

void Encode(const DeleteTableResponse& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("TableDescription");
  WriteTableDescription(out, response.table);
  out.EndObject();
}

}  // namespace
}  // namespace delete_table

constinit const Operation<DeleteTableRequest, DeleteTableResponse> kDeleteTable =
    DefineOperation<DeleteTableRequest, DeleteTableResponse, delete_table::Decode,
                    delete_table::Validate, delete_table::Execute, delete_table::Encode>();

}  // namespace stator
