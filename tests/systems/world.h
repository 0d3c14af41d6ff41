// What a system's tests stand on: an endpoint with a clock that stands still until it is turned. With
// STATOR_SYSTEMS_OVER_HTTP in the environment the same tests go through a client and a server.
#ifndef STATOR_TESTS_SYSTEMS_WORLD_H_
#define STATOR_TESTS_SYSTEMS_WORLD_H_

#include <memory>
#include <string>
#include <string_view>

#include "stator/database.h"
#include "stator/entity.h"

namespace stator::testing {

class SystemWorld {
 public:
  // The clock stands at 2026-02-28T08:00:00Z.
  explicit SystemWorld(std::string_view model_text);
  ~SystemWorld();

  Entities& entities() { return *entities_; }
  // A second set of entities, as another process would have: with caches of its own.
  std::unique_ptr<Entities> MoreEntities();
  Endpoint& endpoint();
  // Behind the endpoint, for looking at what must be there.
  Database& database() { return *database_; }
  TurnableClock& clock() { return database_->clock(); }
  const Model& model() const { return *model_; }
  // The server's address; empty when the tests run embedded.
  std::string url() const;

  // What `stator audit` would say; empty: nothing is wrong.
  std::string Audit();

 private:
  struct Served;
  std::unique_ptr<Database> database_;
  std::unique_ptr<Served> served_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Entities> entities_;
};

// The text or number of an attribute; "(none)" if it is not there.
std::string Text(const Item& item, std::string_view name);

}  // namespace stator::testing

#endif  // STATOR_TESTS_SYSTEMS_WORLD_H_
