// Writes the items of the examples, each through the states it has to go through.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "systems/orders/example_items.h"
#include "systems/orders/shop.h"
#include "systems/program/fallible.h"
#include "systems/program/items.h"

namespace stator::systems::orders {
namespace {

// Longer than any name of the model.
constexpr std::size_t kTextBytesMax = 254;

std::unexpected<EntityError> UnfitItem(std::string message) {
  return std::unexpected(EntityError{
      .kind = EntityErrorKind::kInvalid, .message = std::move(message), .item = {}, .cause = {}});
}

// The text, or the number as text; empty if there is neither.
std::string WordOf(const Item& item, std::string_view name) {
  const auto value = item.Find(name);
  if (!value) return {};
  if (value->type() == Type::kN) return value->N();
  return value->type() == Type::kS ? std::string(value->S()) : std::string();
}

EntityResult<void> CheckNames(const Item& item, std::initializer_list<std::string_view> known) {
  for (const auto& [name, value] : item) {
    if (std::ranges::find(known, name) == known.end()) {
      return UnfitItem(
          fmt::format("there is no attribute `{}`: there are {}", name, fmt::join(known, ", ")));
    }
    if (value.type() != Type::kS && value.type() != Type::kN) {
      return UnfitItem(fmt::format("`{}` is neither text nor a number", name));
    }
  }
  return {};
}

EntityResult<void> WriteCustomer(Entities& entities, const Item& item) {
  TRY_VOID(CheckNames(item, {"username", "email", "createdAt"}));
  TRY_VOID(Shop(entities).Register({.username = TextOf(item, "username"),
                                    .email = TextOf(item, "email"),
                                    .created_at = TextOf(item, "createdAt")}));
  return {};
}

EntityResult<NewOrder> OrderOf(const Item& item) {
  TRY_VOID(CheckNames(item, {"username", "orderId", "amount", "currency", "priority", "createdAt",
                             "status", "trackingNumber"}));
  NewOrder order{.customer = TextOf(item, "username"),
                 .order_id = TextOf(item, "orderId"),
                 .money = {.amount = WordOf(item, "amount")},
                 .created_at = TextOf(item, "createdAt")};
  if (item.Find("currency")) order.money.currency = TextOf(item, "currency");
  const std::string status = TextOf(item, "status");
  const bool is_shipped = status == "SHIPPED" || status == "DELIVERED";
  if (!is_shipped && !status.empty() && status != "OPEN") {
    return UnfitItem(
        fmt::format("there is no status {}: orders are {}", status, fmt::join(kStatuses, ", ")));
  }
  if (is_shipped != item.Find("trackingNumber").has_value()) {
    return UnfitItem("an order that was shipped has a `trackingNumber`, and no other has");
  }
  if (!item.Find("priority")) return order;
  const std::string word = WordOf(item, "priority");
  const bool is_rank = word.size() == 1 && word[0] >= '1' && word[0] <= '4';
  const auto priority =
      is_rank ? std::optional(static_cast<Priority>(word[0] - '0')) : PriorityOf(word);
  if (!priority) return UnfitItem("`priority` is one of highest, high, medium and low");
  order.priority = *priority;
  return order;
}

EntityResult<void> WriteOrder(Entities& entities, const Item& item) {
  TRY(const NewOrder order, OrderOf(item));
  Shop shop(entities);
  TRY_VOID(shop.Place(order));
  const std::string number = TextOf(item, "trackingNumber");
  if (number.empty()) return {};
  TRY_VOID(shop.Ship(order.order_id, number));
  if (TextOf(item, "status") == "DELIVERED") TRY_VOID(shop.Deliver(order.order_id));
  return {};
}

EntityResult<void> WriteTenantOrder(Entities& entities, const Item& item) {
  TRY_VOID(CheckNames(item, {"tenantId", "customerId", "orderId", "amount", "currency", "status"}));
  const std::string currency = TextOf(item, "currency");
  const auto money = ReadMoney(WordOf(item, "amount"), currency.empty() ? "USD" : currency);
  if (!money) return UnfitItem(money.error());
  const std::string status = TextOf(item, "status");
  if (!status.empty() && status != "OPEN" && status != "CLOSED") {
    return UnfitItem(
        fmt::format("there is no status {}: orders of tenants are OPEN, CLOSED", status));
  }
  Item order{{"amount", AttributeValue::Number(money->amount)}, {"currency", money->currency}};
  for (const char* name : {"tenantId", "customerId", "orderId"}) {
    TRY_VOID(CheckText(name, TextOf(item, name), kNameBytesMax));
    order.Set(name, TextOf(item, name));
  }
  TRY_VOID(entities.Create("TenantOrder", order));
  if (status == "CLOSED") TRY_VOID(entities.Move("TenantOrder", order, "close"));
  return {};
}

EntityResult<void> WriteOther(Entities& entities, std::string_view entity, const Item& item) {
  if (entity == "User") TRY_VOID(CheckNames(item, {"username", "email"}));
  if (entity == "OrgMember") TRY_VOID(CheckNames(item, {"username", "orgName"}));
  if (entity == "Access") TRY_VOID(CheckNames(item, {"username", "owner", "repo"}));
  for (const auto& [name, value] : item) {
    if (value.type() != Type::kS) return UnfitItem(fmt::format("`{}` is not text", name));
    TRY_VOID(CheckText(name, value.S(), kTextBytesMax));
  }
  TRY_VOID(entities.Create(entity, item));
  return {};
}

EntityResult<void> WriteOne(Entities& entities, std::string_view entity, const Item& item) {
  if (entity == "Customer") return WriteCustomer(entities, item);
  if (entity == "Order") return WriteOrder(entities, item);
  if (entity == "TenantOrder") return WriteTenantOrder(entities, item);
  return WriteOther(entities, entity, item);
}

// What a person calls the item by.
std::string NameOf(const Item& item) {
  for (const char* name : {"orderId", "username", "tenantId"}) {
    if (const std::string text = TextOf(item, name); !text.empty()) return text;
  }
  return "without a name";
}

}  // namespace

EntityResult<Written> WriteItems(Entities& entities, std::string_view entity,
                                 const std::vector<Item>& items) {
  Written written;
  for (const Item& item : items) {
    const auto done = WriteOne(entities, entity, item);
    if (done) {
      ++written.created;
      continue;
    }
    const auto note = [&](std::string_view what) {
      written.notes.push_back(fmt::format("{} {}: {}", entity, NameOf(item), what));
    };
    switch (done.error().kind) {
      case EntityErrorKind::kExists:
        ++written.present;
        break;
      case EntityErrorKind::kNotUnique:
        note(done.error().message + "; it stays as it is");
        break;
      case EntityErrorKind::kStore:
        return std::unexpected(done.error());
      default:
        ++written.unfit;
        note(done.error().message);
    }
  }
  return written;
}

}  // namespace stator::systems::orders
