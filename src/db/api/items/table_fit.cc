#include "api/items/table_fit.h"

#include <fmt/format.h>

#include "api/request_rules.h"
#include "base/try.h"
#include "engine/write/item_rules.h"

namespace stator {
namespace {

Result<void> CheckKeysUntouched(const Table& table, const Update& update) {
  for (const Update::Target& target : update.targets()) {
    const std::string& name = target.path.front().name;
    if (table.keys.Find(name) == nullptr) continue;
    return Invalid(fmt::format("{}Cannot update attribute {}. This attribute is part of the key",
                               kInvalidValues, name));
  }
  return {};
}

Result<void> CheckAllPaths(const Table& table, const ItemWrite& write) {
  if (write.update) {
    for (const Update::Target& target : write.update->targets()) {
      RETURN_IF_ERROR(CheckNotNestedKey(table, target.path));
    }
    RETURN_IF_ERROR(CheckNoNestedKeys(table, write.update->OperandPaths()));
  }
  if (write.condition) RETURN_IF_ERROR(CheckNoNestedKeys(table, write.condition->Paths()));
  return {};
}

Result<void> FitPut(const Table& table, const ItemWrite& write) {
  const ItemView item = write.item.view();
  RETURN_IF_ERROR(CheckItemSize(item));
  RETURN_IF_ERROR(CheckItemKeys(table.keys, item));
  return CheckPutIndexKeys(table, item);
}

Result<void> FitUpdate(const Table& table, const ItemWrite& write) {
  RETURN_IF_ERROR(CheckKey(table.keys, write.item.view()));
  if (!write.update) return {};
  RETURN_IF_ERROR(CheckKeysUntouched(table, *write.update));
  return CheckStaticIndexKeys(table, *write.update);
}

}  // namespace

Result<void> FitToTable(const ItemWrite& write) {
  const Table& table = *write.table;
  switch (write.kind) {
    case ItemWrite::Kind::kPut:
      RETURN_IF_ERROR(FitPut(table, write));
      break;
    case ItemWrite::Kind::kUpdate:
      RETURN_IF_ERROR(FitUpdate(table, write));
      break;
    case ItemWrite::Kind::kDelete:
    case ItemWrite::Kind::kCheck:
      RETURN_IF_ERROR(CheckKey(table.keys, write.item.view()));
      break;
  }
  return CheckAllPaths(table, write);
}

Result<void> FindTableAndFit(Engine& engine, std::string_view table_name, ItemWrite& write) {
  ASSIGN_OR_RETURN(write.table, engine.FindTable(table_name));
  return FitToTable(write);
}

}  // namespace stator
