#include <fmt/format.h>

#include <functional>

#include "systems/orders/commands.h"
#include "systems/orders/shop.h"
#include "systems/program/items.h"
#include "systems/program/output.h"

namespace stator::systems::orders {
namespace {

struct ShopArguments {
  std::string first;
  std::string second;
  Money money{.amount = {}};
  std::string priority = "medium";
  std::int64_t limit = 25;
  std::string cursor;

  PageOptions page() const { return {.limit = limit, .cursor = cursor, .descending = {}}; }
};

int FailWith(const EntityError& error) { return Fail(Explained(error)); }

int Print(const EntityResult<Item>& item) {
  if (!item) return FailWith(item.error());
  fmt::print("{}\n", JsonOfItem(item->view()));
  return kDone;
}

// What claims an id or a number: one order. Two are both shown, and are a failure.
int PrintOne(const EntityResult<std::vector<Item>>& items, const std::string& what) {
  if (!items) return FailWith(items.error());
  if (items->empty()) return Fail("there is no order " + what);
  for (const Item& item : *items) fmt::print("{}\n", JsonOfItem(item.view()));
  if (items->size() == 1) return kDone;
  return Fail(
      fmt::format("{} orders claim to be the one {}: the program refuses to write that, so "
                  "it was written by others",
                  items->size(), what));
}

int Print(const EntityResult<Page>& page) {
  if (!page) return FailWith(page.error());
  for (const Item& item : page->items) fmt::print("{}\n", JsonOfItem(item.view()));
  PrintCursor(page->cursor);
  return kDone;
}

int PrintCustomer(Shop& shop, const ShopArguments& given) {
  const auto customer = shop.Customer(given.first);
  if (!customer) return FailWith(customer.error());
  if (!*customer) return Fail("there is no customer " + given.first);
  fmt::print("{}\n", JsonOfItem((*customer)->view()));
  return kDone;
}

int PrintOrdersOf(Shop& shop, const ShopArguments& given) {
  const auto page = shop.OfCustomer(given.first, given.page());
  if (page && page->items.empty() && given.cursor.empty()) {
    // A name that is wrong looks like a customer who has ordered nothing.
    const auto customer = shop.Customer(given.first);
    if (customer && !*customer) return Fail("there is no customer " + given.first);
  }
  return Print(page);
}

int PlaceOrder(Shop& shop, const ShopArguments& given) {
  const auto priority = PriorityOf(given.priority);
  if (!priority) return Fail("--priority is one of highest, high, medium and low", kMisused);
  return Print(shop.Place({.customer = given.first,
                           .order_id = given.second,
                           .money = given.money,
                           .priority = *priority,
                           .created_at = {}}));
}

// The commands below `shop`. They need a place: an order in memory would be gone at once.
class ShopCommands {
 public:
  using Work = std::function<int(Shop& shop, const ShopArguments& given)>;

  explicit ShopCommands(Program& program)
      : shop_(program.AddCommand("shop", "The e-commerce example")),
        given_(shop_.Keep<ShopArguments>()) {}

  // Takes one or two arguments, named for --help.
  Command& Add(const char* name, const char* help, const char* first, const char* second,
               Work work) {
    Command& command = shop_.AddCommand(name, help);
    command.AddArgument(first, &given_.first, "");
    if (second != nullptr) command.AddArgument(second, &given_.second, "");
    command.RunOnTables([&given = given_, work = std::move(work)](Tables& tables) {
      Shop shop(tables.entities());
      return work(shop, given);
    });
    return command;
  }

  void AddPaged(const char* name, const char* help, const char* first, Work work) {
    Command& command = Add(name, help, first, nullptr, std::move(work));
    command.AddOption("--limit", &given_.limit, "Orders per page").Range(1, 1000);
    command.AddOption("--cursor", &given_.cursor, "Where the page before ended");
  }

  ShopArguments& given() { return given_; }

 private:
  Command& shop_;
  ShopArguments& given_;
};

void AddShopWrites(ShopCommands& commands) {
  commands.Add("register", "A new customer", "customer", "email",
               [](Shop& shop, const ShopArguments& given) {
                 return Print(shop.Register(
                     {.username = given.first, .email = given.second, .created_at = {}}));
               });
  Command& place =
      commands.Add("place", "A new order of a customer", "customer", "order", PlaceOrder);
  place
      .AddOption("--amount", &commands.given().money.amount,
                 "What it costs, exactly, with the places of the currency: 12.50")
      .Type("AMOUNT")
      .Required();
  place.AddOption("--currency", &commands.given().money.currency, "Its code: USD, EUR, JPY, KWD …")
      .Type("CODE");
  place.AddOption("--priority", &commands.given().priority, "highest, high, medium or low");
  commands.Add("ship", "Ships an open order under a number that no other order has", "order",
               "number", [](Shop& shop, const ShopArguments& given) {
                 return Print(shop.Ship(given.first, given.second));
               });
  commands.Add(
      "deliver", "Delivers a shipped order", "order", nullptr,
      [](Shop& shop, const ShopArguments& given) { return Print(shop.Deliver(given.first)); });
  commands.Add(
      "lose", "The parcel is lost: the order is open again", "order", nullptr,
      [](Shop& shop, const ShopArguments& given) { return Print(shop.Lose(given.first)); });
  commands.Add(
      "cancel", "Deletes an open order", "order", nullptr,
      [](Shop& shop, const ShopArguments& given) { return Print(shop.Cancel(given.first)); });
}

void AddShopReads(ShopCommands& commands) {
  commands.Add("customer", "A customer, by name", "customer", nullptr, PrintCustomer);
  commands.Add("by-id", "The order with an id, through GSI1", "order", nullptr,
               [](Shop& shop, const ShopArguments& given) {
                 return PrintOne(shop.ById(given.first), given.first);
               });
  commands.Add("by-tracking", "The order with a tracking number, through GSI3", "number", nullptr,
               [](Shop& shop, const ShopArguments& given) {
                 return PrintOne(shop.ByTracking(given.first), "with number " + given.first);
               });
  commands.AddPaged("by-status", "Orders of a status, newest first, through GSI2", "status",
                    [](Shop& shop, const ShopArguments& given) {
                      return Print(shop.ByStatus(given.first, given.page()));
                    });
  commands.AddPaged("of-customer", "Orders of a customer, from the table", "customer",
                    PrintOrdersOf);
}

}  // namespace

void AddShopCommands(Program& program) {
  ShopCommands commands(program);
  AddShopWrites(commands);
  AddShopReads(commands);
}

}  // namespace stator::systems::orders
