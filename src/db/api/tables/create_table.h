// The rules of CreateTable, for other operations that make tables.
#ifndef STATOR_API_TABLES_CREATE_TABLE_H_
#define STATOR_API_TABLES_CREATE_TABLE_H_

#include "base/clock.h"
#include "engine/engine.h"
#include "stator/result.h"
#include "stator/table_operations.h"

namespace stator {

// The table that the request describes, all but what is given to it when it is made. Its stream is
// left out.
Result<Table> PlanNewTable(const CreateTableRequest& request, Engine& engine);

// The rules that need the catalog, "Table already exists: …" first; then gives the table its id and
// times. On the background thread.
Result<void> PrepareNewTable(Engine& engine, TimeMs now, Table& table);

}  // namespace stator

#endif  // STATOR_API_TABLES_CREATE_TABLE_H_
