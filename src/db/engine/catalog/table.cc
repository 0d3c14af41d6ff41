#include "engine/catalog/table.h"

#include <algorithm>

namespace stator {

const KeyAttribute* KeySchema::Find(std::string_view name) const {
  for (const auto* attributes : {&hash, &range}) {
    for (const KeyAttribute& attribute : *attributes) {
      if (attribute.name == name) return &attribute;
    }
  }
  return nullptr;
}

Type AsType(ScalarType type) {
  switch (type) {
    case ScalarType::kS:
      return Type::kS;
    case ScalarType::kN:
      return Type::kN;
    case ScalarType::kB:
      return Type::kB;
  }
  return Type::kS;
}

bool Matches(ScalarType expected, Type actual) { return AsType(expected) == actual; }

bool Index::Projects(std::string_view attribute) const {
  return projection == ProjectionType::kAll ||
         std::ranges::binary_search(entry_attributes, attribute, std::less<>());
}

const Index* Table::FindIndex(std::string_view index_name) const {
  const auto found = std::ranges::find(indexes, index_name, &Index::name);
  return found == indexes.end() ? nullptr : &*found;
}

const Index* Table::FindIndex(IndexNumber index_number) const {
  const auto found = std::ranges::find(indexes, index_number, &Index::number);
  return found == indexes.end() ? nullptr : &*found;
}

void CompleteIndex(const KeySchema& table_keys, Index& index) {
  std::vector<std::string>& names = index.entry_attributes;
  names.clear();
  if (index.projection == ProjectionType::kAll) return;
  for (const KeySchema* keys : {&table_keys, static_cast<const KeySchema*>(&index.keys)}) {
    for (const KeyAttribute& attribute : keys->hash) names.push_back(attribute.name);
    for (const KeyAttribute& attribute : keys->range) names.push_back(attribute.name);
  }
  if (index.projection == ProjectionType::kInclude) {
    names.insert(names.end(), index.non_key_attributes.begin(), index.non_key_attributes.end());
  }
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
}

void PruneAttributeDefinitions(Table& table) {
  std::erase_if(table.attribute_definitions, [&table](const auto& definition) {
    return table.keys.Find(definition.first) == nullptr &&
           std::ranges::none_of(table.indexes, [&definition](const Index& index) {
             return index.keys.Find(definition.first) != nullptr;
           });
  });
}

}  // namespace stator
