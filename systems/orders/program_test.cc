// The program as people use it: what it prints, and its exit codes.
#include <filesystem>

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
  Shop("place alice 550e8400 --amount 120 --priority high");
  EXPECT_EQ(status_, 0);
  Shop("place bob 550e8400");
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
}

TEST_F(OrdersProgram, DecidesAndDraws) {
  const std::string decided = Run("decide");
  EXPECT_EQ(status_, 0);
  EXPECT_NE(decided.find("Satisfied by PK?"), std::string::npos);
  const std::string drawn = Run("chart --out " + folder_ + " --job shop");
  EXPECT_EQ(status_, 0) << drawn;
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/docs/specs/jobs/shop/entity-chart-gsi6.md"));
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
