// Entities as C++ structs: the base of headers made by `stator generate cpp`.
//
// A struct T has `T::kEntity`, `Item ToItem() const`, `Item Identity() const` and
// `static Result<T> FromItem(ItemView)`.
#ifndef STATOR_TYPED_ENTITY_H_
#define STATOR_TYPED_ENTITY_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stator/entity.h"
#include "stator/typed_item.h"

namespace stator {

template <class T>
struct TypedPage {
  std::vector<T> items;
  std::string cursor;  // empty: there is no further page
  double read_units = 0;
};

namespace typed {

// The item as a struct. An item that does not fit was written by something else.
template <class T>
EntityResult<T> FromStored(ItemView item) {
  Result<T> read = T::FromItem(item);
  if (read) return *std::move(read);
  return std::unexpected(EntityError{.kind = EntityErrorKind::kStore,
                                     .message = read.error().message(),
                                     .item = Item::FromView(item),
                                     .cause = read.error()});
}

template <class T>
EntityResult<T> FromStored(const EntityResult<Item>& item) {
  if (!item) return std::unexpected(item.error());
  return FromStored<T>(item->view());
}

template <class T>
EntityResult<TypedPage<T>> Query(Entities& entities, std::string_view pattern,
                                 const PatternParameters& parameters, const PageOptions& options) {
  const EntityResult<Page> page = entities.Query(pattern, parameters, options);
  if (!page) return std::unexpected(page.error());
  TypedPage<T> typed{.items = {}, .cursor = page->cursor, .read_units = page->read_units};
  for (const Item& item : page->items) {
    EntityResult<T> value = FromStored<T>(item.view());
    if (!value) return std::unexpected(value.error());
    typed.items.push_back(*std::move(value));
  }
  return typed;
}

template <class T>
EntityResult<std::optional<T>> First(Entities& entities, std::string_view pattern,
                                     const PatternParameters& parameters) {
  const EntityResult<std::optional<Item>> item = entities.First(pattern, parameters);
  if (!item) return std::unexpected(item.error());
  if (!*item) return std::nullopt;
  EntityResult<T> value = FromStored<T>((*item)->view());
  if (!value) return std::unexpected(value.error());
  return *std::move(value);
}

// Writes all attributes, whether the item exists or not.
template <class T>
EntityResult<T> Put(Entities& entities, const T& value) {
  const Item identity = value.Identity();
  Change change;
  for (const auto& [name, attribute] : value.ToItem()) {
    if (identity.Find(name)) continue;
    change.set.emplace_back(name, AttributeValue::FromView(attribute));
  }
  return FromStored<T>(entities.Upsert(T::kEntity, identity, change));
}

}  // namespace typed
}  // namespace stator

#endif  // STATOR_TYPED_ENTITY_H_
