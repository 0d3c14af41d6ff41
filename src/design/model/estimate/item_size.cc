#include "model/estimate/item_size.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "capacity/units.h"
#include "model/estimate/estimate.h"

namespace stator::model {
namespace {

// A key that the model does not declare is assumed to be an identifier.
constexpr Amount kUnknownBytes{.typical = 20, .max = 20};
constexpr Amount kUnknownNumberBytes{.typical = 4, .max = 4};

Amount operator+(Amount a, Amount b) { return {a.typical + b.typical, a.max + b.max}; }
Amount Both(double value) { return {value, value}; }

Amount PartBytes(const Entity& entity, const TemplatePart& part) {
  if (!part.is_placeholder) return Both(static_cast<double>(part.text.size()));
  if (part.padded_digits > 0) return Both(part.padded_digits);
  if (part.text == kShard) return {1, 2};
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

// Attributes that items have without a declaration: those of the machine, the version and the time
// to live.
bool IsKept(const Entity& entity, std::string_view attribute) {
  if (attribute == entity.version || attribute == entity.ttl) return true;
  return entity.machine &&
         (attribute == entity.machine->attribute || attribute == entity.machine->stamp);
}

constexpr double kPageBytes = 1 << 20;
constexpr double kMaxBytes = 1e15;  // stays exact in a double and inside std::size_t

std::size_t WholeBytes(double bytes) {
  return static_cast<std::size_t>(std::clamp(std::ceil(bytes - 1e-6), 0.0, kMaxBytes));
}

double PageUnits(double bytes, bool strong) {
  return ReadUnits(ReadBlocks(WholeBytes(bytes)), strong);
}

}  // namespace

Amount Digits(const Attribute& attribute) {
  if (attribute.unit == Unit::kEpochSeconds) return Both(10);
  if (attribute.unit == Unit::kEpochMilliseconds) return Both(13);
  // Two digits per byte, and one byte for the exponent.
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
    if (table == nullptr || IsKeyOf(*table, name)) return true;
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

double ItemReadUnits(double bytes, bool strong) { return PageUnits(bytes, strong); }
double ItemWriteUnits(double bytes) { return WriteUnits1KB(WholeBytes(bytes)); }

namespace {

PageTotals ReadWholeItems(const PageRun& run) {
  const double fit = run.entry_bytes > 0 ? std::ceil(kPageBytes / run.entry_bytes) : run.available;
  const double full = std::max(1.0, std::min(fit, run.limit));
  // A request reads its whole page, wherever the wanted items are in it.
  double items = std::min(run.available, std::ceil(run.wanted / full) * full);
  if (run.one_request) items = std::min(items, full);
  PageTotals totals{.items = items, .bytes = items * run.entry_bytes};
  const double whole = std::floor(items / full);
  const double rest = items - whole * full;
  totals.units = whole * PageUnits(full * run.entry_bytes, run.strong);
  totals.pages = whole;
  const bool ends_full = whole > 0 && rest <= 0;
  const bool asks_again = !run.one_request && items < run.wanted;
  if (!ends_full || asks_again) {
    totals.units += PageUnits(rest * run.entry_bytes, run.strong);
    ++totals.pages;
  }
  return totals;
}

PageTotals operator*(double weight, const PageTotals& totals) {
  return {weight * totals.items, weight * totals.bytes, weight * totals.pages,
          weight * totals.units};
}

PageTotals operator+(const PageTotals& a, const PageTotals& b) {
  return {a.items + b.items, a.bytes + b.bytes, a.pages + b.pages, a.units + b.units};
}

}  // namespace

PageTotals ReadPages(const PageRun& run) {
  constexpr double kMany = 1000;  // items, of which a fraction makes no difference
  const double more_often = run.available - std::floor(run.available);
  if (more_often < 1e-9 || run.available > kMany) return ReadWholeItems(run);
  PageRun fewer = run;
  PageRun more = run;
  fewer.available = std::floor(run.available);
  more.available = std::ceil(run.available);
  return (1 - more_often) * ReadWholeItems(fewer) + more_often * ReadWholeItems(more);
}

}  // namespace stator::model
