#include "systems/orders/shop.h"

#include <fmt/format.h>

#include "systems/program/fallible.h"

namespace stator::systems::orders {

EntityResult<Item> Shop::Register(std::string_view username, std::string_view email) {
  return entities_.Create("Customer", Item{{"username", username}, {"email", email}});
}

EntityResult<Item> Shop::Place(const NewOrder& order) {
  Item item{{"username", order.customer},
            {"orderId", order.order_id},
            {"amount", order.amount},
            {"priority", static_cast<int>(order.priority)}};
  if (!order.created_at.empty()) item.Set("createdAt", order.created_at);
  return entities_.Create("Order", item);
}

// Writers know an order by its id alone; the index says whose it is. A customer never changes, so
// that an index that lags behind cannot lie.
EntityResult<Item> Shop::KeyOf(std::string_view order_id) {
  TRY(const auto found, entities_.First("order_by_id", {{"id", order_id}}));
  if (!found) {
    return std::unexpected(EntityError{.kind = EntityErrorKind::kMissing,
                                       .message = fmt::format("there is no order {}", order_id),
                                       .item = {},
                                       .cause = {}});
  }
  return Item{{"username", AttributeValue::FromView(*found->Find("username"))},
              {"orderId", order_id}};
}

EntityResult<Item> Shop::MoveOrder(std::string_view order_id, std::string_view move,
                                   const Change& change) {
  TRY(const Item key, KeyOf(order_id));
  return entities_.Move("Order", key, move, change);
}

EntityResult<Item> Shop::Ship(std::string_view order_id, std::string_view tracking_number) {
  return MoveOrder(order_id, "ship", {.set = {{"trackingNumber", tracking_number}}});
}

EntityResult<Item> Shop::Deliver(std::string_view order_id) {
  return MoveOrder(order_id, "deliver", {});
}

EntityResult<Item> Shop::Lose(std::string_view order_id) {
  return MoveOrder(order_id, "lose", {.remove = {"trackingNumber"}});
}

EntityResult<Item> Shop::Cancel(std::string_view order_id) {
  TRY(const Item key, KeyOf(order_id));
  return entities_.Delete("Order", key, {.only_if = "status = OPEN"});
}

EntityResult<std::optional<Item>> Shop::Customer(std::string_view username) {
  return entities_.First("customer", {{"username", username}});
}

EntityResult<std::optional<Item>> Shop::ById(std::string_view order_id) {
  return entities_.First("order_by_id", {{"id", order_id}});
}

EntityResult<std::optional<Item>> Shop::WholeOrder(std::string_view order_id) {
  TRY(const auto found, ById(order_id));
  if (!found) return std::nullopt;
  return entities_.Get(
      "Order",
      Item{{"username", AttributeValue::FromView(*found->Find("username"))}, {"orderId", order_id}},
      {.strong = true});
}

EntityResult<std::optional<Item>> Shop::ByTracking(std::string_view tracking_number) {
  return entities_.First("order_by_tracking", {{"number", tracking_number}});
}

EntityResult<Page> Shop::ByStatus(std::string_view status, const PageOptions& options) {
  return entities_.Query("orders_by_status", {{"status", status}}, options);
}

EntityResult<Page> Shop::OfCustomer(std::string_view username, const PageOptions& options) {
  return entities_.Query("customer_orders", {{"customer", username}}, options);
}

std::optional<Priority> PriorityOf(std::string_view word) {
  if (word == "highest") return Priority::kHighest;
  if (word == "high") return Priority::kHigh;
  if (word == "medium") return Priority::kMedium;
  if (word == "low") return Priority::kLow;
  return std::nullopt;
}

}  // namespace stator::systems::orders
