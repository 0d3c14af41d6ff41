#include "model/keys/derive.h"

#include <algorithm>

#include "model/keys/key_access.h"
#include "model/keys/truth.h"

namespace stator::model {
namespace {

// The shard that the item's key already names; nullopt if it has none.
std::optional<std::int64_t> StoredShard(const Entity& entity, const KeyTemplate& key,
                                        ItemView item) {
  const std::optional<ValueView> stored = item.Find(key.attribute);
  if (!stored || stored->type() != Type::kS) return std::nullopt;
  const auto values = MatchTemplate(entity, key, stored->S());
  if (!values) return std::nullopt;
  for (const auto& [name, text] : *values) {
    if (name == kShard && text.size() < 10) return std::stoll(text);
  }
  return std::nullopt;
}

std::int64_t ChooseShard(const Entity& entity, const KeyTemplate& key, const Index* index,
                         ItemView item,
                         const std::function<std::int64_t(std::int64_t)>& new_shard) {
  if (index == nullptr || !index->shards) return 0;
  if (const auto shard = ShardOf(*index, item)) return *shard;
  const auto stored = StoredShard(entity, key, item);
  if (stored && *stored < index->shards->count) return *stored;
  return new_shard ? new_shard(index->shards->count) : 0;
}

// How much of a key's text the template fixes: the more, the more certain is a match.
std::size_t FixedText(const KeyTemplate& key) {
  std::size_t fixed = 0;
  for (const TemplatePart& part : key.parts) {
    if (!part.is_placeholder) fixed += part.text.size();
  }
  return fixed;
}

// The certainty that the key attribute was made by the entity's template; nullopt: it was not.
std::optional<std::size_t> KeyCertainty(const Entity& entity, const KeyAttribute& attribute,
                                        ItemView item) {
  const std::optional<ValueView> value = item.Find(attribute.name);
  const KeyTemplate* key = entity.FindKey(attribute.name);
  if (!value || value->type() != attribute.type) return std::nullopt;
  if (key == nullptr || !key->IsDerived()) return 0;
  if (attribute.type != Type::kS) return 0;
  if (!MatchTemplate(entity, *key, value->S())) return std::nullopt;
  return FixedText(*key) + 1;
}

std::size_t AttributesPresent(const Entity& entity, ItemView item) {
  return static_cast<std::size_t>(std::ranges::count_if(
      entity.attributes,
      [&](const Attribute& attribute) { return item.Find(attribute.name).has_value(); }));
}

}  // namespace

AttributeValue KeyValue(Type type, std::string_view text) {
  if (type == Type::kN) return AttributeValue::Number(text);
  if (type == Type::kB) return AttributeValue::Binary(text);
  return AttributeValue(text);
}

std::uint64_t HashText(std::string_view text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::optional<std::int64_t> ShardOf(const Index& index, ItemView item) {
  if (!index.shards || index.shards->by.empty()) return std::nullopt;
  const std::optional<ValueView> value = item.Find(index.shards->by);
  if (!value || (value->type() != Type::kN && value->type() != Type::kS)) return 0;
  const std::string text = value->type() == Type::kN ? value->N() : std::string(value->S());
  return static_cast<std::int64_t>(HashText(text) %
                                   static_cast<std::uint64_t>(index.shards->count));
}

const Index* IndexOfKey(const Table& table, const KeyTemplate& key) {
  if (IsKeyOf(table, key.attribute)) return nullptr;
  const Index* found = nullptr;
  for (const Index& index : table.indexes) {
    if (!IsKeyOf(index, key.attribute)) continue;
    // A key that another index needs as well is always present.
    if (found != nullptr && !(index.sparse && index.sparse->when)) return &index;
    if (found == nullptr) found = &index;
  }
  return found;
}

std::vector<std::string> DependenciesOf(const Table& table, const KeyTemplate& key) {
  std::vector<std::string> names = key.Sources();
  const Index* index = IndexOfKey(table, key);
  if (index == nullptr) return names;
  if (index->sparse && index->sparse->when) {
    for (std::string& name : AttributesOf(*index->sparse->when)) names.push_back(std::move(name));
  }
  if (index->shards && !index->shards->by.empty()) names.push_back(index->shards->by);
  return names;
}

std::expected<std::vector<DerivedKey>, std::string> DeriveKeys(
    const Model& model, const Entity& entity, ItemView item, TimeMs now,
    const std::function<std::int64_t(std::int64_t count)>& new_shard) {
  std::vector<DerivedKey> derived;
  const Table* table = model.FindTable(entity.table);
  if (table == nullptr) return derived;
  for (const KeyTemplate& key : entity.keys) {
    if (!key.IsDerived()) continue;
    const Index* index = IndexOfKey(*table, key);
    DerivedKey& made = derived.emplace_back(DerivedKey{&key, std::nullopt});
    const bool stands = index == nullptr || !index->sparse || !index->sparse->when ||
                        Holds(*index->sparse->when, entity, item, now);
    if (!stands) continue;
    const std::int64_t shard =
        key.Uses(kShard) ? ChooseShard(entity, key, index, item, new_shard) : 0;
    auto text = RenderTemplate(entity, key, item, shard);
    if (!text) return std::unexpected(std::move(text).error());
    if (*text) made.value = KeyValue(TypeOfKey(*table, key.attribute), **text);
  }
  return derived;
}

bool IsSentinel(const Table& table, ItemView item) {
  if (!table.partition) return false;
  const std::optional<ValueView> value = item.Find(table.partition->name);
  return value && value->type() == Type::kS && value->S().starts_with(kSentinelPrefix);
}

const Entity* EntityOf(const Model& model, const Table& table, ItemView item) {
  if (IsSentinel(table, item)) return nullptr;
  const Entity* best = nullptr;
  std::pair<std::size_t, std::size_t> best_score;
  for (const Entity& entity : model.entities) {
    if (entity.table != table.id) continue;
    const auto partition = table.partition ? KeyCertainty(entity, *table.partition, item)
                                           : std::optional<std::size_t>(0);
    const auto sort =
        table.sort ? KeyCertainty(entity, *table.sort, item) : std::optional<std::size_t>(0);
    if (!partition || !sort) continue;
    const std::pair score(*partition + *sort, AttributesPresent(entity, item));
    if (best == nullptr || score > best_score) {
      best = &entity;
      best_score = score;
    }
  }
  return best;
}

}  // namespace stator::model
