// Several writes of entities in one transaction.
#ifndef STATOR_ENTITY_TRANSACTION_H_
#define STATOR_ENTITY_TRANSACTION_H_

#include <functional>
#include <vector>

#include "entity/item_write.h"
#include "entity/update.h"

namespace stator {

struct EntityTransaction::Impl {
  // What one call wished. `build` gives its writes anew for every attempt, reading what it must;
  // `judge` says what the failure of the item's own write means, nullopt: it is worth another try.
  struct Wish {
    std::function<EntityResult<std::vector<entity::ItemWrite>>()> build;
    std::function<std::optional<EntityError>(const std::optional<Item>& item)> judge;
  };

  explicit Impl(entity::Context& owner) : context(owner) {}

  void AddUpdate(EntityResult<entity::UpdateWish> made);
  // A delete, or a check that writes nothing.
  void AddExisting(std::string_view entity, const Item& key, const WriteOptions& options,
                   bool only_check);

  entity::Context& context;
  std::vector<Wish> wishes;
  std::optional<EntityError> mistake;  // the first one
};

}  // namespace stator

#endif  // STATOR_ENTITY_TRANSACTION_H_
