#include "engine/write/write_gate.h"

#include <gtest/gtest.h>

#include <thread>

namespace stator {
namespace write_gate_test {

// Adds one to `done` when it is done.
class Tick final : public Mutation {
 public:
  Tick(WriteGate& gate, std::atomic<int>& done) : gate_(gate), done_(done) {}
  std::span<const std::string> Keys() const override { return {}; }
  Verdict Decide(std::span<const std::optional<std::string_view>>, WriteBatch& batch) override {
    batch.Append("log", "tick");
    return Verdict::kCommit;
  }
  void Done(StorageResult<void> status) override {
    EXPECT_TRUE(status);
    done_.fetch_add(1);
    gate_.Leave();
  }

 private:
  WriteGate& gate_;
  std::atomic<int>& done_;
};

TEST(WriteGate, ShowsWhatWasCountedAndLosesNoWrite) {
  WriteGate gate;
  const std::unique_ptr<Store> store = OpenMemoryStore();
  std::atomic<int> done = 0;
  constexpr int kThreads = 4;
  constexpr int kWrites = 2'000;
  std::vector<std::jthread> writers;
  for (int t = 0; t < kThreads; ++t) {
    writers.emplace_back([&] {
      for (int i = 0; i < kWrites; ++i) gate.Enter(*store, std::make_unique<Tick>(gate, done));
    });
  }
  for (int look = 0; look < 50; ++look) {
    std::unique_ptr<ReadView> view;
    int counted = 0;
    gate.WhileNothingIsInFlight(*store, [&] {
      view = store->Snapshot();
      counted = done.load();
    });
    int visible = 0;
    ASSERT_TRUE(store->Scan(
        {"", ""}, Direction::kForward,
        [&](std::string_view, std::string_view) { return ++visible > 0; }, view.get()));
    ASSERT_EQ(visible, counted);
  }
  writers.clear();
  gate.WhileNothingIsInFlight(*store, [&] { EXPECT_EQ(done.load(), kThreads * kWrites); });
}

}  // namespace write_gate_test
}  // namespace stator
