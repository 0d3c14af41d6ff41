// Values that an application gives for attributes, normalised and checked against the model, and
// the primary key that is made of them.
#ifndef STATOR_ENTITY_ITEM_VALUES_H_
#define STATOR_ENTITY_ITEM_VALUES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "entity/context.h"

namespace stator::entity {

// 1973 to 5138 in seconds; a plausible time in milliseconds is a thousand times as large.
inline constexpr double kEarliestSeconds = 1e8;
inline constexpr double kLatestSeconds = 1e11;

// The value as it is stored, or why it cannot be: an attribute that the model lacks or derives, a
// wrong type, a value outside an enum or range, a forbidden character, a time in the wrong unit.
EntityResult<AttributeValue> CheckedValue(const model::Entity& entity, std::string_view name,
                                          const AttributeValue& value);

// All attributes of an item.
EntityResult<Item> CheckedItem(const model::Entity& entity, const Item& item);

// The same value for reading: normalised, types checked, nothing else.
AttributeValue NormalizedValue(const model::Attribute& attribute, const AttributeValue& value);

// nfc, lower, trim.
std::string NormalizedText(const std::vector<std::string>& normalizers, std::string_view text);

// The value of a default; nullopt when the model gives none.
std::optional<AttributeValue> DefaultOf(Context& context, const model::Attribute& attribute);

// True if the application cannot set it: derived keys and the version.
bool IsManaged(const model::Entity& entity, std::string_view name);

// Gives `after` the version that follows that of `before`, if the entity has versions.
void RaiseVersion(const model::Entity& entity, const Item& before, Item& after);

// The primary key. `known` holds at least the sources of the base key.
EntityResult<Item> ItemKey(const Home& home, const Item& known);

// The attributes of `given` that the base key is made of, checked. The rest is ignored, so that a
// stored item may serve as a key.
EntityResult<Item> GivenSources(const Home& home, const Item& given);

// The primary key of the item that `given` names.
EntityResult<Item> KeyFrom(const Home& home, const Item& given);

// The primary key of an item as it is stored.
Item StoredKey(const model::Table& table, ItemView item);

// The attributes that the base key is made of.
std::vector<std::string> KeySources(const Home& home);

}  // namespace stator::entity

#endif  // STATOR_ENTITY_ITEM_VALUES_H_
