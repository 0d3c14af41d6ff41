// Eight threads: pollers that lease, emit, mark, die and take over, and reports that come in
// between.
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <set>
#include <thread>

#include "tests/systems/reconciler_fixture.h"

namespace stator::systems::reconciler {
namespace stress_test {

constexpr int kPollers = 6;
constexpr int kReporters = 2;
constexpr int kCalls = 60;

class Stress : public Reconciler {
 protected:
  void PollUntil(std::chrono::steady_clock::time_point end, std::uint64_t seed) {
    const auto own = OpenTable();
    std::mt19937_64 random(seed);
    const auto lives = [&] { return random() % 8 != 0; };
    while (std::chrono::steady_clock::now() < end) {
      auto sink = OpenSink(Path(seed % 2 == 0 ? "even.jsonl" : "odd.jsonl"));
      ASSERT_TRUE(sink) << sink.error();
      Poller poller(*own, *std::move(sink),
                    {.newest_first = seed % 3 == 0,
                     .threads = 2,
                     .after_leases = lives,
                     .after_delivery = lives});
      const auto summary = poller.Drain();
      ASSERT_TRUE(summary) << summary.error().message;
      if (random() % 4 == 0) world_.clock().Advance(std::chrono::seconds(30));
    }
  }

  void ReportUntil(std::chrono::steady_clock::time_point end, std::uint64_t seed) {
    const auto own = OpenTable();
    std::mt19937_64 random(seed);
    while (std::chrono::steady_clock::now() < end) {
      const CallReport report{.tenant = "acme",
                              .call = "c" + std::to_string(random() % kCalls),
                              .call_time = SortableTime(Ago(std::chrono::hours(1))),
                              .updated_at = std::nullopt,
                              .audio_received = random() % 2 == 0,
                              .status = std::string(kStatuses[random() % 4])};
      const auto kind = IngestReport(*own, report);
      // Twenty losses in a row against pollers are possible, and no harm: nothing was written.
      ASSERT_TRUE(kind || kind.error().kind == EntityErrorKind::kConflict) << kind.error().message;
    }
  }
};

TEST_F(Stress, S0_19_ManyPollersThatDieEmitEveryStateOfACallAtMostOnceAndLoseNone) {
  table();
  const auto end = std::chrono::steady_clock::now() + testing::StressTime();
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t i = 0; i < kPollers; ++i) {
      threads.emplace_back([this, end, i] { PollUntil(end, i); });
    }
    for (std::uint64_t i = 0; i < kReporters; ++i) {
      threads.emplace_back([this, end, i] { ReportUntil(end, 100 + i); });
    }
  }
  // Everybody has stopped: what leases the dead hold run out.
  world_.clock().Advance(std::chrono::minutes(5));
  Poll({.lookback = std::chrono::days(36'500)}, "even.jsonl");
  EXPECT_EQ(Waiting(), 0U);
  EXPECT_EQ(world_.Audit(), "");

  std::set<std::string> ids;
  std::size_t lines = 0;
  for (const char* file : {"even.jsonl", "odd.jsonl"}) {
    for (const std::string& id : Ids(file)) {
      ++lines;
      EXPECT_TRUE(ids.insert(id).second) << id << " twice";
    }
  }
  EXPECT_GT(lines, static_cast<std::size_t>(kCalls) / 4);  // a slow machine does not get far
  RecordProperty("payloads", std::to_string(lines));
  // The state in which a bad call rests has been emitted.
  for (const Item& call : Rows()) {
    if (ReasonsOf(call.view()).empty()) continue;
    EXPECT_EQ(testing::Text(call, "ReconStatus"), "EMITTED");
    Item before = call;
    before.Set("Emissions", AttributeValue(0));
    EXPECT_TRUE(ids.contains(PayloadOf(before.view()).id)) << PayloadOf(before.view()).id;
  }
}

}  // namespace stress_test
}  // namespace stator::systems::reconciler
