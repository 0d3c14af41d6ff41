#include "proof/tables.h"

#include "entity/table_requests.h"

namespace stator::proof {

std::string NameOf(const model::Table& table) { return "proof." + table.id; }

// Only what decides what a request reads and consumes: no capacity that could run out.
CreateTableRequest TableRequest(const model::Table& table) {
  model::Table bare = table;
  bare.provisioned.reset();
  bare.stream.clear();
  return entity::MakeCreateTable(bare, NameOf(table));
}

Item KeyOf(const model::Table& table, const Item& item) {
  Item key;
  for (const auto* attribute :
       {table.partition ? &*table.partition : nullptr, table.sort ? &*table.sort : nullptr}) {
    if (attribute == nullptr) continue;
    if (const auto value = item.Find(attribute->name)) {
      key.Set(attribute->name, AttributeValue::FromView(*value));
    }
  }
  return key;
}

}  // namespace stator::proof
