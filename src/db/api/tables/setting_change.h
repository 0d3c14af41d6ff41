// Changes that UpdateTable makes to a table's encryption, class and protection (behaviour.md §9.4).
#ifndef STATOR_API_TABLES_SETTING_CHANGE_H_
#define STATOR_API_TABLES_SETTING_CHANGE_H_

#include "base/clock.h"
#include "engine/catalog/table.h"
#include "stator/result.h"
#include "stator/table_operations.h"

namespace stator {

Result<void> ChangeSettings(const UpdateTableRequest& request, TimeMs now, Table& table);

}  // namespace stator

#endif  // STATOR_API_TABLES_SETTING_CHANGE_H_
