// The items that the examples work with and the values they ask for: those built in, or a person's
// own, from a JSON file or from options.
//
//   {"Customer": [{"username": "maria", "email": "maria@example.com"}],
//    "Order": [{"username": "maria", "orderId": "X17", "amount": "12.50", "currency": "EUR",
//               "status": "SHIPPED", "trackingNumber": "1Z1"}],
//    "ask": {"order": "X17", "status": "SHIPPED"}}
//
// The names are the model's. What an order or a tenant's order is created with is its state in the
// end: it goes there move by move.
#ifndef STATOR_SYSTEMS_ORDERS_EXAMPLE_ITEMS_H_
#define STATOR_SYSTEMS_ORDERS_EXAMPLE_ITEMS_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "stator/entity.h"
#include "systems/program/fallible.h"

namespace stator::systems::orders {

// What the examples ask for. Empty: the first one that there is among the items.
struct Questions {
  std::string customer;
  std::string order;
  std::string amount;
  std::string currency;
  std::string priority;  // highest, high, medium or low
  std::string status;
  std::string tracking;  // the number under which `order` is shipped
  std::string user;
  std::string repo;  // OWNER/NAME
  std::string email;
  std::string org;
  std::string tenant;
  std::string from;  // a day or a time
  std::string to;    // the first one that is not wanted
};

struct ExampleItems {
  std::map<std::string, std::vector<Item>, std::less<>> of;  // by entity
  Questions ask;
};

// examples.json of this folder, as text.
std::string_view BuiltInItems();

// The error names the entity and the number of the item that is wrong.
Fallible<ExampleItems> ReadExampleItems(std::string_view json);

// Takes the values that are given, and adds the items they name unless they are there: `--order X17
// --customer maria` is an order of maria's. Then fills in what nobody has said.
Fallible<void> Ask(const Questions& given, ExampleItems& items);

struct Written {
  int created = 0;
  int present = 0;                 // before
  int unfit = 0;                   // not written, because something is wrong with them
  std::vector<std::string> notes;  // on those whose id is taken, and on the unfit
};

// Writes the items of one entity, each unless it is there. An id that is taken stays with the item
// that has it. Fails only if the table cannot be written.
EntityResult<Written> WriteItems(Entities& entities, std::string_view entity,
                                 const std::vector<Item>& items);

}  // namespace stator::systems::orders

#endif  // STATOR_SYSTEMS_ORDERS_EXAMPLE_ITEMS_H_
