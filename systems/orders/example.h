// The strategies and patterns of the guide as examples that run: each puts a few items into the
// table, asks its questions, and tells what it got and what that cost. May be repeated.
#ifndef STATOR_SYSTEMS_ORDERS_EXAMPLE_H_
#define STATOR_SYSTEMS_ORDERS_EXAMPLE_H_

#include <span>
#include <string_view>

#include "stator/entity.h"
#include "systems/orders/narrator.h"

namespace stator::systems::orders {

struct Example {
  std::string_view name;   // "lookup"
  std::string_view title;  // "Strategy 1: inverted lookup"
  std::string_view keys;   // of the index that does it
  EntityResult<void> (*run)(Narrator& narrator);
};

std::span<const Example> Strategies();  // five, in the order of the guide
std::span<const Example> Patterns();    // four

// By its name or its number; null: there is none.
const Example* FindExample(std::span<const Example> examples, std::string_view name);

// Tells the title and the keys, and runs it.
EntityResult<void> RunExample(const Example& example, Narrator& narrator);

// Creates the item, unless it is there.
EntityResult<void> Ensure(Entities& entities, std::string_view entity, const Item& item);

}  // namespace stator::systems::orders

#endif  // STATOR_SYSTEMS_ORDERS_EXAMPLE_H_
