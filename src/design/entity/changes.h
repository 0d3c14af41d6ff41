// A partial change: checked against the model, and carried out on an item in memory.
#ifndef STATOR_ENTITY_CHANGES_H_
#define STATOR_ENTITY_CHANGES_H_

#include "entity/context.h"

namespace stator::entity {

// Normalised and checked. Attributes of the base key are allowed only if `may_rekey`; the state of
// a machine only in moves.
EntityResult<Change> CheckedChange(const Home& home, const Change& change, bool may_rekey);

// An empty value cannot be the key of a table or an index; the store would refuse the whole write.
EntityResult<void> CheckNotEmptyKey(const Home& home, std::string_view name, ValueView value);

// The attributes that a change touches, counters within maps by the name of the map.
std::vector<std::string> TouchedAttributes(const Change& change);

// The item after the change. Counters and maps that the item lacks start empty.
Item Changed(const Item& before, const Change& change);

// "dayOfWeekCounts.mon" → {"dayOfWeekCounts", "mon"}; {"totalCount", ""}.
std::pair<std::string_view, std::string_view> SplitPath(std::string_view path);

}  // namespace stator::entity

#endif  // STATOR_ENTITY_CHANGES_H_
