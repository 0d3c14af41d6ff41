// Which item a statement writes, and under which condition.
#ifndef STATOR_PARTIQL_WRITE_KEY_H_
#define STATOR_PARTIQL_WRITE_KEY_H_

#include <optional>

#include "expr/condition.h"
#include "partiql/key_names.h"
#include "partiql/statement.h"
#include "stator/item.h"
#include "stator/result.h"

namespace stator::partiql {

// One item, and what must be true of it as it is stored.
struct KeyedItem {
  Item key;
  std::optional<Condition> condition;  // absent: always
};

// The WHERE clause must say which item it is: an equality for every key attribute. What else it
// says is the condition. Fails when an attribute is missing, has two values, or another type than
// in the schema. Not checked: empty keys, the size of keys.
//
// An UPDATE never creates: its condition begins with the item's existence.
Result<KeyedItem> KeyOf(const UpdateStatement& update, const KeyNames& keys);
Result<KeyedItem> KeyOf(const DeleteStatement& remove, const KeyNames& keys);

// "EXISTS() must contain a single item read with additional condition" when the key or the rest is
// missing. Of two values for a key the first is the key and the second a condition.
Result<KeyedItem> KeyOf(const ExistsStatement& exists, const KeyNames& keys);

// What an INSERT demands: that there is no such item. When it fails, the answer is a
// DuplicateItemException.
Condition NoSuchItem(const KeyNames& keys);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_WRITE_KEY_H_
