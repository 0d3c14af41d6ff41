// A model, an embedded database with its tables, a clock that does not move, and the entities.
#ifndef STATOR_TESTS_ENTITY_ENTITY_FIXTURE_H_
#define STATOR_TESTS_ENTITY_ENTITY_FIXTURE_H_

#include <memory>
#include <string>
#include <vector>

#include "stator/database.h"
#include "stator/entity.h"

namespace stator::testing {

// Calls of users: base key from two attributes, a lookup, a status index, a sparse sharded index,
// a unique id, a version, a machine, and items that expire.
extern const char* const kCallsModel;

class World {
 public:
  explicit World(const std::string& yaml = kCallsModel);

  Entities& entities() { return *entities_; }
  Database& database() { return *database_; }
  TurnableClock& clock() { return database_->clock(); }
  const Model& model() const { return *model_; }

  // Every item of a table that is not a sentinel.
  std::vector<Item> Items(const std::string& table_name);
  std::int64_t CountRows(const std::string& table_name, const std::string& index_name = {});

  // What is wrong with the stored items, judged by the model; empty: nothing.
  std::vector<std::string> Audit();

 private:
  std::unique_ptr<Database> database_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Entities> entities_;
};

Item Call(const std::string& user, const std::string& id, std::int64_t at);
std::string Text(const Item& item, std::string_view name);

}  // namespace stator::testing

#endif  // STATOR_TESTS_ENTITY_ENTITY_FIXTURE_H_
