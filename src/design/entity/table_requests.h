// Requests that make the tables of a model.
#ifndef STATOR_ENTITY_TABLE_REQUESTS_H_
#define STATOR_ENTITY_TABLE_REQUESTS_H_

#include <string>
#include <vector>

#include "model/model.h"
#include "stator/table_operations.h"

namespace stator::entity {

// `environment` chooses settings that differ between environments; it may be empty.
CreateTableRequest MakeCreateTable(const model::Table& table, const std::string& table_name,
                                   const std::string& environment = {});

ScalarType ScalarOf(Type type);  // of a key attribute

GlobalSecondaryIndex MakeGlobalIndex(const model::Table& table, const model::Index& index);

// The definitions of the key attributes of the table and of these of its indexes.
std::vector<AttributeDefinition> MakeDefinitions(const model::Table& table,
                                                 const std::vector<const model::Index*>& indexes);

}  // namespace stator::entity

#endif  // STATOR_ENTITY_TABLE_REQUESTS_H_
