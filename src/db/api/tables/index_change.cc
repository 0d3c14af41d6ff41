#include "api/tables/index_change.h"

#include <algorithm>

#include "api/invalid_value.h"
#include "api/tables/index_rules.h"
#include "api/tables/key_schema_rules.h"
#include "api/tables/throughput_rules.h"
#include "base/try.h"

namespace stator {
namespace {

using IndexUpdate = GlobalSecondaryIndexUpdate;

std::unexpected<Error> InUse(std::string_view detail, const Table& table, const Index& index) {
  return std::unexpected(Error::ResourceInUse(
      fmt::format("Attempt to change a resource which is still in use: {} Table: {} Index: {}",
                  detail, table.name, index.name)));
}

std::unexpected<Error> LimitExceeded(std::string_view detail) {
  return std::unexpected(
      Error::LimitExceeded(fmt::format("Subscriber limit exceeded: {}", detail)));
}

bool IsChanging(const Index& index) { return index.status != IndexStatus::kActive; }

// `verb` is what the request wants to do with it.
Result<Index*> FindGlobalIndex(Table& table, const std::string& name, std::string_view verb) {
  const auto index = std::ranges::find(table.indexes, name, &Index::name);
  if (index == table.indexes.end()) {
    return std::unexpected(Error::ResourceNotFound(
        fmt::format("Requested resource not found: Index {} for table {}", name, table.name)));
  }
  if (!index->global) {
    return std::unexpected(Error::Validation(
        fmt::format("Cannot {} an index that is not a GlobalSecondaryIndex: {}", verb, name)));
  }
  return &*index;
}

Result<void> CheckOneAtATime(const std::vector<IndexUpdate>& updates, const Table& table,
                             const Index* wanted) {
  const auto builds = [](const IndexUpdate& update) { return update.create || update.remove; };
  const bool another_in_request = std::ranges::count_if(updates, builds) > 1;
  const bool another_in_table = std::ranges::any_of(table.indexes, [wanted](const Index& index) {
    return &index != wanted && IsChanging(index);
  });
  if (!another_in_request && !another_in_table) return {};
  return LimitExceeded("Only 1 online index can be created or deleted simultaneously per table");
}

Result<Definitions> DefinitionsFor(const UpdateTableRequest& request, const std::string& index,
                                   const Table& table) {
  if (!request.attribute_definitions || request.attribute_definitions->empty()) {
    return InvalidValue("AttributeDefinitions is not specified for index: {}", index);
  }
  ASSIGN_OR_RETURN(const Definitions sent, Definitions::From(*request.attribute_definitions));
  return Definitions::Merged(table, sent);
}

Result<IndexNumber> CreateIndex(const GlobalSecondaryIndex& sent, const UpdateTableRequest& request,
                                const ChangeContext& context, Table& table) {
  if (table.FindIndex(*sent.index_name)) {
    return std::unexpected(Error::Validation("Attempting to create an index which already exists"));
  }
  RETURN_IF_ERROR(CheckOneAtATime(*request.global_secondary_index_updates, table, nullptr));
  if (std::cmp_greater_equal(std::ranges::count(table.indexes, true, &Index::global),
                             kMaxGlobalIndexes)) {
    return LimitExceeded(fmt::format(
        "Number of global secondary indexes exceeds per-table limit of {}", kMaxGlobalIndexes));
  }
  ASSIGN_OR_RETURN(const Definitions definitions, DefinitionsFor(request, *sent.index_name, table));
  ASSIGN_OR_RETURN(Index index, MakeGlobalIndex(sent, definitions, table.keys));
  ASSIGN_OR_RETURN(index.throughput,
                   NewIndexThroughput(table.billing_mode, sent, /*with_table=*/false));
  RETURN_IF_ERROR(CheckAccountLimits(index.throughput, context.region));
  if (sent.on_demand_throughput) {
    RETURN_IF_ERROR(
        CheckOnDemand(*sent.on_demand_throughput, table.billing_mode, {.index = index.name}));
    index.on_demand = *sent.on_demand_throughput;
  }
  if (sent.warm_throughput) {
    RETURN_IF_ERROR(
        CheckNewWarm(*sent.warm_throughput, table.billing_mode, index.throughput, index.name));
    index.warm = sent.warm_throughput;
  }
  index.number = table.next_index_number++;
  index.status = IndexStatus::kCreating;
  index.backfilling = false;
  const IndexNumber number = index.number;
  table.indexes.push_back(std::move(index));
  table.attribute_definitions = definitions.Sorted();
  PruneAttributeDefinitions(table);
  RETURN_IF_ERROR(CheckIncludedTotal(table));
  return number;
}

Result<void> UpdateIndex(const IndexUpdate::UpdateAction& sent, BillingMode was,
                         const ChangeContext& context, Table& table) {
  ASSIGN_OR_RETURN(Index* const index, FindGlobalIndex(table, *sent.index_name, "update"));
  if (index->status == IndexStatus::kDeleting)
    return InUse("Index is being deleted.", table, *index);
  if (index->status == IndexStatus::kCreating && index->backfilling != true) {
    return InUse("Index is being created but is not backfilling yet.", table, *index);
  }
  return ChangeIndexCapacity(sent, was, context, table, *index);
}

Result<IndexNumber> RemoveIndex(const IndexUpdate::DeleteAction& sent,
                                const UpdateTableRequest& request, Table& table) {
  ASSIGN_OR_RETURN(Index* const index, FindGlobalIndex(table, *sent.index_name, "delete"));
  if (index->status == IndexStatus::kDeleting)
    return InUse("Index is being deleted.", table, *index);
  if (index->status == IndexStatus::kCreating && index->backfilling != true) {
    return InUse(
        "Index creation is in resource allocation phase. Retry deletion during backfilling phase "
        "or "
        "when the index is active.",
        table, *index);
  }
  RETURN_IF_ERROR(CheckOneAtATime(*request.global_secondary_index_updates, table, index));
  index->status = IndexStatus::kDeleting;
  index->backfilling.reset();
  return index->number;
}

}  // namespace

Result<IndexChanges> ChangeIndexes(const UpdateTableRequest& request, BillingMode was,
                                   const ChangeContext& context, Table& table) {
  IndexChanges changes;
  if (!request.global_secondary_index_updates) return changes;
  for (const IndexUpdate& update : *request.global_secondary_index_updates) {
    if (update.create) {
      ASSIGN_OR_RETURN(changes.created, CreateIndex(*update.create, request, context, table));
    } else if (update.remove) {
      ASSIGN_OR_RETURN(changes.removed, RemoveIndex(*update.remove, request, table));
    } else {
      RETURN_IF_ERROR(UpdateIndex(*update.update, was, context, table));
      changes.updated.push_back(*update.update->index_name);
    }
  }
  return changes;
}

}  // namespace stator
