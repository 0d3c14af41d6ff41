// Results whose error is a message for people, and how to hand errors on:
//
//   TRY(const Item item, OrMessage(shop.Ship(id, number)));
//   TRY_VOID(Load());
#ifndef STATOR_SYSTEMS_PROGRAM_FALLIBLE_H_
#define STATOR_SYSTEMS_PROGRAM_FALLIBLE_H_

#include <expected>
#include <string>
#include <type_traits>
#include <utility>

#include "stator/entity.h"
#include "stator/result.h"

namespace stator::systems {

template <class T>
using Fallible = std::expected<T, std::string>;

// What the endpoint said, without the name of its exception.
inline std::string MessageOf(const EntityError& error) {
  const bool is_named = error.kind == EntityErrorKind::kStore && error.cause &&
                        !error.cause->message().empty() &&
                        error.cause->code() != ErrorCode::kTransactionCanceled;
  return is_named ? error.cause->message() : error.message;
}
inline std::string MessageOf(const Error& error) { return error.message(); }

// The same result, with its error as text.
template <class T, class E>
Fallible<T> OrMessage(std::expected<T, E> result) {
  if (!result) return std::unexpected(MessageOf(result.error()));
  if constexpr (std::is_void_v<T>) {
    return {};
  } else {
    return *std::move(result);
  }
}

// Another writer was faster: the item exists already, or has changed since it was read.
inline bool IsRace(const EntityError& error) {
  return error.kind == EntityErrorKind::kConflict || error.kind == EntityErrorKind::kExists;
}

// The item is gone, or no longer in the state that the write depends on.
inline bool IsOvertaken(const EntityError& error) {
  return error.kind == EntityErrorKind::kConflict || error.kind == EntityErrorKind::kMissing;
}

}  // namespace stator::systems

#define STATOR_SYSTEMS_JOIN_INNER(a, b) a##b
#define STATOR_SYSTEMS_JOIN(a, b) STATOR_SYSTEMS_JOIN_INNER(a, b)

#define TRY(declaration, expression)                                                \
  auto STATOR_SYSTEMS_JOIN(try_, __LINE__) = (expression);                          \
  if (!STATOR_SYSTEMS_JOIN(try_, __LINE__))                                         \
    return std::unexpected(std::move(STATOR_SYSTEMS_JOIN(try_, __LINE__)).error()); \
  declaration = *std::move(STATOR_SYSTEMS_JOIN(try_, __LINE__))

#define TRY_VOID(expression)                                   \
  if (auto STATOR_SYSTEMS_JOIN(try_, __LINE__) = (expression); \
      !STATOR_SYSTEMS_JOIN(try_, __LINE__))                    \
  return std::unexpected(std::move(STATOR_SYSTEMS_JOIN(try_, __LINE__)).error())

#endif  // STATOR_SYSTEMS_PROGRAM_FALLIBLE_H_
