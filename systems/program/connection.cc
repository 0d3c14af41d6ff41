#include "systems/program/connection.h"

#include <CLI/CLI.hpp>

#include "stator/client.h"
#include "stator/database.h"

namespace stator::systems {
namespace {

class DirectoryConnection final : public Connection {
 public:
  explicit DirectoryConnection(std::unique_ptr<Database> database)
      : database_(std::move(database)) {}
  Endpoint& endpoint() override { return *database_; }
  TurnableClock& clock() override { return database_->clock(); }

 private:
  std::unique_ptr<Database> database_;
};

class ServerConnection final : public Connection {
 public:
  ServerConnection(std::unique_ptr<Client> client, const ClockSetting& clock)
      : client_(std::move(client)), clock_(clock) {}
  Endpoint& endpoint() override { return *client_; }
  TurnableClock& clock() override { return clock_; }

 private:
  std::unique_ptr<Client> client_;
  TurnableClock clock_;
};

// Empty if there is none.
std::string ProblemOfEndpoint(const std::string& text) {
  const bool is_address = text.starts_with("http://") || text.starts_with("https://");
  return is_address || text == "aws" ? "" : "an address is like http://127.0.0.1:8000";
}

}  // namespace

void AddConnectionOptions(CLI::App& app, ConnectionOptions& options) {
  auto* url = app.add_option("--endpoint", options.endpoint,
                             "A Stator server, e.g. http://127.0.0.1:8000, or `aws`")
                  ->type_name("URL")
                  ->check(ProblemOfEndpoint);
  app.add_option("--data", options.directory, "A directory that no server has open")
      ->type_name("DIR")
      ->excludes(url);
  app.add_option("--prefix", options.table_prefix, "Put before the name of every table")
      ->type_name("TEXT");
  app.add_option("--clock", options.clock,
                 "The time to go by: system, fixed:TIME or offset:DURATION")
      ->type_name("CLOCK")
      ->check([](const std::string& text) {
        const auto clock = ClockSetting::Parse(text);
        return clock ? std::string() : clock.error();
      });
}

void RequirePlace(const ConnectionOptions& options) {
  if (options.directory.empty() && options.endpoint.empty()) {
    throw CLI::RequiredError("--data DIR or --endpoint URL");
  }
}

std::expected<std::unique_ptr<Connection>, std::string> Connection::Open(
    const ConnectionOptions& options) {
  const auto clock = ClockSetting::Parse(options.clock);
  if (!clock) return std::unexpected("--clock: " + clock.error());
  std::unique_ptr<Connection> connection;
  if (!options.directory.empty()) {
    auto database = Database::Open({.directory = options.directory, .clock = *clock});
    if (!database) return std::unexpected(database.error().message());
    connection = std::make_unique<DirectoryConnection>(*std::move(database));
  } else if (!options.endpoint.empty()) {
    ClientOptions how;
    if (options.endpoint != "aws") how.endpoint = options.endpoint;
    auto client = Client::Open(std::move(how));
    if (!client) return std::unexpected(client.error().message());
    connection = std::make_unique<ServerConnection>(*std::move(client), *clock);
  } else {
    return std::unexpected("say where the tables are: --data DIR, or --endpoint URL");
  }
  connection->table_prefix_ = options.table_prefix;
  return connection;
}

std::expected<std::unique_ptr<Entities>, std::string> OpenEntities(Connection& connection,
                                                                   std::string_view model_text) {
  auto model = Model::Parse(model_text);
  if (!model) return std::unexpected(model.error());
  auto entities = std::make_unique<Entities>(
      connection.endpoint(), *model,
      EntityOptions{.clock = &connection.clock(), .table_prefix = connection.table_prefix()});
  if (auto created = entities->CreateTables(); !created) {
    return std::unexpected(created.error().message);
  }
  return entities;
}

}  // namespace stator::systems
