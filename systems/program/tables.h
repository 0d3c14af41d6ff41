// Where a system keeps its tables: in a directory, on a server, at AWS or in memory; and which time
// it goes by.
#ifndef STATOR_SYSTEMS_PROGRAM_TABLES_H_
#define STATOR_SYSTEMS_PROGRAM_TABLES_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "stator/clock.h"
#include "stator/endpoint.h"
#include "stator/entity.h"
#include "stator/model.h"
#include "systems/program/fallible.h"

namespace stator {
class Client;
class Database;
}  // namespace stator

namespace stator::systems {

// What the command line says about it.
struct Place {
  std::string directory;         // --data DIR
  std::string endpoint;          // --endpoint URL, or "aws"
  std::string table_prefix;      // --prefix
  std::string clock = "system";  // --clock, as for `stator serve`

  bool is_named() const { return !directory.empty() || !endpoint.empty(); }
};

// An endpoint with the clock that belongs to it.
class Connection {
 public:
  // To a database in memory if the place is not named.
  static Fallible<std::unique_ptr<Connection>> Open(const Place& place);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  Endpoint& endpoint();
  TurnableClock& clock();
  const std::string& table_prefix() const { return table_prefix_; }

 private:
  Connection();
  std::unique_ptr<Database> database_;
  std::unique_ptr<Client> client_;
  std::optional<TurnableClock> client_clock_;  // a server's clock cannot be turned from here
  std::string table_prefix_;
};

// The tables of a model, which exist.
class Tables {
 public:
  // Creates the tables that do not exist.
  static Fallible<std::unique_ptr<Tables>> Open(const Place& place, std::string_view model_text);

  Endpoint& endpoint() { return connection_->endpoint(); }
  TurnableClock& clock() { return connection_->clock(); }
  const std::string& prefix() const { return connection_->table_prefix(); }
  const Model& model() const { return model_; }
  Entities& entities() { return *entities_; }
  // Another set of entities, with caches and counters of its own.
  std::unique_ptr<Entities> MakeEntities();

 private:
  Tables(std::unique_ptr<Connection> connection, Model model);
  std::unique_ptr<Connection> connection_;
  Model model_;
  std::unique_ptr<Entities> entities_;
};

// A database in memory with a clock that stands at `time`, and the tables of a model in it.
Fallible<std::unique_ptr<Tables>> OpenInMemory(TimeMs time, std::string_view model_text);

}  // namespace stator::systems

#endif  // STATOR_SYSTEMS_PROGRAM_TABLES_H_
