#include "api/table_fit.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "api/request_rules.h"
#include "base/try.h"
#include "engine/index_key_rules.h"

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

std::vector<Path> AllPaths(const ItemWrite& write) {
  std::vector<Path> paths;
  if (write.update) {
    for (const Update::Target& target : write.update->targets()) paths.push_back(target.path);
    for (Path& path : write.update->OperandPaths()) paths.push_back(std::move(path));
  }
  if (write.condition) {
    for (Path& path : write.condition->Paths()) paths.push_back(std::move(path));
  }
  return paths;
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
  if (!write.update && !write.condition) return {};
  return CheckNoNestedKeys(table, AllPaths(write));
}

Result<void> FindTableAndFit(Engine& engine, std::string_view table_name, ItemWrite& write) {
  ASSIGN_OR_RETURN(write.table, engine.FindTable(table_name));
  return FitToTable(write);
}

}  // namespace stator
