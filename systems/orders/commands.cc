#include "systems/orders/commands.h"

#include <fmt/format.h>

#include "stator/database.h"
#include "systems/program/model_text.h"

namespace stator::systems::orders {

Endpoint& Opened::endpoint() {
  if (in_memory) return *in_memory;
  return connection->endpoint();
}

Opened::Opened() = default;
Opened::Opened(Opened&&) noexcept = default;
Opened::~Opened() = default;

std::expected<Opened, std::string> Open(const ConnectionOptions& options) {
  Opened opened;
  if (!options.directory.empty() || !options.endpoint.empty()) {
    auto connection = Connection::Open(options);
    if (!connection) return std::unexpected(connection.error());
    opened.connection = *std::move(connection);
    auto entities = OpenEntities(*opened.connection, ModelText());
    if (!entities) return std::unexpected(entities.error());
    opened.entities = *std::move(entities);
    return opened;
  }
  const auto clock = ClockSetting::Parse(options.clock);
  if (!clock) return std::unexpected("--clock: " + clock.error());
  auto database = Database::Open({.clock = *clock});
  if (!database) return std::unexpected(database.error().message());
  opened.in_memory = *std::move(database);
  auto model = Model::Parse(ModelText());
  if (!model) return std::unexpected(model.error());
  opened.entities = std::make_unique<Entities>(
      *opened.in_memory, *model,
      EntityOptions{.clock = &opened.in_memory->clock(), .table_prefix = options.table_prefix});
  if (auto created = opened.entities->CreateTables(); !created) {
    return std::unexpected(created.error().message);
  }
  return opened;
}

int Fail(const std::string& message, int code) {
  fmt::print(stderr, "orders: {}\n", message);
  return code;
}

}  // namespace stator::systems::orders
