#include "systems/program/tables.h"

#include "stator/client.h"
#include "stator/database.h"
#include "systems/program/text.h"

namespace stator::systems {

Connection::Connection() = default;
Connection::~Connection() = default;

Fallible<std::unique_ptr<Connection>> Connection::Open(const Place& place) {
  const auto clock = ClockSetting::Parse(place.clock);
  if (!clock) return std::unexpected("--clock: " + clock.error());
  std::unique_ptr<Connection> connection(new Connection);
  connection->table_prefix_ = place.table_prefix;
  if (place.endpoint.empty()) {
    TRY(connection->database_,
        OrMessage(Database::Open({.directory = place.directory, .clock = *clock})));
    return connection;
  }
  ClientOptions options;
  if (place.endpoint != "aws") options.endpoint = place.endpoint;
  TRY(connection->client_, OrMessage(Client::Open(std::move(options))));
  connection->client_clock_.emplace(*clock);
  return connection;
}

Endpoint& Connection::endpoint() {
  if (client_) return *client_;
  return *database_;
}

TurnableClock& Connection::clock() { return client_ ? *client_clock_ : database_->clock(); }

Tables::Tables(std::unique_ptr<Connection> connection, Model model)
    : connection_(std::move(connection)), model_(std::move(model)), entities_(MakeEntities()) {}

Fallible<std::unique_ptr<Tables>> Tables::Open(const Place& place, std::string_view model_text) {
  TRY(auto connection, Connection::Open(place));
  TRY(auto model, Model::Parse(model_text));
  std::unique_ptr<Tables> tables(new Tables(std::move(connection), std::move(model)));
  TRY_VOID(OrMessage(tables->entities().CreateTables()));
  return tables;
}

std::unique_ptr<Entities> Tables::MakeEntities() {
  return std::make_unique<Entities>(endpoint(), model_,
                                    EntityOptions{.clock = &clock(), .table_prefix = prefix()});
}

Fallible<std::unique_ptr<Tables>> OpenInMemory(TimeMs time, std::string_view model_text) {
  return Tables::Open({.clock = "fixed:" + SortableTime(time)}, model_text);
}

}  // namespace stator::systems
