#include "systems/orders/charts.h"

#include <gtest/gtest.h>

#include "tests/systems/orders_world.h"

namespace stator::systems::orders {
namespace charts_test {

class Charts : public ::testing::Test {
 protected:
  Charts() {
    std::string path = (std::filesystem::temp_directory_path() / "orders-XXXXXX").string();
    folder_ = ::mkdtemp(path.data());
  }
  ~Charts() override { std::filesystem::remove_all(folder_); }

  std::string Chart(const std::string& name) const {
    std::ifstream file(folder_ / "docs/specs/jobs/shop" / name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  std::filesystem::path folder_;
};

TEST_F(Charts, S2_14_EveryIndexHasItsChartInTheFolderOfTheJob) {
  const auto written = WriteCharts(*Model::Parse(ModelText()), folder_, "shop");
  ASSERT_TRUE(written) << written.error();
  EXPECT_EQ(written->size(), 7U);
  for (int i = 1; i <= 6; ++i) {
    EXPECT_NE(Chart("entity-chart-gsi" + std::to_string(i) + ".md"), "") << i;
  }
}

TEST_F(Charts, S2_14_TheMainChartHasTheKeysOfAllIndexesAndThoseOfAnIndexItsPatterns) {
  ASSERT_TRUE(WriteCharts(*Model::Parse(ModelText()), folder_, "shop"));
  const std::string main = Chart("entity-chart.md");
  for (const char* text : {"GSI1PK", "GSI2SK", "CUSTOMER#<username>", "EMAIL#<email>",
                           "ORDER#<orderId>", "Satisfied by PK?"}) {
    EXPECT_NE(main.find(text), std::string::npos) << text;
  }
  const std::string first = Chart("entity-chart-gsi1.md");
  for (const char* text : {"Access Pattern", "EMAIL#<email>", "order_by_id"}) {
    EXPECT_NE(first.find(text), std::string::npos) << text << "\n" << first;
  }
  EXPECT_EQ(first.find("GSI2PK"), std::string::npos);
}

TEST_F(Charts, AJobCannotLeaveItsFolder) {
  for (const char* job : {"", "..", ".hidden", "a/b", "../up", "a\nb"}) {
    EXPECT_FALSE(WriteCharts(*Model::Parse(ModelText()), folder_, job)) << job;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace charts_test
}  // namespace stator::systems::orders
