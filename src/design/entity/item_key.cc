#include "entity/item_key.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/try.h"
#include "entity/attribute_values.h"
#include "model/keys/derive.h"

namespace stator::entity {
namespace {

EntityResult<AttributeValue> KeyPart(const Home& home, const model::KeyAttribute& attribute,
                                     const Item& known) {
  const model::KeyTemplate* key = home.entity.FindKey(attribute.name);
  if (key == nullptr || !key->IsDerived()) {
    const std::optional<ValueView> value = known.Find(attribute.name);
    if (value) return AttributeValue::FromView(*value);
    return Invalid(fmt::format("the key of {} needs `{}`", home.entity.name, attribute.name));
  }
  const auto text = model::RenderTemplate(home.entity, *key, known.view(), 0);
  if (!text) return Invalid(fmt::format("the key of {}: {}", home.entity.name, text.error()));
  if (!*text) {
    return Invalid(
        fmt::format("the key of {} needs {}", home.entity.name, fmt::join(key->Sources(), ", ")));
  }
  return model::KeyValue(attribute.type, **text);
}

}  // namespace

EntityResult<Item> ItemKey(const Home& home, const Item& known) {
  Item key;
  ASSIGN_OR_RETURN(const AttributeValue partition, KeyPart(home, *home.table.partition, known));
  key.Set(home.table.partition->name, partition);
  if (home.table.sort) {
    ASSIGN_OR_RETURN(const AttributeValue sort, KeyPart(home, *home.table.sort, known));
    key.Set(home.table.sort->name, sort);
  }
  return key;
}

EntityResult<Item> GivenSources(const Home& home, const Item& given) {
  Item sources;
  for (const std::string& name : KeySources(home)) {
    const std::optional<ValueView> value = given.Find(name);
    if (!value) continue;
    ASSIGN_OR_RETURN(const AttributeValue checked,
                     CheckedValue(home.entity, name, AttributeValue::FromView(*value)));
    sources.Set(name, checked);
  }
  return sources;
}

Item StoredKey(const model::Table& table, ItemView item) {
  Item key;
  const auto copy = [&](const std::string& name) {
    if (const auto value = item.Find(name)) key.Set(name, AttributeValue::FromView(*value));
  };
  copy(table.partition->name);
  if (table.sort) copy(table.sort->name);
  return key;
}

std::vector<std::string> KeySources(const Home& home) {
  std::vector<std::string> sources;
  const auto add = [&](const model::KeyAttribute& attribute) {
    const model::KeyTemplate* key = home.entity.FindKey(attribute.name);
    if (key == nullptr || !key->IsDerived()) {
      sources.push_back(attribute.name);
      return;
    }
    for (std::string& source : key->Sources()) sources.push_back(std::move(source));
  };
  add(*home.table.partition);
  if (home.table.sort) add(*home.table.sort);
  return sources;
}

}  // namespace stator::entity
