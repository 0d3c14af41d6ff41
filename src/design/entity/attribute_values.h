// Values that an application gives for attributes: normalised and checked against the model.
#ifndef STATOR_ENTITY_ATTRIBUTE_VALUES_H_
#define STATOR_ENTITY_ATTRIBUTE_VALUES_H_

#include <string_view>

#include "entity/context.h"

namespace stator::entity {

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

}  // namespace stator::entity

#endif  // STATOR_ENTITY_ATTRIBUTE_VALUES_H_
