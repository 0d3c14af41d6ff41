// DynamoDB JSON ({"S": "…"}) to the stored encoding and back, without a tree in between.
#ifndef STATOR_VALUE_ITEM_JSON_H_
#define STATOR_VALUE_ITEM_JSON_H_

#include "base/wording.h"
#include "stator/item.h"
#include "stator/result.h"
#include "value/json.h"
#include "value/json_writer.h"
#include "value/shape_error.h"

namespace stator {

// Reads an object of attribute values. A wrong JSON shape is a SerializationException (behaviour.md
// §1.7, "Map of T" with T = AttributeValue); a well-shaped but unacceptable value becomes the
// item's problem().
// Of several attributes with the same name the last counts; an explicit null is absent.
Result<Item> ReadItem(JsonValue json, Wording wording);

// Reads one attribute value: an element of a list, a value of a map, or a member of a structure.
Result<AttributeValue> ReadAttributeValue(JsonValue json, Wording wording,
                                          ValuePlace place = ValuePlace::kElement);

// Writes {"name":{"S":"…"},…}.
void WriteItem(JsonWriter& out, ItemView item);
// Writes {"S":"…"}.
void WriteAttributeValue(JsonWriter& out, ValueView value);

// Text of a value as DynamoDB shows it inside messages: {S:abc}, {N:1} …
std::string DebugText(ValueView value);

}  // namespace stator

#endif  // STATOR_VALUE_ITEM_JSON_H_
