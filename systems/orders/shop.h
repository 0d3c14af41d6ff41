// The e-commerce example: customers and their orders.
//
// Orders are found by their customer (the table's key), by their id (GSI1), by their status (GSI2)
// and by their tracking number (GSI3). An order belongs to a customer who exists, and no two orders
// have the same id or the same tracking number. Where others write to the table too and break that,
// a lookup gives every order that claims the id or the number. Thread-safe.
//
// Messages of errors are for people: they name the customer or the order, and what to do.
#ifndef STATOR_SYSTEMS_ORDERS_SHOP_H_
#define STATOR_SYSTEMS_ORDERS_SHOP_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/entity.h"
#include "systems/orders/money.h"

namespace stator::systems::orders {

enum class Priority : std::uint8_t { kHighest = 1, kHigh = 2, kMedium = 3, kLow = 4 };

// The states of the model's machine.
inline constexpr std::array<std::string_view, 3> kStatuses = {"OPEN", "SHIPPED", "DELIVERED"};

// The model's greatest lengths.
inline constexpr std::size_t kNameBytesMax = 60;
inline constexpr std::size_t kEmailBytesMax = 254;
inline constexpr std::size_t kOrderIdBytesMax = 60;
inline constexpr std::size_t kTrackingBytesMax = 60;

struct NewCustomer {
  std::string username;
  std::string email;
  std::string created_at;  // 2026-02-28T08:00:00Z; empty: now
};

struct NewOrder {
  std::string customer;
  std::string order_id;
  Money money;
  Priority priority = Priority::kMedium;
  std::string created_at;  // 2026-02-28T08:00:00Z; empty: now
};

class Shop {
 public:
  // `entities`, of this system's model, must outlive this.
  explicit Shop(Entities& entities) : entities_(entities) {}

  // kExists if the name is taken, kNotUnique if the email is.
  EntityResult<Item> Register(const NewCustomer& customer);
  // kMissing if there is no such customer, kExists if this customer has an order of that id,
  // kNotUnique if another customer has.
  EntityResult<Item> Place(const NewOrder& order);
  // Each finds the order by its id, and fails with kConflict unless the order is in the right
  // state, with kMissing if there is none, and with kNotUnique if two claim the id.
  // Ship: kNotUnique also if another order has the number.
  EntityResult<Item> Ship(std::string_view order_id, std::string_view tracking_number);
  EntityResult<Item> Deliver(std::string_view order_id);
  // The parcel is lost: the order is open again and has no tracking number.
  EntityResult<Item> Lose(std::string_view order_id);
  // Only while it is open.
  EntityResult<Item> Cancel(std::string_view order_id);

  EntityResult<std::optional<Item>> Customer(std::string_view username);
  // What GSI1 copies: username, status, createdAt, amount and currency; eventually consistent.
  EntityResult<std::vector<Item>> EntriesOf(std::string_view order_id);
  // Whole orders, as they are now; one that is gone is left out though the index may still name it.
  EntityResult<std::vector<Item>> ById(std::string_view order_id);
  EntityResult<std::vector<Item>> ByTracking(std::string_view tracking_number);
  // Newest first; kInvalid if there is no such status.
  EntityResult<Page> ByStatus(std::string_view status, const PageOptions& options = {});
  EntityResult<Page> OfCustomer(std::string_view username, const PageOptions& options = {});

 private:
  EntityResult<Item> KeyOf(std::string_view order_id);
  EntityResult<Item> StoredOrder(const Item& key);
  EntityResult<void> NumberIsFree(const Item& key, std::string_view tracking_number);
  EntityResult<Item> ParcelOf(const Item& key, const std::string& number);
  EntityError NumberTaken(std::string_view tracking_number);

  Entities& entities_;
};

// "high" → kHigh; nullopt for other words than highest, high, medium and low.
std::optional<Priority> PriorityOf(std::string_view word);

// kInvalid unless the text can stand in a key: not empty, UTF-8 without control characters, no
// blank at either end, no #, and no longer than that. `what` opens the message: "the order's id".
EntityResult<void> CheckText(std::string_view what, std::string_view text, std::size_t bytes_max);

// The time as createdAt has it, 2026-02-28T08:00:00Z; kInvalid if it is none.
EntityResult<std::string> CheckedTime(std::string_view text);

// What an error says to people: nothing of the database's own vocabulary.
std::string Explained(const EntityError& error);

}  // namespace stator::systems::orders

#endif  // STATOR_SYSTEMS_ORDERS_SHOP_H_
