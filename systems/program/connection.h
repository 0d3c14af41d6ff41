// Where a system keeps its tables: a directory, a server, or AWS; and which time it goes by.
#ifndef STATOR_SYSTEMS_PROGRAM_CONNECTION_H_
#define STATOR_SYSTEMS_PROGRAM_CONNECTION_H_

#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "stator/clock.h"
#include "stator/endpoint.h"
#include "stator/entity.h"
#include "stator/model.h"

namespace CLI {
class App;
}

namespace stator::systems {

struct ConnectionOptions {
  std::string directory;         // --data DIR
  std::string endpoint;          // --endpoint URL, or "aws"
  std::string table_prefix;      // --prefix
  std::string clock = "system";  // --clock, as for `stator serve`
};

// Adds --data, --endpoint, --prefix and --clock.
void AddConnectionOptions(CLI::App& app, ConnectionOptions& options);

// Throws what CLI11 reports as a wrong command line unless there is one of --data and --endpoint;
// for the callbacks of commands.
void RequirePlace(const ConnectionOptions& options);

// An endpoint with the clock that belongs to it.
class Connection {
 public:
  // The error is for people.
  static std::expected<std::unique_ptr<Connection>, std::string> Open(
      const ConnectionOptions& options);
  virtual ~Connection() = default;

  virtual Endpoint& endpoint() = 0;
  virtual TurnableClock& clock() = 0;
  const std::string& table_prefix() const { return table_prefix_; }

 protected:
  std::string table_prefix_;
};

// The entities of a built-in model on the connection, with their tables made.
std::expected<std::unique_ptr<Entities>, std::string> OpenEntities(Connection& connection,
                                                                   std::string_view model_text);

}  // namespace stator::systems

#endif  // STATOR_SYSTEMS_PROGRAM_CONNECTION_H_
