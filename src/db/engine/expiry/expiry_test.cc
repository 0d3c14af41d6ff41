#include "engine/expiry/expiry.h"

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "engine/catalog/row_key.h"
#include "engine/engine.h"
#include "engine/testing/engine_writes.h"

namespace stator {
namespace expiry_test {

constexpr std::int64_t kNow = 1'800'000'000;

TEST(ExpirySecond, OnlyNumbersThatCanBeATimeCount) {
  const auto second = [](AttributeValue value) {
    return ExpirySecond("ttl", Item{{"pk", "a"}, {"ttl", std::move(value)}}.view());
  };
  EXPECT_EQ(second(1'700'000'000), 1'700'000'000);
  EXPECT_EQ(second(AttributeValue::Number("1700000000.9")), 1'700'000'000);
  EXPECT_EQ(second(0), 0);
  EXPECT_EQ(second(AttributeValue::Number("0.5")), 0);
  EXPECT_EQ(second(-1), std::nullopt);
  EXPECT_EQ(second(AttributeValue::Number("-0.5")), std::nullopt);
  EXPECT_EQ(second(AttributeValue::Number("1e30")), std::nullopt);
  EXPECT_EQ(second("1700000000"), std::nullopt);
  EXPECT_EQ(ExpirySecond("other", Item{{"pk", "a"}}.view()), std::nullopt);
}

TEST(ExpiryKey, ComesBackAndSortsByTime) {
  const std::string row_key = IndexRows(7, 0).begin + std::string(16, 'h') + "sort";
  const std::string early = ExpiryKey(7, 255, row_key);
  EXPECT_LT(early, ExpiryKey(7, 256, row_key));
  const std::optional<ExpiryRow> row = ReadExpiryKey(early);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->second, 255);
  EXPECT_EQ(row->row_key, row_key);
  EXPECT_FALSE(ReadExpiryKey("short"));
  EXPECT_FALSE(ReadExpiryKey(row_key));
}

class ExpiryTest : public ::testing::Test {
 protected:
  ExpiryTest() {
    Result<std::unique_ptr<Engine>> opened =
        Engine::Open(OpenMemoryStore(), {"eu-west-1", "1", &clock_});
    engine_ = *std::move(opened);
    Table table;
    table.name = "Sessions";
    table.keys.hash = {{"pk", ScalarType::kN}};
    table.attribute_definitions = {{"pk", ScalarType::kN}};
    number_ = (*engine_->catalog().Add(std::move(table)))->number;
  }

  TablePtr Current() { return engine_->catalog().FindByNumber(number_); }

  void Write(ItemWrite::Kind kind, Item item) {
    MustWrite(*engine_, {.kind = kind, .table = Current(), .item = std::move(item)});
  }
  void Put(int pk, std::int64_t second) {
    Write(ItemWrite::Kind::kPut, Item{{"pk", pk}, {"ttl", second}});
  }
  bool IsThere(int pk) {
    return (*engine_->ReadItem(*Current(), Item{{"pk", pk}}.view())).has_value();
  }

  void Enable() {
    std::promise<Result<void>> done;
    engine_->background().Post([&] { done.set_value(engine_->EnableTimeToLive(number_, "ttl")); });
    ASSERT_TRUE(done.get_future().get());
    engine_->background().WaitUntilIdle();
  }
  void Sweep() {
    engine_->background().WakeDuties();
    engine_->background().WaitUntilIdle();
  }
  std::size_t ExpiryRowCount() {
    std::size_t rows = 0;
    EXPECT_TRUE(engine_->store().Scan(ExpiryRows(number_), Direction::kForward,
                                      [&rows](std::string_view, std::string_view) {
                                        ++rows;
                                        return true;
                                      }));
    return rows;
  }

  ManualClock clock_{TimeMs(std::chrono::seconds(kNow))};
  std::unique_ptr<Engine> engine_;
  TableNumber number_ = 0;
};

TEST_F(ExpiryTest, ItemsThatWereThereAreFoundWhenItIsEnabled) {
  for (int pk = 0; pk < 1'200; ++pk) Put(pk, pk % 2 == 0 ? kNow - 10 : kNow + 10);
  Enable();
  EXPECT_EQ(Current()->time_to_live->status, TimeToLiveStatus::kEnabled);
  Sweep();
  EXPECT_EQ(Current()->counts->items, 600);
  EXPECT_EQ(engine_->expiry_sweep().deleted_items(), 600U);
  EXPECT_EQ(ExpiryRowCount(), 600U);
}

TEST_F(ExpiryTest, AnItemExpiresWhenItsSecondIsPast) {
  Enable();
  Put(1, kNow + 5);
  clock_.Advance(std::chrono::seconds(5));
  Sweep();
  EXPECT_TRUE(IsThere(1));
  clock_.Advance(std::chrono::seconds(1));
  Sweep();
  EXPECT_FALSE(IsThere(1));
  EXPECT_EQ(ExpiryRowCount(), 0U);
}

TEST_F(ExpiryTest, AnItemIsFoundThatExpiredLongBeforeThoseThatAreGone) {
  Enable();
  for (int pk = 0; pk < 100; ++pk) Put(pk, kNow - 10);
  Sweep();
  EXPECT_EQ(ExpiryRowCount(), 0U);
  Put(1, kNow - 1'000);
  Put(2, kNow - 5);
  Sweep();
  EXPECT_FALSE(IsThere(1));
  EXPECT_FALSE(IsThere(2));
}

TEST_F(ExpiryTest, AnItemIsFoundWhenTheClockWasTurnedBack) {
  Enable();
  Put(1, kNow + 500);
  clock_.Set(TimeMs(std::chrono::seconds(kNow + 1'000)));
  Sweep();
  clock_.Set(TimeMs(std::chrono::seconds(kNow)));
  Put(2, kNow - 5);
  Sweep();
  EXPECT_FALSE(IsThere(1));
  EXPECT_FALSE(IsThere(2));
}

TEST_F(ExpiryTest, ARenewedItemStays) {
  Enable();
  Put(1, kNow + 5);
  Put(1, kNow + 500);
  clock_.Advance(std::chrono::seconds(100));
  Sweep();
  EXPECT_TRUE(IsThere(1));
  EXPECT_EQ(ExpiryRowCount(), 1U);
  Write(ItemWrite::Kind::kDelete, Item{{"pk", 1}});
  EXPECT_EQ(ExpiryRowCount(), 0U);
}

TEST_F(ExpiryTest, WhatExpiredMoreThanFiveYearsAgoStays) {
  Enable();
  Put(1, kNow - kExpiryHorizonSeconds - 1);
  Put(2, kNow - kExpiryHorizonSeconds + 1);
  Sweep();
  EXPECT_TRUE(IsThere(1));
  EXPECT_FALSE(IsThere(2));
}

TEST_F(ExpiryTest, DisablingForgetsEveryRow) {
  Enable();
  Put(1, kNow + 5);
  std::promise<Result<void>> done;
  engine_->background().Post([&] { done.set_value(engine_->DisableTimeToLive(number_)); });
  ASSERT_TRUE(done.get_future().get());
  EXPECT_EQ(ExpiryRowCount(), 0U);
  clock_.Advance(std::chrono::seconds(100));
  Sweep();
  EXPECT_TRUE(IsThere(1));
}

}  // namespace expiry_test
}  // namespace stator
