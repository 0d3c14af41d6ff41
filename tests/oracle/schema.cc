#include "tests/oracle/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace stator::oracle {
namespace {

const KeyPart kPk{"pk", Kind::kS};
const KeyPart kSk{"sk", Kind::kN};
const KeyPart kColor{"color", Kind::kS};
const KeyPart kZone{"zone", Kind::kS};
const KeyPart kScore{"score", Kind::kN};
const KeyPart kTitle{"title", Kind::kS};
const KeyPart kFlag{"flag", Kind::kS};
const KeyPart kBlob{"blob", Kind::kB};

constexpr std::size_t kHashBytesMax = 2048;
constexpr std::size_t kRangeBytesMax = 1024;

// Texts and binaries count together; numbers never are too long.
std::size_t KeyBytes(const std::vector<KeyPart>& parts, const Attributes& item) {
  std::size_t bytes = 0;
  for (const KeyPart& part : parts) {
    if (const Value* value = Find(item, part.name)) bytes += value->text.size();
  }
  return bytes;
}

bool IsKeyOf(const IndexSchema& index, std::string_view attribute) {
  const auto named = [&](const KeyPart& part) { return part.name == attribute; };
  return std::ranges::any_of(index.hash, named) || std::ranges::any_of(index.range, named);
}

std::vector<KeySchemaElement> KeySchemaOf(const std::vector<KeyPart>& hash,
                                          const std::vector<KeyPart>& range) {
  std::vector<KeySchemaElement> elements;
  for (const KeyPart& part : hash) elements.push_back({part.name, KeyType::kHash});
  for (const KeyPart& part : range) elements.push_back({part.name, KeyType::kRange});
  return elements;
}

IndexProjection ProjectionOf(const IndexSchema& index) {
  IndexProjection projection{.projection_type = index.projection};
  if (!index.included.empty()) projection.non_key_attributes = index.included;
  return projection;
}

AttributeDefinition DefinitionOf(const KeyPart& part) {
  const ScalarType type = part.kind == Kind::kS   ? ScalarType::kS
                          : part.kind == Kind::kN ? ScalarType::kN
                                                  : ScalarType::kB;
  return {part.name, type};
}

GlobalSecondaryIndex GlobalIndexOf(const IndexSchema& index) {
  return {.index_name = index.name,
          .key_schema = KeySchemaOf(index.hash, index.range),
          .projection = ProjectionOf(index)};
}

UpdateTableRequest IndexUpdateRequest(GlobalSecondaryIndexUpdate update) {
  UpdateTableRequest request;
  request.table_name = kTableName;
  request.global_secondary_index_updates = {std::move(update)};
  return request;
}

}  // namespace

bool operator<(const Key& a, const Key& b) {
  if (a.pk != b.pk) return a.pk < b.pk;
  return CompareScalars(a.sk, b.sk) < 0;
}

std::string Show(const Key& key) { return fmt::format("({}, {})", key.pk, key.sk.number.Text()); }
Attributes AsAttributes(const Key& key) { return {{"pk", Value::S(key.pk)}, {"sk", key.sk}}; }
Key KeyOf(const Attributes& item) { return {Find(item, "pk")->text, *Find(item, "sk")}; }

Schema::Schema() {
  using P = ProjectionType;
  indexes_ = {
      {"l_title", false, {kPk}, {kTitle}, P::kInclude, {"note", "tags"}},
      {"l_blob", false, {kPk}, {kBlob}, P::kKeysOnly, {}},
      {"g_all", true, {kColor}, {kScore}, P::kAll, {}},
      {"g_include", true, {kColor}, {kTitle}, P::kInclude, {"doc", "note", "score"}},
      {"g_multi", true, {kColor, kZone}, {kScore, kTitle}, P::kInclude, {"nums", "list"}},
      {"g_sparse", true, {kFlag}, {}, P::kKeysOnly, {}},
  };
}

const IndexSchema* Schema::FindIndex(std::string_view name) const {
  const auto found = std::ranges::find(indexes_, name, &IndexSchema::name);
  return found == indexes_.end() ? nullptr : &*found;
}

const IndexSchema& Schema::LateIndex() {
  static const IndexSchema index = {
      kLateIndexName, true, {kZone}, {kBlob}, ProjectionType::kInclude, {"count", "big"}};
  return index;
}

void Schema::SetLateIndex(bool present) {
  std::erase_if(indexes_, [](const IndexSchema& index) { return index.name == kLateIndexName; });
  if (present) indexes_.push_back(LateIndex());
}

const std::vector<KeyPart>& Schema::IndexKeyParts() {
  static const std::vector<KeyPart> parts = {kColor, kZone, kScore, kTitle, kFlag, kBlob};
  return parts;
}

const std::vector<KeyPart>& Schema::HashParts(const IndexSchema* index) {
  static const std::vector<KeyPart> table = {kPk};
  return index ? index->hash : table;
}

const std::vector<KeyPart>& Schema::RangeParts(const IndexSchema* index) {
  static const std::vector<KeyPart> table = {kSk};
  return index ? index->range : table;
}

std::vector<std::string> Schema::PositionNames(const IndexSchema* index) {
  std::vector<std::string> names = {kPk.name, kSk.name};
  for (const KeyPart& part : HashParts(index)) names.push_back(part.name);
  for (const KeyPart& part : RangeParts(index)) names.push_back(part.name);
  return names;
}

bool Schema::Projects(const IndexSchema* index, std::string_view attribute) {
  if (!index || index->projection == ProjectionType::kAll) return true;
  return attribute == kPk.name || attribute == kSk.name || IsKeyOf(*index, attribute) ||
         std::ranges::find(index->included, attribute) != index->included.end();
}

std::optional<Attributes> Schema::EntryOf(const IndexSchema* index, const Attributes& item) {
  for (const auto* parts : {&HashParts(index), &RangeParts(index)}) {
    for (const KeyPart& part : *parts) {
      if (!Find(item, part.name)) return std::nullopt;
    }
  }
  Attributes entry;
  for (const auto& [name, value] : item) {
    if (Projects(index, name)) entry[name] = value;
  }
  return entry;
}

bool Schema::FitsIndexKeys(const Attributes& item) const {
  const auto fits = [&](const KeyPart& part) {
    const Value* value = Find(item, part.name);
    if (!value) return true;
    return value->kind == part.kind && (part.kind == Kind::kN || !value->text.empty());
  };
  return std::ranges::all_of(IndexKeyParts(), fits) &&
         std::ranges::all_of(indexes_, [&](const IndexSchema& index) {
           return KeyBytes(index.hash, item) <= kHashBytesMax &&
                  KeyBytes(index.range, item) <= kRangeBytesMax;
         });
}

std::strong_ordering Schema::CompareEntries(const IndexSchema* index, const Attributes& a,
                                            const Attributes& b) {
  for (const KeyPart& part : RangeParts(index)) {
    const std::strong_ordering order = CompareScalars(*Find(a, part.name), *Find(b, part.name));
    if (order != 0) return order;
  }
  return std::strong_ordering::equal;
}

bool Schema::SamePartition(const IndexSchema* index, const Attributes& a, const Attributes& b) {
  return std::ranges::all_of(HashParts(index), [&](const KeyPart& part) {
    return *Find(a, part.name) == *Find(b, part.name);
  });
}

CreateTableRequest Schema::CreateRequest() const {
  CreateTableRequest request;
  request.table_name = kTableName;
  request.billing_mode = BillingMode::kPayPerRequest;
  request.stream_specification = StreamSpecification{
      .stream_enabled = true, .stream_view_type = StreamViewType::kNewAndOldImages};
  request.key_schema = KeySchemaOf({kPk}, {kSk});
  request.attribute_definitions = {DefinitionOf(kPk), DefinitionOf(kSk)};
  for (const KeyPart& part : IndexKeyParts()) {
    request.attribute_definitions->push_back(DefinitionOf(part));
  }
  request.local_secondary_indexes.emplace();
  request.global_secondary_indexes.emplace();
  for (const IndexSchema& index : indexes_) {
    if (index.global) {
      request.global_secondary_indexes->push_back(GlobalIndexOf(index));
    } else {
      request.local_secondary_indexes->push_back(
          {index.name, KeySchemaOf(index.hash, index.range), ProjectionOf(index)});
    }
  }
  return request;
}

UpdateTableRequest Schema::AddLateIndexRequest() {
  UpdateTableRequest request = IndexUpdateRequest({.create = GlobalIndexOf(LateIndex())});
  request.attribute_definitions = {DefinitionOf(kZone), DefinitionOf(kBlob)};
  return request;
}

UpdateTableRequest Schema::DropLateIndexRequest() {
  using DeleteAction = GlobalSecondaryIndexUpdate::DeleteAction;
  return IndexUpdateRequest({.remove = DeleteAction{.index_name = kLateIndexName}});
}

}  // namespace stator::oracle
