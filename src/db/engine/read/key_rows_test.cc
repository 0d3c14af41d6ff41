#include "engine/read/key_rows.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "engine/catalog/row_key.h"

namespace stator {
namespace key_rows_test {

TEST(KeyRows, AreExactlyTheRowsThatSatisfyTheClause) {
  Table table;
  table.number = 1;
  table.keys = {.hash = {{"pk", ScalarType::kS}}, .range = {{"sk", ScalarType::kB}}};
  const KeyHasher hasher(std::array<char, KeyHasher::kSecretBytes>{});
  EXPECT_TRUE(rc::check([&](const std::string& a, const std::string& b, const std::string& c) {
    RC_PRE(!a.empty() && !b.empty() && !c.empty());
    const Item item{{"pk", "p"}, {"sk", AttributeValue::Binary(a)}};
    const std::string row = ItemRowKey(hasher, table, item.view());
    for (KeyOperator op : {KeyOperator::kEq, KeyOperator::kLt, KeyOperator::kLe, KeyOperator::kGt,
                           KeyOperator::kGe, KeyOperator::kBetween, KeyOperator::kBeginsWith}) {
      const KeyClause hash{.attribute = "pk", .value = "p"};
      const KeyClause range{.attribute = "sk",
                            .op = op,
                            .value = AttributeValue::Binary(std::min(b, c)),
                            .upper = AttributeValue::Binary(std::max(b, c))};
      const KeyRange rows = RowsOf(hasher, table, nullptr, {.hash = {&hash}, .range = {&range}});
      RC_ASSERT((rows.begin <= row && row < rows.end) == Satisfies(range, item.view()));
    }
  }));
}

}  // namespace key_rows_test
}  // namespace stator
