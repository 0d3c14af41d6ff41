// The e-commerce example: customers and their orders.
//
// Orders are found by their customer (the table's key), by their id (GSI1), by their status (GSI2)
// and by their tracking number (GSI3). Thread-safe.
#ifndef STATOR_SYSTEMS_ORDERS_SHOP_H_
#define STATOR_SYSTEMS_ORDERS_SHOP_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/entity.h"

namespace stator::systems::orders {

enum class Priority : std::uint8_t { kHighest = 1, kHigh = 2, kMedium = 3, kLow = 4 };

struct NewOrder {
  std::string customer;
  std::string order_id;
  std::int64_t amount = 0;
  Priority priority = Priority::kMedium;
  std::string created_at;  // 2026-02-28T08:00:00Z; empty: now
};

class Shop {
 public:
  // `entities`, of this system's model, must outlive this.
  explicit Shop(Entities& entities) : entities_(entities) {}

  // kExists if the name is taken, kNotUnique if the email is.
  EntityResult<Item> Register(std::string_view username, std::string_view email);
  // kNotUnique if any customer has an order of that id.
  EntityResult<Item> Place(const NewOrder& order);
  // Each finds the order by its id, and fails with kConflict unless the order is in the right
  // state.
  EntityResult<Item> Ship(std::string_view order_id, std::string_view tracking_number);
  EntityResult<Item> Deliver(std::string_view order_id);
  // The parcel is lost: the order is open again and has no tracking number.
  EntityResult<Item> Lose(std::string_view order_id);
  // Only while it is open.
  EntityResult<Item> Cancel(std::string_view order_id);

  EntityResult<std::optional<Item>> Customer(std::string_view username);
  // What GSI1 copies: username, status, createdAt and amount; eventually consistent.
  EntityResult<std::optional<Item>> ById(std::string_view order_id);
  // The whole order, as it is now; nullopt also if it is gone and the index still names it.
  EntityResult<std::optional<Item>> WholeOrder(std::string_view order_id);
  EntityResult<std::optional<Item>> ByTracking(std::string_view tracking_number);
  // Newest first.
  EntityResult<Page> ByStatus(std::string_view status, const PageOptions& options = {});
  EntityResult<Page> OfCustomer(std::string_view username, const PageOptions& options = {});

 private:
  EntityResult<Item> KeyOf(std::string_view order_id);
  EntityResult<Item> MoveOrder(std::string_view order_id, std::string_view move,
                               const Change& change);

  Entities& entities_;
};

// "high" → kHigh; nullopt for other words than highest, high, medium and low.
std::optional<Priority> PriorityOf(std::string_view word);

}  // namespace stator::systems::orders

#endif  // STATOR_SYSTEMS_ORDERS_SHOP_H_
