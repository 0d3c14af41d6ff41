#include "systems/orders/example.h"

#include <fmt/format.h>

#include "systems/orders/try.h"

namespace stator::systems::orders {

const Example* FindExample(std::span<const Example> examples, std::string_view name) {
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (examples[i].name == name || std::to_string(i + 1) == name) return &examples[i];
  }
  return nullptr;
}

EntityResult<void> RunExample(const Example& example, Narrator& narrator) {
  narrator.Title(example.title);
  narrator.Say(example.keys);
  return example.run(narrator);
}

EntityResult<void> Ensure(Entities& entities, std::string_view entity, const Item& item) {
  TRY(const auto there, entities.Get(entity, item, {.strong = true}));
  if (there) return {};
  TRY_VOID(entities.Create(entity, item));
  return {};
}

}  // namespace stator::systems::orders
