#include "systems/orders/money.h"

#include <gtest/gtest.h>

namespace stator::systems::orders {
namespace money_test {

std::string Read(std::string_view amount, std::string_view currency = "USD") {
  const auto money = ReadMoney(amount, currency);
  return money ? money->amount : "refused";
}

TEST(MoneyTest, AnAmountHasThePlacesOfItsCurrency) {
  EXPECT_EQ(Read("12"), "12.00");
  EXPECT_EQ(Read("12.5"), "12.50");
  EXPECT_EQ(Read("12.50"), "12.50");
  EXPECT_EQ(Read("1250", "JPY"), "1250");
  EXPECT_EQ(Read("12.505", "KWD"), "12.505");
  EXPECT_EQ(Read("0.0001", "CLF"), "0.0001");
  EXPECT_EQ(Read("0"), "0.00");
  EXPECT_EQ(Read("007.10"), "7.10");
}

TEST(MoneyTest, NothingIsRoundedAway) {
  EXPECT_EQ(Read("12.505"), "refused");
  EXPECT_EQ(Read("12.500"), "refused");  // twelve thousand five hundred, somewhere
  EXPECT_EQ(Read("12.5", "JPY"), "refused");
  EXPECT_EQ(Read("12.5055", "KWD"), "refused");
  EXPECT_EQ(Read("999999999999.99"), "999999999999.99");
  EXPECT_EQ(Read("1000000000000"), "refused");
}

TEST(MoneyTest, WhatIsNoAmountIsRefused) {
  for (const char* amount : {"", "-1", "+1", "-0", ".", ".5", "5.", "1,50", "1e3", "1 000", " 1",
                             "1\n", "0x10", "NaN", "Infinity", "1.2.3", "١٢", "１２"}) {
    EXPECT_EQ(Read(amount), "refused") << amount;
  }
}

TEST(MoneyTest, ACurrencyIsOneOfIso4217) {
  EXPECT_EQ(PlacesOf("SEK"), 2);
  EXPECT_EQ(PlacesOf("ISK"), 0);
  EXPECT_EQ(PlacesOf("TND"), 3);
  for (const char* code : {"", "US", "usd", "XXX", "USDX", "D A", "   "}) {
    EXPECT_FALSE(PlacesOf(code)) << code;
  }
  EXPECT_EQ(ReadMoney("1", "usd").error(),
            "`usd` is no currency: its code has three capital letters, as USD, EUR or JPY");
}

TEST(MoneyTest, AnAmountThatOthersWroteIsShownAsItIs) {
  const auto text = [](const Item& item) { return MoneyText(item.view()); };
  EXPECT_EQ(text(Item{{"amount", AttributeValue::Number("12.5")}, {"currency", "EUR"}}),
            "12.50 EUR");
  EXPECT_EQ(text(Item{{"amount", AttributeValue::Number("-3.14159")}, {"currency", "EUR"}}),
            "-3.14159 EUR");
  EXPECT_EQ(text(Item{{"amount", 120}}), "120");
  EXPECT_EQ(text(Item{{"amount", "12"}}), "-");
  EXPECT_EQ(text(Item{}), "-");
}

}  // namespace money_test
}  // namespace stator::systems::orders
