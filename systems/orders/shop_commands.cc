#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "systems/orders/commands.h"
#include "systems/orders/narrator.h"
#include "systems/orders/shop.h"
#include "systems/program/json_line.h"

namespace stator::systems::orders {
namespace {

struct ShopArguments {
  std::string first;
  std::string second;
  NewOrder order;
  std::string priority = "medium";
  std::int64_t limit = 25;
  std::string cursor;
};

using ShopCall = std::function<int(Shop& shop, const ShopArguments& arguments)>;

int Print(const EntityResult<Item>& item) {
  if (!item) return Fail(item.error().message);
  fmt::print("{}\n", JsonOfItem(item->view()));
  return kDone;
}

int Print(const EntityResult<std::optional<Item>>& item, const std::string& what) {
  if (!item) return Fail(item.error().message);
  if (!*item) return Fail("there is no " + what);
  fmt::print("{}\n", JsonOfItem((*item)->view()));
  return kDone;
}

int Print(const EntityResult<Page>& page) {
  if (!page) return Fail(page.error().message);
  for (const Item& item : page->items) fmt::print("{}\n", JsonOfItem(item.view()));
  if (page->cursor.empty()) return kDone;
  std::fflush(stdout);
  fmt::print(stderr, "more: --cursor {}\n", page->cursor);
  return kDone;
}

// The shop is open to whoever says where it is: an order in memory would be gone at once.
int RunShop(const ConnectionOptions& options, const ShopCall& call,
            const ShopArguments& arguments) {
  if (options.directory.empty() && options.endpoint.empty()) {
    return Fail("say where the tables are: --data DIR, or --endpoint URL", kUsage);
  }
  auto opened = Open(options);
  if (!opened) return Fail(opened.error());
  Shop shop(*opened->entities);
  return call(shop, arguments);
}

int PlaceOrder(Shop& shop, const ShopArguments& arguments) {
  NewOrder order = arguments.order;
  const auto priority = PriorityOf(arguments.priority);
  if (!priority) {
    return Fail("--priority is one of highest, high, medium and low", kUsage);
  }
  order.priority = *priority;
  order.customer = arguments.first;
  order.order_id = arguments.second;
  return Print(shop.Place(order));
}

class ShopCommands {
 public:
  ShopCommands(CLI::App& app, Action& action)
      : shop_(app.add_subcommand("shop", "The e-commerce example")), action_(action) {
    shop_->require_subcommand(1);
  }

  // Takes one or two arguments, named for the help.
  CLI::App* Add(const char* name, const char* help, const char* first, const char* second,
                ShopCall call) {
    auto* command = shop_->add_subcommand(name, help);
    command->add_option(first, arguments_->first)->required();
    if (second != nullptr) command->add_option(second, arguments_->second)->required();
    command->callback([this_action = &action_, arguments = arguments_, call] {
      *this_action = [arguments, call](const ConnectionOptions& options) {
        return RunShop(options, call, *arguments);
      };
    });
    return command;
  }

  ShopArguments& arguments() { return *arguments_; }

 private:
  CLI::App* shop_;
  Action& action_;
  std::shared_ptr<ShopArguments> arguments_ = std::make_shared<ShopArguments>();
};

void AddReads(ShopCommands& commands) {
  commands.Add("customer", "A customer, by name", "customer", nullptr,
               [](Shop& shop, const ShopArguments& given) {
                 return Print(shop.Customer(given.first), "customer " + given.first);
               });
  commands.Add("by-id", "An order by its id, through GSI1", "order", nullptr,
               [](Shop& shop, const ShopArguments& given) {
                 return Print(shop.WholeOrder(given.first), "order " + given.first);
               });
  commands.Add("by-tracking", "An order by its tracking number, through GSI3", "number", nullptr,
               [](Shop& shop, const ShopArguments& given) {
                 return Print(shop.ByTracking(given.first), "order with number " + given.first);
               });
  const auto page_of = [](const ShopArguments& given) {
    return PageOptions{.limit = given.limit, .cursor = given.cursor, .descending = {}};
  };
  auto* by_status = commands.Add("by-status", "Orders of a status, newest first, through GSI2",
                                 "status", nullptr, [=](Shop& shop, const ShopArguments& given) {
                                   return Print(shop.ByStatus(given.first, page_of(given)));
                                 });
  auto* of_customer =
      commands.Add("of-customer", "Orders of a customer, from the table", "customer", nullptr,
                   [=](Shop& shop, const ShopArguments& given) {
                     return Print(shop.OfCustomer(given.first, page_of(given)));
                   });
  for (CLI::App* command : {by_status, of_customer}) {
    command->add_option("--limit", commands.arguments().limit, "Orders at most; default: 25")
        ->check(CLI::Range(1, 1000));
    command->add_option("--cursor", commands.arguments().cursor, "Where the last page ended");
  }
}

}  // namespace

void AddShopCommands(CLI::App& app, Action& action) {
  ShopCommands commands(app, action);
  commands.Add("register", "A new customer", "customer", "email",
               [](Shop& shop, const ShopArguments& given) {
                 return Print(shop.Register(given.first, given.second));
               });
  auto* place = commands.Add("place", "A new order", "customer", "order", PlaceOrder);
  place->add_option("--amount", commands.arguments().order.amount, "What it costs");
  place->add_option("--priority", commands.arguments().priority, "highest, high, medium or low");
  commands.Add("ship", "Ships an open order", "order", "number",
               [](Shop& shop, const ShopArguments& given) {
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
  AddReads(commands);
}

}  // namespace stator::systems::orders
