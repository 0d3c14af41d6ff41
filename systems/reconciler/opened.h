// The connection of a command with its entities, and how a command says what went wrong.
#ifndef STATOR_SYSTEMS_RECONCILER_OPENED_H_
#define STATOR_SYSTEMS_RECONCILER_OPENED_H_

#include <fmt/format.h>

#include <cstdio>
#include <expected>
#include <memory>
#include <string>

#include "systems/program/connection.h"
#include "systems/program/model_text.h"

namespace stator::systems::reconciler {

struct Opened {
  std::unique_ptr<Connection> connection;
  std::unique_ptr<Entities> entities;  // with their tables made

  static std::expected<Opened, std::string> Open(const ConnectionOptions& where) {
    auto connection = Connection::Open(where);
    if (!connection) return std::unexpected(connection.error());
    auto entities = OpenEntities(**connection, ModelText());
    if (!entities) return std::unexpected(entities.error());
    return Opened{*std::move(connection), *std::move(entities)};
  }
};

template <class... Args>
int Fail(fmt::format_string<Args...> text, Args&&... args) {
  fmt::print(stderr, "reconciler: {}\n", fmt::format(text, std::forward<Args>(args)...));
  return 1;
}

template <class... Args>
int Misused(fmt::format_string<Args...> text, Args&&... args) {
  Fail(text, std::forward<Args>(args)...);
  return 2;
}

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_OPENED_H_
