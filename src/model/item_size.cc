#include "model/item_size.h"

#include <algorithm>
#include <cmath>

#include "model/estimate.h"

namespace stator::model {
namespace {

// What text is taken to be when nothing says how long: an identifier.
constexpr Amount kTextBytes{.typical = 16, .max = 36};
constexpr Amount kUnknownDigits{.typical = 4, .max = 10};
constexpr Amount kCounterDigits{.typical = 2, .max = 8};
constexpr double kContainerBytes = 3;
constexpr double kElementBytes = 1;

Amount operator+(Amount a, Amount b) { return {a.typical + b.typical, a.max + b.max}; }
Amount Both(double value) { return {value, value}; }

std::optional<Amount> UnitBytes(Unit unit) {
  switch (unit) {
    case Unit::kDate:
      return Both(10);
    case Unit::kIsoSeconds:
      return Both(20);
    case Unit::kIsoMilliseconds:
    case Unit::kIsoTime:
      return Both(24);
    case Unit::kUlid:
      return Both(26);
    case Unit::kUuid:
      return Both(36);
    default:
      return std::nullopt;
  }
}

Amount EnumBytes(const std::vector<std::string>& values) {
  double sum = 0;
  double longest = 0;
  for (const std::string& value : values) {
    sum += static_cast<double>(value.size());
    longest = std::max(longest, static_cast<double>(value.size()));
  }
  return {std::round(sum / static_cast<double>(values.size())), longest};
}

Amount CountersBytes(const std::vector<std::string>& names) {
  Amount bytes = Both(kContainerBytes);
  for (const std::string& name : names) {
    const double each = kElementBytes + static_cast<double>(name.size());
    bytes = bytes + Amount{each + NumberBytes(kCounterDigits.typical),
                           each + NumberBytes(kCounterDigits.max)};
  }
  return bytes;
}

Amount TextBytes(const Attribute& attribute) {
  if (!attribute.values.empty()) return EnumBytes(attribute.values);
  if (attribute.size_stated) return attribute.bytes;
  if (const std::optional<Amount> bytes = UnitBytes(attribute.unit)) return *bytes;
  return kTextBytes;
}

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
  if (attribute == nullptr) return kTextBytes;
  if (attribute->type == Type::kN) return Digits(*attribute);
  return TextBytes(*attribute);
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
  const Amount fallback = key.type == Type::kN ? Amount{NumberBytes(kUnknownDigits.typical),
                                                        NumberBytes(kUnknownDigits.max)}
                                               : kTextBytes;
  stored.push_back({key.name, attribute == nullptr ? fallback : ValueBytes(*attribute), true});
}

}  // namespace

double NumberBytes(double digits) { return 1 + std::ceil(digits / 2); }

Amount Digits(const Attribute& attribute) {
  if (attribute.unit == Unit::kEpochSeconds) return Both(10);
  if (attribute.unit == Unit::kEpochMilliseconds) return Both(13);
  if (attribute.size_stated) {
    return {std::max(1.0, (attribute.bytes.typical - 1) * 2),
            std::max(1.0, (attribute.bytes.max - 1) * 2)};
  }
  if (attribute.range) {
    const double digits = std::floor(std::log10(std::max(1.0, attribute.range->second))) + 1;
    return Both(digits);
  }
  return attribute.counter ? kCounterDigits : kUnknownDigits;
}

Amount ValueBytes(const Attribute& attribute) {
  switch (attribute.type) {
    case Type::kN: {
      if (attribute.size_stated) return attribute.bytes;
      const Amount digits = Digits(attribute);
      return {NumberBytes(digits.typical), NumberBytes(digits.max)};
    }
    case Type::kBool:
    case Type::kNull:
      return Both(1);
    case Type::kM:
      if (!attribute.counters.empty()) return CountersBytes(attribute.counters);
      return attribute.size_stated ? attribute.bytes : Both(kContainerBytes);
    case Type::kL:
      return attribute.size_stated ? attribute.bytes : Both(kContainerBytes);
    default:
      return TextBytes(attribute);
  }
}

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
    if (attribute.implicit || Has(stored, attribute.name)) continue;
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
