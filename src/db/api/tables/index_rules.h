// Rules about secondary indexes, and the indexes that come of them (behaviour.md §9.3, steps 6 to
// 8).
#ifndef STATOR_API_TABLES_INDEX_RULES_H_
#define STATOR_API_TABLES_INDEX_RULES_H_

#include <vector>

#include "api/tables/key_schema_rules.h"
#include "engine/catalog/table.h"
#include "stator/result.h"
#include "stator/table_operations.h"

namespace stator {

inline constexpr std::size_t kMaxLocalIndexes = 5;
inline constexpr std::size_t kMaxGlobalIndexes = 20;

// The keys of the indexes of a CreateTable request.
Result<void> CheckLocalKeys(const std::vector<LocalSecondaryIndex>& sent,
                            const Definitions& definitions, const SentSchema& table_schema);
Result<void> CheckGlobalKeys(const std::vector<GlobalSecondaryIndex>& sent,
                             const Definitions& definitions);

// Add the indexes of a CreateTable request to `table`, whose keys, name, ARN and billing mode are
// set.
// REQUIRES: their keys were checked.
Result<void> AddLocalIndexes(const std::vector<LocalSecondaryIndex>& sent,
                             const Definitions& definitions, Table& table);
Result<void> AddGlobalIndexes(const std::vector<GlobalSecondaryIndex>& sent,
                              const Definitions& definitions, Table& table);

// The index that a request describes, without number and throughput, once its keys and projection
// are found to be right.
Result<Index> MakeGlobalIndex(const GlobalSecondaryIndex& sent, const Definitions& definitions,
                              const KeySchema& table_keys);

// `what` cannot be changed while an index is being created or deleted: "table IOPS".
Result<void> CheckNoIndexIsChanging(const Table& table, std::string_view what);

// At most 100 included attributes over all indexes.
Result<void> CheckIncludedTotal(const Table& table);

}  // namespace stator

#endif  // STATOR_API_TABLES_INDEX_RULES_H_
