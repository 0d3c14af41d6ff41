#include "systems/orders/example_items.h"

#include <gtest/gtest.h>

#include <sstream>

#include "systems/orders/example.h"
#include "tests/systems/orders_fixture.h"

namespace stator::systems::orders {
namespace example_items_test {

using testing::BuiltIn;
using testing::Text;
using Texts = std::vector<std::string>;

class OwnItems : public testing::OrdersWorld {
 protected:
  // Runs all examples on the items; returns what was told.
  std::string Tell(const ExampleItems& items) {
    std::ostringstream out;
    Narrator narrator(world_.entities(), items, out);
    for (const auto examples : {Strategies(), Patterns()}) {
      for (const Example& example : examples) {
        const auto ran = RunExample(example, narrator);
        EXPECT_TRUE(ran) << example.name << ": " << ran.error().message;
      }
    }
    unfit_ = narrator.unfit();
    return out.str();
  }
  static ExampleItems Read(std::string_view json, const Questions& given = {}) {
    auto items = ReadExampleItems(json);
    EXPECT_TRUE(items) << (items ? "" : items.error());
    const auto asked = orders::Ask(given, *items);
    EXPECT_TRUE(asked) << (asked ? "" : asked.error());
    return *std::move(items);
  }

  int unfit_ = 0;
};

bool Says(const std::string& told, std::string_view text) {
  return told.find(text) != std::string::npos;
}

constexpr std::string_view kMine = R"({
  "Customer": [{"username": "mária", "email": "Maria@Example.com"}],
  "Order": [
    {"username": "mária", "orderId": "X17", "amount": "12.505", "currency": "KWD", "priority": "highest"},
    {"username": "mária", "orderId": "X18", "amount": 0.1, "createdAt": "2025-06-30T23:30:00+02:00",
     "status": "DELIVERED", "trackingNumber": "P1"}],
  "User": [{"username": "u1", "email": "u1@example.com"}],
  "OrgMember": [{"username": "u1", "orgName": "mine"}],
  "Access": [{"username": "u1", "owner": "mine", "repo": "tools"}],
  "TenantOrder": [{"tenantId": "t9", "customerId": "k", "orderId": "X17", "amount": "1", "status": "CLOSED"}],
  "ask": {"status": "DELIVERED", "priority": "medium"}
})";

TEST_F(OwnItems, AllExamplesWorkOnThem) {
  const std::string told = Tell(Read(kMine));
  EXPECT_EQ(unfit_, 0) << told;
  for (const char* text : {"X17", "12.505 KWD", "0.10 USD", "EXAMPLE-X17", "mine", "tools",
                           "USER#u1", "u1@example.com", "TENANT#t9#CUSTOMER#k",
                           "2025-06-30T21:30:00Z#ORDER#X18", "DELIVERED#3#X18"}) {
    EXPECT_TRUE(Says(told, text)) << text << "\n" << told;
  }
  EXPECT_FALSE(Says(told, "alice")) << told;
  EXPECT_FALSE(Says(told, "?!")) << told;
  EXPECT_EQ(world_.Audit(), "");
  // Shipped and lost on the way, the order is as it was.
  EXPECT_EQ(Text(shop_.ById("X17")->front(), "status"), "OPEN");
}

TEST_F(OwnItems, AnIdThatIsTakenIsToldAndTheRestGoesOn) {
  // In the table there is an order of another customer with an id of the examples', and a customer
  // with the email of another.
  Place("somebody", "550e8400");
  ASSERT_TRUE(shop_.Register({.username = "robert", .email = "bob@example.com"}));
  const std::string told = Tell(BuiltIn());
  EXPECT_TRUE(Says(told, "! Order 550e8400: another customer has an order 550e8400 already"))
      << told;
  EXPECT_TRUE(Says(told, "! Customer bob: another customer has the email bob@example.com")) << told;
  EXPECT_TRUE(Says(told, "Pattern 4")) << told;
  EXPECT_EQ(Text(shop_.ById("550e8400")->front(), "username"), "somebody");
  // bob's orders have no customer.
  EXPECT_EQ(unfit_, 2) << told;
}

TEST_F(OwnItems, WhatIsThereStaysAsItIs) {
  Tell(Read(kMine));
  const std::string told =
      Tell(Read(R"({"Customer": [{"username": "mária", "email": "other@example.com"}],
                    "Order": [{"username": "mária", "orderId": "X17", "amount": "1"}]})"));
  EXPECT_TRUE(Says(told, "0 of 1 Order items written; 1 there before, left as they are")) << told;
  EXPECT_TRUE(Says(told, "the items have no Access: nothing to show")) << told;
  EXPECT_EQ(Text(shop_.ById("X17")->front(), "amount"), "12.505");
}

TEST_F(OwnItems, AnItemThatIsWrongIsNamedAndLeftOut) {
  const std::string told = Tell(Read(R"({
    "Customer": [{"username": "a", "email": "nowhere"}, {"username": "b", "email": "b@example.com", "age": 7},
                 {"username": "c", "email": "c@example.com"}],
    "Order": [{"username": "c", "orderId": "o1", "amount": "-1"},
              {"username": "c", "orderId": "o2", "amount": "1.005"},
              {"username": "c", "orderId": "o3", "amount": "1", "status": "SHIPPED"},
              {"username": "c", "orderId": "o4", "amount": "1", "status": "GONE"},
              {"username": "c", "orderId": "o5", "amount": "1", "createdAt": "yesterday"},
              {"username": "nobody", "orderId": "o6", "amount": "1"},
              {"username": "c", "orderId": "o7", "amount": [1]},
              {"username": "c", "orderId": "o8", "amount": "1", "priority": 9},
              {"username": "c", "orderId": "o9", "amount": "1"}]})"));
  for (const char* note :
       {"! Customer a: `nowhere` is no email", "! Customer b: there is no attribute `age`",
        "! Order o1: `-1` is no amount of USD: it is less than nothing",
        "! Order o2: `1.005` is no amount of USD: USD has 2 places at most",
        "! Order o3: an order that was shipped has a `trackingNumber`",
        "! Order o4: there is no status GONE: orders are OPEN, SHIPPED, DELIVERED",
        "! Order o5: `yesterday` is no time", "! Order o6: there is no customer nobody",
        "! Order o7: `amount` is neither text nor a number",
        "! Order o8: `priority` is one of highest, high, medium and low"}) {
    EXPECT_TRUE(Says(told, note)) << note << "\n" << told;
  }
  EXPECT_EQ(unfit_, 10);
  EXPECT_TRUE(Says(told, "1 of 9 Order items written")) << told;
}

TEST_F(OwnItems, OptionsNameItemsOfTheirOwn) {
  ExampleItems items = BuiltIn();
  const Questions given{.customer = "maria",
                        .order = "X17",
                        .amount = "5",
                        .currency = "JPY",
                        .tracking = "P7",
                        .user = "zoe",
                        .repo = "zoe/site",
                        .email = "zoe@example.com",
                        .org = "zoo",
                        .tenant = "z"};
  ASSERT_TRUE(orders::Ask(given, items));
  const std::string told = Tell(items);
  EXPECT_EQ(unfit_, 0) << told;
  for (const char* text :
       {"X17", "5 JPY", "P7", "zoe", "site", "the members of zoo: 1",
        "customer with the same email: CUSTOMER#maria", "TENANT#z#CUSTOMER#maria"}) {
    EXPECT_TRUE(Says(told, text)) << text << "\n" << told;
  }
}

TEST_F(OwnItems, WhatIsAskedForWithoutSenseIsRefused) {
  const auto refusal = [](const Questions& given) {
    ExampleItems items = BuiltIn();
    const auto asked = orders::Ask(given, items);
    return asked ? std::string() : asked.error();
  };
  EXPECT_EQ(refusal({.amount = "5"}), "--amount and --currency are of an order: say --order too");
  EXPECT_EQ(refusal({.repo = "tools"}), "--repo is OWNER/NAME");
  EXPECT_EQ(refusal({.status = "LOST"}),
            "there is no status LOST: orders are OPEN, SHIPPED, DELIVERED");
  EXPECT_TRUE(refusal({.priority = "urgent"}).starts_with("there is no priority urgent"));
  EXPECT_EQ(refusal({.from = "2026-02-01"}), "--from and --to belong together");
  EXPECT_EQ(refusal({.from = "2026-03-01", .to = "2026-02-01"}), "--from comes before --to");
  EXPECT_TRUE(refusal({.from = "2026-02-30", .to = "2026-03-01"}).starts_with("--from is a day"));
}

TEST_F(OwnItems, AFileThatIsWrongIsRefused) {
  const auto refusal = [](std::string_view json) {
    const auto items = ReadExampleItems(json);
    return items ? std::string() : items.error();
  };
  EXPECT_TRUE(refusal("").starts_with("it is not JSON"));
  EXPECT_EQ(refusal("[]"), "it is not a JSON object");
  EXPECT_TRUE(refusal(R"({"Orders": []})").starts_with("there are no items called \"Orders\""));
  EXPECT_EQ(refusal(R"({"Order": {}})"), "\"Order\" is not a list of objects");
  EXPECT_EQ(refusal(R"({"Order": [{}, 7]})"), "Order 2 is not an object");
  EXPECT_TRUE(refusal(R"({"ask": {"colour": "red"}})").starts_with("nobody asks for \"colour\""));
  EXPECT_EQ(refusal(R"({"ask": {"order": 7}})"), "\"order\" of \"ask\" is not text in quotes");
}

TEST_F(OwnItems, NoItemsAtAllShowNothingAndDoNoHarm) {
  const std::string told = Tell(Read("{}"));
  EXPECT_TRUE(Says(told, "the items have no Order: nothing to show")) << told;
  EXPECT_TRUE(Says(told, "the items have no TenantOrder: nothing to show")) << told;
}

}  // namespace example_items_test
}  // namespace stator::systems::orders
