// What DynamoDB tells about a table (behaviour.md §9.2).
#ifndef STATOR_API_TABLES_TABLE_DESCRIPTION_H_
#define STATOR_API_TABLES_TABLE_DESCRIPTION_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "engine/catalog/table.h"
#include "engine/engine.h"
#include "stator/table_operations.h"

namespace stator {

// As DescribeTable shows it at the time `now`.
TableDescription Describe(const Table& table, TimeMs now);

// The attributes of a schema, those of the partition first.
std::vector<std::pair<std::string, KeyType>> DescribeKeys(const KeySchema& keys);

std::string TableArn(const Engine& engine, std::string_view table_name);

// For a change of a table that is being filled: "… still in use: Table is being created: Music".
Result<void> CheckIsCreated(const Table& table);

// "Requested resource not found: Table: Music not found"
Error TableNotFound(std::string_view table_name);

}  // namespace stator

#endif  // STATOR_API_TABLES_TABLE_DESCRIPTION_H_
