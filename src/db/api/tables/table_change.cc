#include "api/tables/table_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/request_rules.h"
#include "api/tables/index_rules.h"
#include "api/tables/key_schema_rules.h"
#include "api/tables/throughput_rules.h"
#include "base/try.h"
#include "base/utc_text.h"
#include "engine/streams/stream_lifecycle.h"
#include "wire/enum_text.h"

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

std::unexpected<Error> OnlyOneIndex() {
  return LimitExceeded("Only 1 online index can be created or deleted simultaneously per table");
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
  return OnlyOneIndex();
}

Result<Definitions> DefinitionsFor(const UpdateTableRequest& request, const std::string& index,
                                   const Table& table) {
  if (!request.attribute_definitions || request.attribute_definitions->empty()) {
    return InvalidValue(fmt::format("AttributeDefinitions is not specified for index: {}", index));
  }
  ASSIGN_OR_RETURN(const Definitions sent, Definitions::From(*request.attribute_definitions));
  return Definitions::Merged(table, sent);
}

// "Schema:[SchemaElement: key{a:S:HASH}]"
std::string ShownElement(std::string_view name, ScalarType type, const KeySchema& keys) {
  const bool is_hash = std::ranges::find(keys.hash, name, &KeyAttribute::name) != keys.hash.end();
  return fmt::format("Schema:[SchemaElement: key{{{}:{}:{}}}]", name, EnumText(type),
                     EnumText(is_hash ? KeyType::kHash : KeyType::kRange));
}

// The keys among which the table has the attribute already.
const KeySchema& SchemaWith(std::string_view name, const Table& table) {
  if (table.keys.Find(name) != nullptr) return table.keys;
  const auto index = std::ranges::find_if(
      table.indexes, [name](const Index& known) { return known.keys.Find(name) != nullptr; });
  return index == table.indexes.end() ? table.keys : index->keys;
}

// A key of the new index cannot have another type than the attribute has. What the request says of
// other attributes that the table knows is ignored.
Result<void> CheckNotRedefined(const std::vector<AttributeDefinition>& sent, const Index& index,
                               const Table& table) {
  for (const AttributeDefinition& definition : sent) {
    const std::string& name = *definition.attribute_name;
    const KeyAttribute* const key = index.keys.Find(name);
    const ScalarType wanted = definition.attribute_type->value();
    if (key == nullptr || key->type == wanted) continue;
    return InvalidValue(fmt::format(
        "Attributes cannot be redefined. Please check that your attribute has the same type as "
        "previously defined. Existing schema: {} New schema: {}",
        ShownElement(name, key->type, SchemaWith(name, table)),
        ShownElement(name, wanted, index.keys)));
  }
  return {};
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
  RETURN_IF_ERROR(CheckNotRedefined(*request.attribute_definitions, index, table));
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
  const auto removes = [](const IndexUpdate& update) { return update.remove.has_value(); };
  // Before any index is looked up.
  if (std::ranges::count_if(*request.global_secondary_index_updates, removes) > 1) {
    return OnlyOneIndex();
  }
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

namespace {

std::unexpected<Error> Refused(std::string_view what, const Table& table) {
  return std::unexpected(Error::Validation(fmt::format("{}: TableName: {}", what, table.name)));
}

}  // namespace

Result<StreamChange> ChangeStream(const std::optional<StreamSpecification>& sent,
                                  const StreamCatalog& streams, TimeMs now, Table& table) {
  StreamChange change;
  if (!sent) return change;
  if (*sent->stream_enabled) {
    if (table.stream) return Refused("Table already has an enabled stream", table);
    RETURN_IF_ERROR(CheckNoIndexIsChanging(table, "stream status"));
    change.stream = BeginStream(streams, sent->stream_view_type->value(), now, table);
    change.rows = StreamCatalog::RowsOfNew(*change.stream);
  } else {
    if (!table.stream) return Refused("Table has no stream to disable", table);
    RETURN_IF_ERROR(CheckNoIndexIsChanging(table, "stream status"));
    change.stream = EndStream(streams, now, table);
    change.rows = StreamCatalog::RowsOf(*change.stream);
  }
  return change;
}

namespace {

constexpr std::size_t kClassChanges = 2;
constexpr std::chrono::days kClassWindow{30};
constexpr std::chrono::milliseconds kBetweenProtectionChanges{15'000};

std::int64_t Ms(TimeMs time) { return time.time_since_epoch().count(); }

std::string IsoTime(TimeMs time) { return UtcMilliseconds(time) + "Z"; }

Result<void> ChangeClass(TableClass wanted, TimeMs now, Table& table) {
  if (table.table_class.value_or(TableClass::kStandard) == wanted) return {};
  std::erase_if(table.table_class_changes_ms,
                [now](std::int64_t change_ms) { return change_ms <= Ms(now - kClassWindow); });
  if (table.table_class_changes_ms.size() >= kClassChanges) {
    return std::unexpected(Error::LimitExceeded(fmt::format(
        "Subscriber limit exceeded: Updates to TableClass are limited to {} times in {} day(s).",
        kClassChanges, kClassWindow.count())));
  }
  table.table_class = wanted;
  table.table_class_update_ms = Ms(now);
  table.table_class_changes_ms.push_back(Ms(now));
  return {};
}

Result<void> ChangeProtection(bool wanted, TimeMs now, Table& table) {
  if (table.deletion_protection == wanted) return {};
  const std::int64_t last_ms = table.deletion_protection_change_ms;  // 0: never
  const TimeMs next = TimeMs(std::chrono::milliseconds(last_ms)) + kBetweenProtectionChanges;
  if (last_ms != 0 && now < next) {
    return std::unexpected(Error::Throttling(fmt::format(
        "Deletion protection setting for table {} modified within the previous {} milliseconds. "
        "Please try again after {}",
        table.name, kBetweenProtectionChanges.count(), IsoTime(next))));
  }
  table.deletion_protection = wanted;
  table.deletion_protection_change_ms = Ms(now);
  return {};
}

// Tables have the default encryption, and no other.
Result<void> CheckSseChange(const SseSpecification& sse) {
  const bool wants_key = sse.enabled.value_or(false) || sse.sse_type || sse.kms_master_key_id;
  if (wants_key) return {};
  return InvalidValue("Table is already encrypted by default");
}

}  // namespace

Result<void> ChangeSettings(const UpdateTableRequest& request, TimeMs now, Table& table) {
  if (request.sse_specification) RETURN_IF_ERROR(CheckSseChange(*request.sse_specification));
  if (request.table_class) {
    RETURN_IF_ERROR(ChangeClass(request.table_class->value(), now, table));
  }
  if (request.deletion_protection_enabled) {
    RETURN_IF_ERROR(ChangeProtection(*request.deletion_protection_enabled, now, table));
  }
  return {};
}

}  // namespace stator
