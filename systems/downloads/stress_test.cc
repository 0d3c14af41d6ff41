// Everybody at once: downloaders, pollers, runs and requeues on one day.
#include <fmt/format.h>

#include <atomic>

#include "systems/downloads/crypto.h"
#include "systems/program/text.h"
#include "tests/systems/downloads_fixture.h"

namespace stator::systems::downloads {
namespace stress_test {

constexpr std::size_t kFiles = 40;

class Storm : public Downloads {
 protected:
  Storm() : Downloads({.entities = DefaultEntities(kFiles), .file_bytes = 512}) {}

  void Start() {
    const auto run = StartDay(entities(), {.source = {source_->url()}, .date = date_});
    ASSERT_TRUE(run) << run.error();
  }

  // Now and then one dies after its first claim.
  void Download(int number) {
    Downloader worker(entities(), Keys(), *output_, fmt::format("w{}", number));
    for (int claims = number; !over_; ++claims) {
      const auto job = worker.ClaimNext();
      ASSERT_TRUE(job) << job.error();
      if (!*job || (claims % 7 == 0 && (*job)->attempts == 1)) continue;
      ASSERT_TRUE(worker.Work(**job));
    }
    lost_ += worker.report().lost;
  }

  void PollUntilOver() {
    const Batch batch{.date = date_, .run_id = RunIdOf(date_, 1)};
    while (!over_) {
      const auto now = Poll(entities(), batch, {.timeout = std::chrono::days(80)});
      ASSERT_TRUE(now) << now.error();
      if (!now->is_open()) over_ = true;
    }
  }

  // Time flies, so that claims are taken away from downloaders that are still at work.
  void PutBack() {
    while (!over_) {
      clock().Advance(std::chrono::minutes(1));
      const auto report =
          RequeueAll(entities(), {.source = {source_->url()}, .attempts_max = 1'000'000});
      ASSERT_TRUE(report) << report.error();
    }
  }

  void PlayDay() {
    over_ = false;
    Start();
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([this, i] { Download(i); });
    for (int i = 0; i < 2; ++i) threads.emplace_back([this] { PollUntilOver(); });
    threads.emplace_back([this] {
      while (!over_) Start();
    });
    threads.emplace_back([this] { PutBack(); });
  }

  std::string date_;
  std::atomic<bool> over_ = false;
  std::atomic<std::int64_t> lost_ = 0;
};

TEST_F(Storm, OfEightThreadsPublishesEveryFileOnceDayAfterDay) {
  const auto until = std::chrono::steady_clock::now() + testing::StressTime();
  std::size_t day = 0;
  while (std::chrono::steady_clock::now() < until) {
    date_ = fmt::format("2026-{:02}-{:02}", 3 + day / 28 % 10, 1 + day % 28);
    PlayDay();
    ++day;
    ASSERT_FALSE(HasFailure());
    const auto batches = BatchesOf(entities(), date_);
    ASSERT_TRUE(batches);
    ASSERT_EQ(batches->size(), 1U);
    EXPECT_EQ(batches->front().status, "completed");
    EXPECT_EQ(batches->front().completed.size(), kFiles);
    EXPECT_EQ(FilesOfBatch(entities(), batches->front().id(), "completed")->size(), kFiles);
    // One file each, none of them a part.
    ASSERT_EQ(Outputs().size(), day * kFiles);
  }
  for (const std::string& entity : DefaultEntities(kFiles)) {
    const FileName name{entity, date_};
    const std::string plain = source_->Content(name);
    EXPECT_TRUE(output_->Has({.name = name,
                              .checksum = Hex(Sha256Of(plain)),
                              .size_bytes = static_cast<std::int64_t>(plain.size())}))
        << entity;
  }
  RecordProperty("days", static_cast<int>(day));
  RecordProperty("claims_taken_away", static_cast<int>(lost_));
}

}  // namespace stress_test
}  // namespace stator::systems::downloads
