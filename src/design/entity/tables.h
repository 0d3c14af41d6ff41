// Requests that make the tables of a model, and sending them.
#ifndef STATOR_ENTITY_TABLES_H_
#define STATOR_ENTITY_TABLES_H_

#include <functional>
#include <string>
#include <vector>

#include "entity/context.h"
#include "model/model.h"
#include "stator/table_operations.h"

namespace stator::entity {

// Creates the tables that do not exist, and waits until they are active.
EntityResult<void> CreateTables(Context& context);

// Asks until the table and its indexes are active, for at most ten minutes, and calls `waiting`
// before each pause. The answer says what is still not active; empty: everything is.
Result<std::string> WaitUntilActive(
    Endpoint& endpoint, const std::string& table_name,
    const std::function<void(const std::string& what)>& waiting = {});

// `environment` chooses settings that differ between environments; it may be empty.
CreateTableRequest MakeCreateTable(const model::Table& table, const std::string& table_name,
                                   const std::string& environment = {});

ScalarType ScalarOf(Type type);  // of a key attribute

GlobalSecondaryIndex MakeGlobalIndex(const model::Table& table, const model::Index& index);

// The definitions of the key attributes of the table and of these of its indexes.
std::vector<AttributeDefinition> MakeDefinitions(const model::Table& table,
                                                 const std::vector<const model::Index*>& indexes);

}  // namespace stator::entity

#endif  // STATOR_ENTITY_TABLES_H_
