// Amounts of money, exact: decimal text in, decimal text out, never a binary fraction in between.
//
// An amount has at most as many places as its currency: 12.5 or 12.50 USD, 1250 JPY, 12.505 KWD.
#ifndef STATOR_SYSTEMS_ORDERS_MONEY_H_
#define STATOR_SYSTEMS_ORDERS_MONEY_H_

#include <optional>
#include <string>
#include <string_view>

#include "stator/item.h"
#include "systems/program/fallible.h"

namespace stator::systems::orders {

// Of the currency with this ISO 4217 code: 2 for USD, 0 for JPY, 3 for KWD. nullopt if there is no
// such currency, which includes codes in lower case.
std::optional<int> PlacesOf(std::string_view currency);

struct Money {
  std::string amount = "0";  // digits, or digits '.' digits; as many places as the currency has
  std::string currency = "USD";

  friend bool operator==(const Money&, const Money&) = default;
};

// Reads "12", "12.5" or "12.50": at most 12 digits before the point, no sign, no exponent, no
// separator of thousands. The error says what is wrong and what would be right.
Fallible<Money> ReadMoney(std::string_view amount, std::string_view currency);

// "12.50 USD", from the attributes `amount` and `currency`. What others wrote is shown as it is, and
// an item without an amount as "-".
std::string MoneyText(ItemView item);

}  // namespace stator::systems::orders

#endif  // STATOR_SYSTEMS_ORDERS_MONEY_H_
