#include "model/estimate/item_size.h"

#include <algorithm>
#include <cmath>

#include "model/estimate/estimate.h"

namespace stator::model {
namespace {

// What a key is taken to be that the model does not declare: an identifier.
constexpr Amount kUnknownBytes{.typical = 20, .max = 20};
constexpr Amount kUnknownNumberBytes{.typical = 4, .max = 4};

Amount operator+(Amount a, Amount b) { return {a.typical + b.typical, a.max + b.max}; }
Amount Both(double value) { return {value, value}; }

Amount PartBytes(const Entity& entity, const TemplatePart& part) {
  if (!part.is_placeholder) return Both(static_cast<double>(part.text.size()));
  if (part.padded_digits > 0) return Both(part.padded_digits);
  if (part.text == "shard") return {1, 2};
  if (part.format == "date") return Both(10);
  if (part.format == "ulid") return Both(26);
  if (part.format == "uuid") return Both(36);
  if (part.format == "iso_s") return Both(20);
  if (part.format == "iso_ms") return Both(24);
  const Attribute* attribute = entity.FindAttribute(part.text);
  if (attribute == nullptr) return kUnknownBytes;
  if (attribute->type == Type::kN) return Digits(*attribute);
  return ValueBytes(*attribute);
}

const Index* SparseIndexOf(const Table& table, std::string_view attribute) {
  const Index* found = nullptr;
  for (const Index& index : table.indexes) {
    if (!IsKeyOf(index, attribute)) continue;
    if (!index.sparse) return nullptr;
    found = &index;
  }
  return found;
}

// A derived attribute is missing where one of its sources is.
bool HasOptionalSource(const Entity& entity, const KeyTemplate& key) {
  return std::ranges::any_of(key.Sources(), [&](const std::string& source) {
    const Attribute* attribute = entity.FindAttribute(source);
    return attribute != nullptr && attribute->optional;
  });
}

bool Has(const std::vector<StoredAttribute>& stored, std::string_view name) {
  return std::ranges::any_of(stored, [&](const auto& one) { return one.name == name; });
}

bool CanHave(const Entity& entity, std::string_view attribute) {
  return entity.FindKey(attribute) != nullptr || entity.FindAttribute(attribute) != nullptr;
}

// Keys that have neither a template nor a declaration are text of unknown length.
void AddBareKey(const Entity& entity, const KeyAttribute& key,
                std::vector<StoredAttribute>& stored) {
  if (Has(stored, key.name)) return;
  const Attribute* attribute = entity.FindAttribute(key.name);
  const Amount fallback = key.type == Type::kN ? kUnknownNumberBytes : kUnknownBytes;
  stored.push_back({key.name, attribute == nullptr ? fallback : ValueBytes(*attribute), true});
}

// Attributes that need no declaration to be there: what the machine, the version and the time to
// live go by.
bool IsKept(const Entity& entity, std::string_view attribute) {
  if (attribute == entity.version || attribute == entity.ttl) return true;
  return entity.machine &&
         (attribute == entity.machine->attribute || attribute == entity.machine->stamp);
}

}  // namespace

Amount Digits(const Attribute& attribute) {
  if (attribute.unit == Unit::kEpochSeconds) return Both(10);
  if (attribute.unit == Unit::kEpochMilliseconds) return Both(13);
  // Two digits a byte, and one for the exponent.
  return {std::max(1.0, (attribute.bytes.typical - 1) * 2),
          std::max(1.0, (attribute.bytes.max - 1) * 2)};
}

Amount ValueBytes(const Attribute& attribute) { return attribute.bytes; }

Amount RenderedBytes(const Entity& entity, const KeyTemplate& key) {
  Amount bytes;
  for (const TemplatePart& part : key.parts) bytes = bytes + PartBytes(entity, part);
  return bytes;
}

Amount StoredAttribute::Bytes() const {
  return Both(static_cast<double>(name.size())) + value_bytes;
}

bool IsKeyOf(const Index& index, std::string_view attribute) {
  const auto is_named = [&](const KeyAttribute& key) { return key.name == attribute; };
  return std::ranges::any_of(index.partition, is_named) ||
         std::ranges::any_of(index.sort, is_named);
}

bool IsKeyOf(const Table& table, std::string_view attribute) {
  return (table.partition && table.partition->name == attribute) ||
         (table.sort && table.sort->name == attribute);
}

bool Projects(const Table& table, const Index& index, std::string_view attribute) {
  if (index.projection.kind == Projection::Kind::kAll) return true;
  if (IsKeyOf(table, attribute) || IsKeyOf(index, attribute)) return true;
  return index.projection.kind == Projection::Kind::kInclude &&
         std::ranges::find(index.projection.attributes, attribute) !=
             index.projection.attributes.end();
}

bool CanEnter(const Entity& entity, const Index& index) {
  const auto can_have = [&](const KeyAttribute& key) { return CanHave(entity, key.name); };
  return std::ranges::all_of(index.partition, can_have) &&
         std::ranges::all_of(index.sort, can_have);
}

double EntryShare(const Model& model, const Entity& entity, const Index& index) {
  const Table* table = model.FindTable(entity.table);
  if (!CanEnter(entity, index) || table == nullptr) return 0;
  return index.sparse ? index.sparse->share : 1;
}

std::vector<StoredAttribute> StoredAttributes(const Model& model, const Entity& entity) {
  const Table* table = model.FindTable(entity.table);
  std::vector<StoredAttribute> stored;
  const auto is_usual = [&](std::string_view name) {
    if (table == nullptr) return true;
    const Index* sparse = SparseIndexOf(*table, name);
    return sparse == nullptr || sparse->sparse->share >= 0.5;
  };
  for (const KeyTemplate& key : entity.keys) {
    const Attribute* same = entity.FindAttribute(key.attribute);
    const Amount bytes = key.IsPlain() && same != nullptr && key.Sources().front() == key.attribute
                             ? ValueBytes(*same)
                             : RenderedBytes(entity, key);
    stored.push_back(
        {key.attribute, bytes, !HasOptionalSource(entity, key) && is_usual(key.attribute)});
  }
  for (const Attribute& attribute : entity.attributes) {
    if (Has(stored, attribute.name)) continue;
    if (attribute.implicit && !IsKept(entity, attribute.name)) continue;
    stored.push_back(
        {attribute.name, ValueBytes(attribute), !attribute.optional && is_usual(attribute.name)});
  }
  if (table == nullptr) return stored;
  if (table->partition) AddBareKey(entity, *table->partition, stored);
  if (table->sort) AddBareKey(entity, *table->sort, stored);
  for (const Index& index : table->indexes) {
    if (!CanEnter(entity, index)) continue;
    for (const KeyAttribute& key : index.partition) AddBareKey(entity, key, stored);
    for (const KeyAttribute& key : index.sort) AddBareKey(entity, key, stored);
  }
  return stored;
}

Amount ItemBytes(const Model& model, const Entity& entity) {
  if (entity.item_bytes) return *entity.item_bytes;
  Amount bytes;
  for (const StoredAttribute& attribute : StoredAttributes(model, entity)) {
    const Amount each = attribute.Bytes();
    if (attribute.usual) bytes.typical += each.typical;
    bytes.max += each.max;
  }
  return bytes;
}

Amount EntryBytes(const Model& model, const Entity& entity, const Index& index) {
  const Table* table = model.FindTable(entity.table);
  if (table == nullptr) return {};
  const bool whole = index.projection.kind == Projection::Kind::kAll;
  if (whole && entity.item_bytes) return *entity.item_bytes;
  Amount bytes;
  for (const StoredAttribute& attribute : StoredAttributes(model, entity)) {
    if (!Projects(*table, index, attribute.name)) continue;
    const Amount each = attribute.Bytes();
    if (attribute.usual || IsKeyOf(index, attribute.name)) bytes.typical += each.typical;
    bytes.max += each.max;
  }
  return bytes;
}

}  // namespace stator::model
