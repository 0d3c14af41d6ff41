// What the model says about a stored item: which entity it is, and what its derived keys must be.
//
// The entity layer writes by it, backfills fill by it, and the audit checks by it.
#ifndef STATOR_MODEL_KEYS_DERIVE_H_
#define STATOR_MODEL_KEYS_DERIVE_H_

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/keys/truth.h"
#include "model/model.h"
#include "stator/clock.h"
#include "stator/item.h"

namespace stator::model {

// The text of a template for an item, or nullopt if an attribute that it needs is not there. The
// error says which value does not fit and why: a number too wide for its padding, a negative one, a
// value that contains a forbidden character, a type that cannot be written that way.
// `shard` is what {shard} becomes.
std::expected<std::optional<std::string>, std::string> RenderTemplate(const Entity& entity,
                                                                      const KeyTemplate& key,
                                                                      ItemView item,
                                                                      std::int64_t shard);

// The other way round: the values of the placeholders in a text made by the template, {shard}
// included; nullopt if the text cannot have been made by it.
std::optional<std::vector<std::pair<std::string, std::string>>> MatchTemplate(
    const Entity& entity, const KeyTemplate& key, std::string_view text);

// The first problem of a value in a template's place; empty: it fits.
std::string TemplateValueProblem(const Entity& entity, const TemplatePart& part, ValueView value);

// The value of a derived attribute with the type that the table or index gives it.
AttributeValue KeyValue(Type type, std::string_view text);

// True if the item is one for which the predicate holds. A comparison with an attribute that is not
// there is false (`missing` and `<>` excepted, as in DynamoDB). Parameters are looked up by name.
using Parameters = std::function<std::optional<AttributeValue>(std::string_view name)>;
bool Holds(const Predicate& predicate, const Entity& entity, ItemView item, TimeMs now,
           const Parameters& parameters = nullptr);

// `now` as the attribute writes times: in its unit, as text or as a number.
AttributeValue TimeValue(const Attribute& attribute, TimeMs time);

// The value of an operand for an attribute; nullopt: a parameter that was not given.
std::optional<AttributeValue> OperandValue(const Operand& operand, const Attribute& attribute,
                                           TimeMs now, const Parameters& parameters);

// One derived attribute as it must stand in the item.
struct DerivedKey {
  const KeyTemplate* key = nullptr;
  std::optional<AttributeValue> value;  // nullopt: it must not be there
};

// Which shard an item goes to when its index is sharded by a hash; nullopt: the choice is free.
std::optional<std::int64_t> ShardOf(const Index& index, ItemView item);

// The index whose entry the key places if that index is sparse on a condition or sharded; null if
// the key always stands, as those of the table do.
const Index* IndexOfKey(const Table& table, const KeyTemplate& key);
Type TypeOfKey(const Table& table, std::string_view attribute_name);

// Every derived attribute of the item, keys that are plain attributes excluded. A key of a sparse
// index is absent when the predicate does not hold, or when a source is not there. The shard of a
// randomly sharded key is kept if the item has one, else `new_shard` gives it.
std::expected<std::vector<DerivedKey>, std::string> DeriveKeys(
    const Model& model, const Entity& entity, ItemView item, TimeMs now,
    const std::function<std::int64_t(std::int64_t count)>& new_shard);

// The entity that an item of the table is; null if it fits none (or is a sentinel, see below).
const Entity* EntityOf(const Model& model, const Table& table, ItemView item);

// Items that keep a unique value: their partition key starts with this.
inline constexpr std::string_view kSentinelPrefix = "UNIQUE#";
bool IsSentinel(const Table& table, ItemView item);

}  // namespace stator::model

#endif  // STATOR_MODEL_KEYS_DERIVE_H_
