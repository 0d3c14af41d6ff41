#include "engine/read/read_path.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>

#include "base/clock.h"
#include "engine/catalog/row_key.h"
#include "engine/engine.h"
#include "engine/store_access.h"
#include "value/size.h"
#include "value/testing/arbitrary.h"

namespace stator {
namespace read_path_test {

AttributeValue Nulls(std::size_t count) {
  return AttributeValue::List(std::vector<AttributeValue>(count));
}

TEST(PageBytes, NoItemCountsMoreThanTheBoundForItsEncoding) {
  EXPECT_TRUE(rc::check([] {
    const Item item(testing::DrawAttributes());
    RC_ASSERT(ItemSizeBytes(item.view()) <= kMaxSizePerEncodedByte * item.encoded().size());
  }));
  const Item worst{{"n", Nulls(100'000)}};
  EXPECT_GT(ItemSizeBytes(worst.view()), worst.encoded().size());
  EXPECT_LE(ItemSizeBytes(worst.view()), kMaxSizePerEncodedByte * worst.encoded().size());
}

class PageTest : public ::testing::Test {
 protected:
  // Rows 0, 1, 2 … with these items.
  void Fill(const std::vector<Item>& items) {
    RawRows rows;
    for (std::size_t i = 0; i < items.size(); ++i) {
      rows.emplace_back(fmt::format("{}{:06}", kRowSpace, i), items[i].encoded());
    }
    std::unique_ptr<Store> store = OpenMemoryStore();
    ASSERT_TRUE(WriteRawRows(*store, std::move(rows)));
    Result<std::unique_ptr<Engine>> opened =
        Engine::Open(std::move(store), {"eu-west-1", "1", &clock_});
    ASSERT_TRUE(opened) << opened.error().message();
    engine_ = *std::move(opened);
  }

  PagePlan Plan() const {
    const auto table = std::make_shared<Table>();
    table->keys.hash = {{"pk", ScalarType::kN}};
    return {.table = table, .rows = {{kRowSpace}, {kRowSpace + 1}}};
  }

  ItemPage Read(const PagePlan& plan) {
    Result<ItemPage> page = engine_->ReadPage(plan);
    EXPECT_TRUE(page.has_value());
    return page ? *std::move(page) : ItemPage();
  }

  SystemClock clock_;
  std::unique_ptr<Engine> engine_;
};

// An item of exactly this many counted bytes.
Item SizedItem(int pk, std::size_t bytes) {
  Item item{{"pk", pk}, {"v", ""}};
  item.Set("v", std::string(bytes - ItemSizeBytes(item.view()), 'x'));
  return item;
}

TEST_F(PageTest, EndsWithTheEntryThatReachesOneMegabyteAndNotAByteEarlier) {
  for (const std::size_t missing : {0U, 1U}) {
    std::vector<Item> items;
    for (int i = 0; i < 16; ++i) items.push_back(SizedItem(i, kPageBytes / 16));
    items[7] = SizedItem(7, kPageBytes / 16 - missing);
    items.push_back(SizedItem(16, 100));
    items.push_back(SizedItem(17, 100));
    Fill(items);
    EXPECT_EQ(Read(Plan()).scanned_count, 16 + static_cast<int>(missing));
  }
}

TEST_F(PageTest, EndsAtTheSameEntryHoweverItsBytesAreCounted) {
  std::vector<Item> items;
  for (int i = 0; i < 400; ++i) {
    Item item = SizedItem(i, 100 + static_cast<std::size_t>(i) * 37 % 5000);
    if (i % 3 == 0) item.Set("n", Nulls(static_cast<std::size_t>(i) * 10));
    items.push_back(std::move(item));
  }
  Fill(items);
  PagePlan counted = Plan();
  counted.count_bytes = true;
  PagePlan selected = counted;  // counts every row as it comes
  selected.count_only = true;
  const ItemPage page = Read(Plan());
  ASSERT_TRUE(page.last_evaluated_key.has_value());
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < page.items.size(); ++i) {
    EXPECT_LT(bytes, kPageBytes);
    bytes += ItemSizeBytes(page.items[i]);
  }
  EXPECT_GE(bytes, kPageBytes);
  for (const PagePlan& plan : {counted, selected}) {
    const ItemPage other = Read(plan);
    EXPECT_EQ(other.last_evaluated_key, page.last_evaluated_key);
    EXPECT_EQ(other.evaluated_bytes, bytes);
  }
}

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

}  // namespace read_path_test
}  // namespace stator
