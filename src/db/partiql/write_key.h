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

// One item, and a condition on its stored state.
struct KeyedItem {
  Item key;
  std::optional<Condition> condition;  // absent: always
};

// The WHERE clause must identify the item by an equality per key attribute; the rest of it is the
// condition. Fails when a key attribute is missing, has two values, or another type than in the
// schema. Not checked: empty keys, the size of keys.
//
// An UPDATE never creates an item: its condition begins with the existence of the item.
Result<KeyedItem> KeyOf(const UpdateStatement& update, const KeyNames& keys);
Result<KeyedItem> KeyOf(const DeleteStatement& remove, const KeyNames& keys);

// "EXISTS() must contain a single item read with additional condition" when the key or the rest is
// missing. Of two values for a key the first is the key and the second a condition.
Result<KeyedItem> KeyOf(const ExistsStatement& exists, const KeyNames& keys);

// The condition of an INSERT: the item does not exist. If it fails, the answer is a
// DuplicateItemException.
Condition NoSuchItem(const KeyNames& keys);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_WRITE_KEY_H_
