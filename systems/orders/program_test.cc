// The program as people use it: what it prints, and its exit codes.
#include <filesystem>
#include <fstream>

#include "server/request_handler.h"
#include "server/server.h"
#include "tests/systems/system_fixture.h"

namespace stator::systems::orders {
namespace program_test {

class OrdersProgram : public testing::ProgramTest {
 protected:
  std::string Run(const std::string& arguments) {
    return RunSystem("--clock fixed:2026-03-02T08:00:00Z " + arguments);
  }
  std::string Shop(const std::string& arguments) {
    return Run("--data " + folder_ + "/data shop " + arguments);
  }
};

TEST_F(OrdersProgram, KeepsAShopFromOneCommandToTheNext) {
  Shop("register alice alice@example.com");
  EXPECT_EQ(status_, 0);
  Shop("place alice 550e8400 --amount 120.50 --currency EUR --priority high");
  EXPECT_EQ(status_, 0);
  EXPECT_EQ(Shop("place bob o2 --amount 1"),
            "orders: there is no customer bob: register bob first\n");
  EXPECT_EQ(status_, 1);
  EXPECT_EQ(Shop("place alice o2 --amount -5"),
            "orders: `-5` is no amount of USD: it is less than nothing; write it like 12.50\n");
  EXPECT_EQ(status_, 1);
  Shop("ship 550e8400 1Z999");
  EXPECT_EQ(status_, 0);
  for (const char* question :
       {"by-id 550e8400", "by-status SHIPPED", "of-customer alice", "by-tracking 1Z999"}) {
    const std::string answer = Shop(question);
    EXPECT_EQ(status_, 0) << question << answer;
    EXPECT_NE(answer.find("\"550e8400\""), std::string::npos) << question << answer;
  }
  Run("shop by-id 550e8400 --data " + folder_ + "/data");  // the place may stand behind, too
  EXPECT_EQ(status_, 0);
  EXPECT_EQ(Shop("by-id 00000000"), "orders: there is no order 00000000\n");
  EXPECT_EQ(status_, 1);
  EXPECT_EQ(Shop("by-status LOST"),
            "orders: there is no status LOST: orders are OPEN, SHIPPED, DELIVERED\n");
  EXPECT_EQ(status_, 1);
  EXPECT_EQ(Shop("of-customer nobody"), "orders: there is no customer nobody\n");
  EXPECT_EQ(status_, 1);
}

TEST_F(OrdersProgram, ShowsBothOrdersThatClaimATrackingNumber) {
  Shop("register alice alice@example.com");
  Shop("place alice o1 --amount 1");
  Shop("ship o1 T1");
  {
    const auto database = *Database::Open({.directory = folder_ + "/data"});
    const auto scanned = database->Scan({.table_name = "AppTable", .index_name = "GSI3"});
    ASSERT_TRUE(scanned && scanned->count == 1);
    Item other = Item::FromView((*scanned->items)[0]);
    other.Set("PK", "CUSTOMER#bob");
    other.Set("SK", "ORDER#o2");
    ASSERT_TRUE(database->PutItem({.table_name = "AppTable", .item = other}));
  }
  const std::string told = Shop("by-tracking T1");
  EXPECT_EQ(status_, 1);
  for (const char* text : {"CUSTOMER#alice", "CUSTOMER#bob", "2 orders claim to be the one"}) {
    EXPECT_NE(told.find(text), std::string::npos) << told;
  }
}

TEST_F(OrdersProgram, TeachesAndRefusesWhatItDoesNotKnow) {
  EXPECT_NE(Run("--help").find("orders decide"), std::string::npos);
  EXPECT_EQ(status_, 0);
  Run("strategy nonsense");
  EXPECT_EQ(status_, 2);
  Run("shop place alice");
  EXPECT_EQ(status_, 2);
  Run("shop by-id 1");
  EXPECT_EQ(status_, 2);
  Run("");
  EXPECT_EQ(status_, 2);
  Run("--prefix 'a b' --data " + folder_ + "/data shop customer x");
  EXPECT_EQ(status_, 2);
}

TEST_F(OrdersProgram, DecidesAndDraws) {
  const std::string decided = Run("decide");
  EXPECT_EQ(status_, 0);
  EXPECT_NE(decided.find("Satisfied by PK?"), std::string::npos);
  const std::string drawn = Run("chart --out " + folder_ + " --job shop");
  EXPECT_EQ(status_, 0) << drawn;
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/docs/specs/jobs/shop/entity-chart-gsi6.md"));
}

// On a server in memory.
class OrdersServed : public OrdersProgram {
 protected:
  std::string RunThere(const std::string& arguments) {
    return Run("--endpoint " + server_->url() + " " + arguments);
  }
  // Their names, joined.
  std::string TablesThere() {
    const auto tables = database_->ListTables({});
    std::string names;
    for (const std::string& name : tables->table_names) names += name + " ";
    return names;
  }

  std::unique_ptr<Database> database_ = *Database::Open({});
  server::DatabaseHandler handler_{*database_};
  std::unique_ptr<server::Server> server_ =
      *server::Server::Start({.port = 0, .threads = 2}, handler_);
};

TEST_F(OrdersServed, ExamplesLeaveTheShopAlone) {
  RunThere("shop register alice alice@example.com");
  RunThere("shop place alice 550e8400 --amount 1");
  const std::string before = RunThere("shop by-status OPEN");
  // The id of the examples' order is taken in the shop, which is no concern of theirs.
  const std::string told = RunThere("strategy all");
  EXPECT_EQ(status_, 0) << told;
  EXPECT_NE(told.find("deleted in the end"), std::string::npos) << told;
  RunThere("pattern all");
  EXPECT_EQ(status_, 0);
  RunThere("demo");
  EXPECT_EQ(status_, 0);
  EXPECT_EQ(RunThere("shop by-status OPEN"), before);
  EXPECT_EQ(TablesThere(), "AppTable ");
}

TEST_F(OrdersServed, ExamplesGoWhereTheyAreTold) {
  RunThere("shop register alice alice@example.com");
  RunThere("shop register somebody somebody@example.com");
  RunThere("shop place somebody 550e8400 --amount 1");
  RunThere("strategy lookup --table Mine");
  EXPECT_EQ(status_, 0);
  EXPECT_EQ(TablesThere(), "AppTable Mine ");
  // What is there stays, and what is taken stops nobody.
  const std::string told = RunThere("strategy all --table AppTable");
  EXPECT_EQ(status_, 0) << told;
  for (const char* text : {"1 there before", "! Order 550e8400", "Strategy 5"}) {
    EXPECT_NE(told.find(text), std::string::npos) << text << told;
  }
  EXPECT_NE(RunThere("shop by-id 550e8400").find("\"amount\":1,"), std::string::npos);
}

TEST_F(OrdersServed, ATableThatSomebodyElseMadeIsNoReasonForRawErrors) {
  CreateTableRequest request;
  request.table_name = "AppTable";
  request.attribute_definitions = {{{.attribute_name = "id", .attribute_type = ScalarType::kS}}};
  request.key_schema = {{{.attribute_name = "id", .key_type = KeyType::kHash}}};
  request.billing_mode = BillingMode::kPayPerRequest;
  ASSERT_TRUE(database_->CreateTable(request));
  for (const char* arguments :
       {"shop register alice alice@example.com", "shop place alice o1 --amount 1", "shop by-id o1",
        "shop by-tracking T1", "shop by-status OPEN", "shop of-customer alice",
        "shop customer alice", "strategy lookup --table AppTable"}) {
    const std::string told = RunThere(arguments);
    EXPECT_EQ(status_, 1) << arguments << told;
    EXPECT_EQ(told.find("Exception"), std::string::npos) << arguments << ": " << told;
    EXPECT_NE(told.find("orders: "), std::string::npos) << arguments << ": " << told;
  }
}

TEST_F(OrdersProgram, ExamplesTakeTheItemsOfAFile) {
  const std::string file = folder_ + "/mine.json";
  std::ofstream(file) << R"({"Customer": [{"username": "maria", "email": "maria@example.com"}],
    "Order": [{"username": "maria", "orderId": "X17", "amount": "12.50", "currency": "EUR"}]})";
  const std::string told = Run("strategy all --items " + file);
  EXPECT_EQ(status_, 0) << told;
  EXPECT_NE(told.find("12.50 EUR"), std::string::npos) << told;
  EXPECT_NE(Run("items").find("\"Customer\""), std::string::npos);
  Run("items > " + folder_ + "/printed.json");
  const std::string printed = Run("pattern all --items " + folder_ + "/printed.json");
  EXPECT_EQ(status_, 0) << printed;
  std::ofstream(file) << "{\"Order\": 7}";
  EXPECT_NE(Run("pattern time --items " + file).find("is not a list of objects"),
            std::string::npos);
  EXPECT_EQ(status_, 2);
  Run("strategy lookup --table 'no/name'");
  EXPECT_EQ(status_, 2);
}

TEST_F(OrdersProgram, PlaysEverythingInMemory) {
  const std::string told = Run("demo");
  EXPECT_EQ(status_, 0) << told;
  for (const char* part : {"Strategy 5", "Pattern 4", "5. the audit", "WRU"}) {
    EXPECT_NE(told.find(part), std::string::npos) << part;
  }
}

TEST_F(OrdersProgram, MigratesStepByStep) {
  const std::string options = "--data " + folder_ + "/data migrate --orders 200 --new-orders 50 ";
  for (int steps = 1; steps <= 5; ++steps) {
    const std::string told = Run(options + "--steps " + std::to_string(steps));
    EXPECT_EQ(status_, 0) << told;
  }
  EXPECT_NE(Run(options).find("the first 5 of 5 steps"), std::string::npos);
}

}  // namespace program_test
}  // namespace stator::systems::orders
