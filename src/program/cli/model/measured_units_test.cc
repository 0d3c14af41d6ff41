#include "cli/model/measured_units.h"

#include <gtest/gtest.h>

namespace stator::cli {
namespace measured_units_test {

TEST(MeasuredUnits, AreReadFromAPageOfMetrics) {
  const MeasuredByPlace measured = ParseMeasuredUnits(
      "# HELP stator_consumed_units_total Units.\n"
      "stator_tables 3\n"
      "stator_consumed_units_total{table=\"Calls\",index=\"\",kind=\"read\"} 0.5\n"
      "stator_consumed_units_total{table=\"Calls\",index=\"\",kind=\"write\"} 12\n"
      "stator_consumed_units_total{table=\"Calls\",index=\"byCallId\",kind=\"write\"} 4\n"
      "stator_consumed_units_total{broken\n");
  ASSERT_EQ(measured.size(), 2U);
  EXPECT_EQ(measured.at({"Calls", ""}).reads, 0.5);
  EXPECT_EQ(measured.at({"Calls", ""}).writes, 12);
  EXPECT_EQ(measured.at({"Calls", "byCallId"}).writes, 4);
}

}  // namespace measured_units_test
}  // namespace stator::cli
