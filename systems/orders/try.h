// Handing an error on: TRY(const Item item, shop.Ship(id, number)); or TRY_VOID(Load());
#ifndef STATOR_SYSTEMS_ORDERS_TRY_H_
#define STATOR_SYSTEMS_ORDERS_TRY_H_

#include <expected>
#include <utility>

#define STATOR_ORDERS_JOIN_INNER(a, b) a##b
#define STATOR_ORDERS_JOIN(a, b) STATOR_ORDERS_JOIN_INNER(a, b)

#define TRY(declaration, expression)                                               \
  auto STATOR_ORDERS_JOIN(try_, __LINE__) = (expression);                          \
  if (!STATOR_ORDERS_JOIN(try_, __LINE__))                                         \
    return std::unexpected(std::move(STATOR_ORDERS_JOIN(try_, __LINE__)).error()); \
  declaration = *std::move(STATOR_ORDERS_JOIN(try_, __LINE__))

#define TRY_VOID(expression)                                                                       \
  if (auto STATOR_ORDERS_JOIN(try_, __LINE__) = (expression); !STATOR_ORDERS_JOIN(try_, __LINE__)) \
  return std::unexpected(std::move(STATOR_ORDERS_JOIN(try_, __LINE__)).error())

#endif  // STATOR_SYSTEMS_ORDERS_TRY_H_
