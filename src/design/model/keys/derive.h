// What the model says about a stored item: which entity it is, and what its derived keys must be.
//
// The entity layer, backfills and the audit all rely on it.
#ifndef STATOR_MODEL_KEYS_DERIVE_H_
#define STATOR_MODEL_KEYS_DERIVE_H_

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "stator/clock.h"
#include "stator/item.h"

namespace stator::model {

// The value of a derived attribute with the type that the table or index gives it.
AttributeValue KeyValue(Type type, std::string_view text);

// The attributes that decide what a derived key is, and whether the item has it.
std::vector<std::string> DependenciesOf(const Table& table, const KeyTemplate& key);

// FNV-1a, which is easily written in any language. `hash` continues with what was hashed before.
std::uint64_t HashText(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325);

// One derived attribute as the item must have it.
struct DerivedKey {
  const KeyTemplate* key = nullptr;
  std::optional<AttributeValue> value;  // nullopt: the item must not have it
};

// Which shard an item goes to when its index is sharded by a hash; nullopt: the choice is free.
std::optional<std::int64_t> ShardOf(const Index& index, ItemView item);

// The index whose entry the key places if that index is sparse on a condition or sharded; null if
// the key is always present, as those of the table are.
const Index* IndexOfKey(const Table& table, const KeyTemplate& key);

// Every derived attribute of the item, keys that are plain attributes excluded. A key of a sparse
// index is absent when the predicate does not hold, or when a source is missing. The shard of a
// randomly sharded key is kept if the item has one, else `new_shard` gives it.
std::expected<std::vector<DerivedKey>, std::string> DeriveKeys(
    const Model& model, const Entity& entity, ItemView item, TimeMs now,
    const std::function<std::int64_t(std::int64_t count)>& new_shard);

// The entity of an item of the table; null if the item fits none (or is a sentinel, see below).
const Entity* EntityOf(const Model& model, const Table& table, ItemView item);

// Items that keep a unique value: their partition key starts with this.
inline constexpr std::string_view kSentinelPrefix = "UNIQUE#";
bool IsSentinel(const Table& table, ItemView item);

}  // namespace stator::model

#endif  // STATOR_MODEL_KEYS_DERIVE_H_
