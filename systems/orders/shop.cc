#include "systems/orders/shop.h"

#include <fmt/format.h>

#include <algorithm>

#include "systems/program/fallible.h"
#include "systems/program/items.h"

namespace stator::systems::orders {
namespace {

constexpr std::string_view kOrderId = "the order's id";
constexpr std::string_view kNumber = "the tracking number";

EntityError Refusal(EntityErrorKind kind, std::string message) {
  return {.kind = kind, .message = std::move(message), .item = {}, .cause = {}};
}

std::unexpected<EntityError> Refused(EntityErrorKind kind, std::string message) {
  return std::unexpected(Refusal(kind, std::move(message)));
}

// The same error in other words, if it is of that kind.
EntityResult<Item> Worded(EntityResult<Item> done, EntityErrorKind kind, std::string message) {
  if (!done && done.error().kind == kind) done.error().message = std::move(message);
  return done;
}

// A move that the order's state forbids says which state that is.
EntityResult<Item> WordedMove(EntityResult<Item> done, std::string_view order_id,
                              std::string_view deed, std::string_view needed) {
  if (done) return done;
  EntityError& error = done.error();
  if (error.kind == EntityErrorKind::kMissing) {
    error.message = fmt::format("there is no order {}", order_id);
  }
  // kExists: the number has just been taken.
  if (error.kind != EntityErrorKind::kConflict && error.kind != EntityErrorKind::kExists)
    return done;
  error.kind = EntityErrorKind::kConflict;
  const bool is_order = error.item && TextOf(*error.item, "SK").starts_with("ORDER#");
  const std::string status = is_order ? TextOf(*error.item, "status") : std::string(needed);
  error.message =
      status == needed
          ? fmt::format("somebody else has changed order {} at this moment: try again", order_id)
          : fmt::format("order {} is {}; only one that is {} can be {}", order_id,
                        status.empty() ? "without a status" : status, needed, deed);
  return done;
}

// Every entry of an index has the table's key, also of an order that others wrote: "CUSTOMER#alice".
std::string CustomerOf(const Item& entry) {
  const std::string key = TextOf(entry, "PK");
  return key.substr(key.find('#') + 1);
}

std::string OrderIdOf(const Item& entry) {
  const std::string key = TextOf(entry, "SK");
  return key.substr(key.find('#') + 1);
}

Item KeyFrom(const Item& entry) {
  return Item{{"username", CustomerOf(entry)}, {"orderId", OrderIdOf(entry)}};
}

EntityResult<void> CheckEmail(std::string_view email) {
  TRY_VOID(CheckText("the email", email, kEmailBytesMax));
  const std::size_t at = email.find('@');
  if (at == 0 || at == std::string_view::npos || at + 1 == email.size() ||
      email.find('@', at + 1) != std::string_view::npos ||
      email.find(' ') != std::string_view::npos) {
    return Refused(EntityErrorKind::kInvalid,
                   fmt::format("`{}` is no email: write it like alice@example.com", email));
  }
  return {};
}

}  // namespace

EntityResult<Item> Shop::Register(const NewCustomer& customer) {
  TRY_VOID(CheckText("the customer's name", customer.username, kNameBytesMax));
  TRY_VOID(CheckEmail(customer.email));
  Item item{{"username", customer.username}, {"email", customer.email}};
  if (!customer.created_at.empty()) {
    TRY(const std::string created_at, CheckedTime(customer.created_at));
    item.Set("createdAt", created_at);
  }
  auto created = Worded(entities_.Create("Customer", item), EntityErrorKind::kExists,
                        fmt::format("there is a customer {} already", customer.username));
  return Worded(std::move(created), EntityErrorKind::kNotUnique,
                fmt::format("another customer has the email {}", customer.email));
}

EntityResult<Item> Shop::Place(const NewOrder& order) {
  TRY_VOID(CheckText(kOrderId, order.order_id, kOrderIdBytesMax));
  const auto money = ReadMoney(order.money.amount, order.money.currency);
  if (!money) return Refused(EntityErrorKind::kInvalid, money.error());
  Item item{{"username", order.customer},
            {"orderId", order.order_id},
            {"amount", AttributeValue::Number(money->amount)},
            {"currency", money->currency},
            {"priority", static_cast<int>(order.priority)}};
  if (!order.created_at.empty()) {
    TRY(const std::string created_at, CheckedTime(order.created_at));
    item.Set("createdAt", created_at);
  }
  TRY(const auto customer, Customer(order.customer));
  if (!customer) {
    return Refused(EntityErrorKind::kMissing,
                   fmt::format("there is no customer {0}: register {0} first", order.customer));
  }
  auto created = Worded(entities_.Create("Order", item), EntityErrorKind::kExists,
                        fmt::format("{} has an order {} already", order.customer, order.order_id));
  return Worded(std::move(created), EntityErrorKind::kNotUnique,
                fmt::format("another customer has an order {} already", order.order_id));
}

// Writers know an order by its id alone; the index says whose it is. A customer never changes, so
// that an index that lags behind cannot lie.
EntityResult<Item> Shop::KeyOf(std::string_view order_id) {
  TRY(const std::vector<Item> entries, EntriesOf(order_id));
  if (entries.empty()) {
    return Refused(EntityErrorKind::kMissing, fmt::format("there is no order {}", order_id));
  }
  if (entries.size() > 1) {
    const auto [one, other] = std::minmax({CustomerOf(entries[0]), CustomerOf(entries[1])});
    return Refused(EntityErrorKind::kNotUnique,
                   fmt::format("{} and {} both have an order {}: one of them must go first", one,
                               other, order_id));
  }
  return KeyFrom(entries[0]);
}

// The order as it is now, after a transaction, which returns no item. That it was done is certain,
// whatever others have done to the order since.
EntityResult<Item> Shop::StoredOrder(const Item& key) {
  TRY(auto order, entities_.Get("Order", key, {.strong = true}));
  return order ? *std::move(order) : key;
}

// The number's own item knows only of orders that were shipped here; the index knows all.
EntityResult<void> Shop::NumberIsFree(const Item& key, std::string_view tracking_number) {
  TRY(const Page page,
      entities_.Query("number_is_free", {{"number", tracking_number}}, {.limit = 2}));
  for (const Item& entry : page.items) {
    if (KeyFrom(entry) == key) continue;
    return Refused(EntityErrorKind::kNotUnique,
                   fmt::format("order {} of {} has the tracking number {} already",
                               OrderIdOf(entry), CustomerOf(entry), tracking_number));
  }
  return {};
}

EntityError Shop::NumberTaken(std::string_view tracking_number) {
  const auto parcel =
      entities_.Get("Parcel", Item{{"trackingNumber", tracking_number}}, {.strong = true});
  const std::string whose = parcel && *parcel ? fmt::format("order {}", TextOf(**parcel, "orderId"))
                                              : std::string("another order");
  return Refusal(EntityErrorKind::kNotUnique,
                 fmt::format("{} has the tracking number {} already", whose, tracking_number));
}

EntityResult<Item> Shop::Ship(std::string_view order_id, std::string_view tracking_number) {
  TRY_VOID(CheckText(kNumber, tracking_number, kTrackingBytesMax));
  TRY(const Item key, KeyOf(order_id));
  TRY_VOID(NumberIsFree(key, tracking_number));
  EntityTransaction both = entities_.Begin();
  both.Move("Order", key, "ship", {.set = {{"trackingNumber", tracking_number}}});
  both.Create("Parcel", Item{{"trackingNumber", tracking_number},
                             {"username", TextOf(key, "username")},
                             {"orderId", order_id}});
  const auto done = both.Commit();
  if (!done && done.error().kind == EntityErrorKind::kExists) {
    return std::unexpected(NumberTaken(tracking_number));
  }
  if (!done) return WordedMove(std::unexpected(done.error()), order_id, "shipped", "OPEN");
  return StoredOrder(key);
}

EntityResult<Item> Shop::Deliver(std::string_view order_id) {
  TRY(const Item key, KeyOf(order_id));
  return WordedMove(entities_.Move("Order", key, "deliver"), order_id, "delivered", "SHIPPED");
}

// The parcel's own item, under which the number is held. An order that others wrote may have none:
// it gets one, unless the order has changed.
EntityResult<Item> Shop::ParcelOf(const Item& key, const std::string& number) {
  const Item parcel{{"trackingNumber", number},
                    {"username", TextOf(key, "username")},
                    {"orderId", TextOf(key, "orderId")}};
  TRY(auto found, entities_.Get("Parcel", parcel, {.strong = true}));
  if (found) return *std::move(found);
  EntityTransaction both = entities_.Begin();
  both.Check("Order", key,
             {.only_if = "trackingNumber = $number", .parameters = {{"number", number}}});
  both.Create("Parcel", parcel);
  TRY_VOID(both.Commit());
  return parcel;
}

EntityResult<Item> Shop::Lose(std::string_view order_id) {
  TRY(const Item key, KeyOf(order_id));
  TRY(const Item order, StoredOrder(key));
  const std::string number = TextOf(order, "trackingNumber");
  EntityTransaction both = entities_.Begin();
  const Change change{.remove = {"trackingNumber"}};
  if (number.empty()) {
    both.Move("Order", key, "lose", change, {}, {.only_if = "trackingNumber missing"});
  } else {
    const auto parcel = ParcelOf(key, number);
    if (!parcel) return WordedMove(std::unexpected(parcel.error()), order_id, "lost", "SHIPPED");
    both.Move("Order", key, "lose", change, {},
              {.only_if = "trackingNumber = $number", .parameters = {{"number", number}}});
    // The number stays with another order that holds it, which only others could have written.
    const PatternParameters whose = {{"order", TextOf(key, "orderId")}};
    if (parcel->Find("orderId") == key.Find("orderId")) {
      both.Delete("Parcel", *parcel, {.only_if = "orderId = $order", .parameters = whose});
    } else {
      both.Check("Parcel", *parcel, {.only_if = "orderId <> $order", .parameters = whose});
    }
  }
  const auto done = both.Commit();
  if (!done) return WordedMove(std::unexpected(done.error()), order_id, "lost", "SHIPPED");
  return StoredOrder(key);
}

EntityResult<Item> Shop::Cancel(std::string_view order_id) {
  TRY(const Item key, KeyOf(order_id));
  return WordedMove(entities_.Delete("Order", key, {.only_if = "status = OPEN"}), order_id,
                    "cancelled", "OPEN");
}

EntityResult<std::optional<Item>> Shop::Customer(std::string_view username) {
  TRY_VOID(CheckText("the customer's name", username, kNameBytesMax));
  return entities_.First("customer", {{"username", username}});
}

EntityResult<std::vector<Item>> Shop::EntriesOf(std::string_view order_id) {
  TRY_VOID(CheckText(kOrderId, order_id, kOrderIdBytesMax));
  return entities_.All("order_by_id", {{"id", order_id}});
}

EntityResult<std::vector<Item>> Shop::ById(std::string_view order_id) {
  TRY(const std::vector<Item> entries, EntriesOf(order_id));
  std::vector<Item> keys;
  for (const Item& entry : entries) keys.push_back(KeyFrom(entry));
  return entities_.GetMany("Order", keys, {.strong = true});
}

EntityResult<std::vector<Item>> Shop::ByTracking(std::string_view tracking_number) {
  TRY_VOID(CheckText(kNumber, tracking_number, kTrackingBytesMax));
  return entities_.All("order_by_tracking", {{"number", tracking_number}});
}

EntityResult<Page> Shop::ByStatus(std::string_view status, const PageOptions& options) {
  if (std::ranges::find(kStatuses, status) == kStatuses.end()) {
    return Refused(EntityErrorKind::kInvalid, fmt::format("there is no status {}: orders are {}",
                                                          status, fmt::join(kStatuses, ", ")));
  }
  return entities_.Query("orders_by_status", {{"status", status}}, options);
}

EntityResult<Page> Shop::OfCustomer(std::string_view username, const PageOptions& options) {
  TRY_VOID(CheckText("the customer's name", username, kNameBytesMax));
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
