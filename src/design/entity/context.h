// What every part of the entity layer shares: the endpoint, the model, the time, random numbers,
// and the count of what was consumed.
#ifndef STATOR_ENTITY_CONTEXT_H_
#define STATOR_ENTITY_CONTEXT_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "model/model.h"
#include "stator/entity.h"

namespace stator::entity {

EntityError MakeError(EntityErrorKind kind, std::string message,
                      std::optional<Item> item = std::nullopt);
std::unexpected<EntityError> Invalid(std::string message);
EntityError StoreError(Error cause);

// An entity and its table.
struct Home {
  const model::Entity& entity;
  const model::Table& table;
  std::string table_name;  // on the endpoint
};

// Thread-safe.
class Context {
 public:
  Context(Endpoint& endpoint, Model model, EntityOptions options);

  Endpoint& endpoint() const { return endpoint_; }
  const model::Model& model() const { return model_.values(); }
  const EntityOptions& options() const { return options_; }
  TimeMs Now() const;

  EntityResult<Home> FindHome(std::string_view entity_name) const;
  std::string TableName(const model::Table& table) const;

  // 0 … count - 1.
  std::int64_t RandomBelow(std::int64_t count);
  // A new ULID or UUID, as the attribute's unit says.
  std::string NewId(model::Unit unit);

  void CountRead(const std::optional<ConsumedCapacity>& consumed);
  void CountWrite(const std::optional<ConsumedCapacity>& consumed);
  UsedUnits used() const;

 private:
  Endpoint& endpoint_;
  Model model_;
  EntityOptions options_;
  std::mutex random_mutex_;
  std::mt19937_64 random_;
  std::atomic<double> read_units_ = 0;
  std::atomic<double> write_units_ = 0;
  std::atomic<std::uint64_t> requests_ = 0;
};

}  // namespace stator::entity

#endif  // STATOR_ENTITY_CONTEXT_H_
