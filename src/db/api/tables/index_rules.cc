#include "api/tables/index_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "api/request_rules.h"
#include "api/tables/throughput_rules.h"
#include "base/try.h"
#include "wire/enum_text.h"

namespace stator {
namespace {

constexpr std::size_t kMaxIncludedTotal = 100;

Result<void> CheckIncluded(const std::vector<std::string>& names) {
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) != name) {
      return InvalidValue(fmt::format("Duplicate element in NonKeyAttributes: {}", *name));
    }
    if (AttributeValue::String(*name).problem() != nullptr) {
      return InvalidValue("NonKeyAttributes holds a name that is not valid UTF-8");
    }
  }
  return {};
}

Result<void> SetProjection(const IndexProjection& sent, Index& index) {
  if (!sent.projection_type) return InvalidValue("Unknown ProjectionType: null");
  index.projection = sent.projection_type->value();
  const bool includes = index.projection == ProjectionType::kInclude;
  if (!includes && sent.non_key_attributes) {
    return InvalidValue(fmt::format("ProjectionType is {}, but NonKeyAttributes is specified",
                                    EnumText(index.projection)));
  }
  if (includes && !sent.non_key_attributes) {
    return InvalidValue("ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
  }
  if (includes) {
    RETURN_IF_ERROR(CheckIncluded(*sent.non_key_attributes));
    index.non_key_attributes = *sent.non_key_attributes;
    std::ranges::sort(index.non_key_attributes);
  }
  return {};
}

Result<void> CheckGlobalIndexKeys(const SentSchema& schema, const Definitions& definitions) {
  RETURN_IF_ERROR(CheckKeysDefined(schema, definitions));
  return CheckGlobalSchema(schema);
}

Result<Index> MakeLocalIndex(const LocalSecondaryIndex& sent, const Definitions& definitions,
                             const KeySchema& table_keys) {
  Index index;
  index.name = *sent.index_name;
  index.keys = MakeSchema(*sent.key_schema, definitions);
  RETURN_IF_ERROR(SetProjection(*sent.projection, index));
  CompleteIndex(table_keys, index);
  return index;
}

// Adds indexes to a new table. However many are sent, each is checked before they are counted.
class IndexAdder {
 public:
  explicit IndexAdder(Table& table) : table_(table) {
    for (const Index& index : table.indexes) names_.insert(index.name);
  }

  Result<void> Add(Index index) {
    if (!names_.insert(index.name).second) {
      return InvalidValue(fmt::format("Duplicate index name: {}", index.name));
    }
    index.number = table_.next_index_number++;
    table_.indexes.push_back(std::move(index));
    return {};
  }

 private:
  Table& table_;
  std::set<std::string> names_;
};

}  // namespace

Result<void> CheckLocalKeys(const std::vector<LocalSecondaryIndex>& sent,
                            const Definitions& definitions, const SentSchema& table_schema) {
  if (sent.empty()) return InvalidValue("List of LocalSecondaryIndexes is empty");
  if (table_schema.size() < 2) {
    return InvalidValue(
        "Table KeySchema does not have a range key, which is required when specifying a "
        "LocalSecondaryIndex");
  }
  const std::string& table_hash = *table_schema.front().attribute_name;
  for (const LocalSecondaryIndex& index : sent) {
    const SentSchema& schema = *index.key_schema;
    RETURN_IF_ERROR(CheckKeysDefined(schema, definitions));
    RETURN_IF_ERROR(CheckSimpleSchema(schema));
    if (schema.size() < 2) {
      return InvalidValue(fmt::format("Index KeySchema does not have a range key for index: {}",
                                      *index.index_name));
    }
    if (schema.front().attribute_name != table_hash) {
      return InvalidValue(
          fmt::format("Index KeySchema does not have the same leading hash key as table KeySchema "
                      "for index: {}. index hash key: {}, table hash key: {}",
                      *index.index_name, *schema.front().attribute_name, table_hash));
    }
  }
  return {};
}

Result<void> CheckGlobalKeys(const std::vector<GlobalSecondaryIndex>& sent,
                             const Definitions& definitions) {
  if (sent.empty()) return InvalidValue("List of GlobalSecondaryIndexes is empty");
  for (const GlobalSecondaryIndex& index : sent) {
    RETURN_IF_ERROR(CheckGlobalIndexKeys(*index.key_schema, definitions));
  }
  return {};
}

Result<Index> MakeGlobalIndex(const GlobalSecondaryIndex& sent, const Definitions& definitions,
                              const KeySchema& table_keys) {
  RETURN_IF_ERROR(CheckGlobalIndexKeys(*sent.key_schema, definitions));
  Index index;
  index.name = *sent.index_name;
  index.global = true;
  index.keys = MakeSchema(*sent.key_schema, definitions);
  RETURN_IF_ERROR(SetProjection(*sent.projection, index));
  CompleteIndex(table_keys, index);
  return index;
}

Result<void> AddLocalIndexes(const std::vector<LocalSecondaryIndex>& sent,
                             const Definitions& definitions, Table& table) {
  IndexAdder adder(table);
  for (const LocalSecondaryIndex& one : sent) {
    ASSIGN_OR_RETURN(Index index, MakeLocalIndex(one, definitions, table.keys));
    RETURN_IF_ERROR(adder.Add(std::move(index)));
  }
  if (sent.size() > kMaxLocalIndexes) {
    return InvalidValue(fmt::format("Number of LocalSecondaryIndexes exceeds per-table limit of {}",
                                    kMaxLocalIndexes));
  }
  return {};
}

Result<void> AddGlobalIndexes(const std::vector<GlobalSecondaryIndex>& sent,
                              const Definitions& definitions, Table& table) {
  IndexAdder adder(table);
  for (const GlobalSecondaryIndex& one : sent) {
    ASSIGN_OR_RETURN(Index index, MakeGlobalIndex(one, definitions, table.keys));
    ASSIGN_OR_RETURN(index.throughput,
                     NewIndexThroughput(table.billing_mode, one, /*with_table=*/true));
    RETURN_IF_ERROR(adder.Add(std::move(index)));
  }
  if (sent.size() > kMaxGlobalIndexes) {
    return InvalidValue(fmt::format("GlobalSecondaryIndex count exceeds the per-table limit of {}",
                                    kMaxGlobalIndexes));
  }
  return {};
}

Result<void> CheckNoIndexIsChanging(const Table& table, std::string_view what) {
  for (const Index& index : table.indexes) {
    if (index.status == IndexStatus::kActive) continue;
    return std::unexpected(Error::ResourceInUse(fmt::format(
        "Attempt to change a resource which is still in use: Can't change {} when an index is "
        "being {}. Table: {} Indexes: [{}]",
        what, index.status == IndexStatus::kDeleting ? "deleted" : "created", table.name,
        index.name)));
  }
  return {};
}

Result<void> CheckIncludedTotal(const Table& table) {
  std::size_t total = 0;
  for (const Index& index : table.indexes) total += index.non_key_attributes.size();
  if (total <= kMaxIncludedTotal) return {};
  return InvalidValue(
      fmt::format("Number of NonKeyAttributes over all indexes exceeds per-table limit of {}",
                  kMaxIncludedTotal));
}

}  // namespace stator
