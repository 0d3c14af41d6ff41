// What the tests of the pipeline stand on: the tables, a source on the same clock, an empty output
// folder. The clock stands at 2026-02-28T08:00:00Z.
#ifndef STATOR_SYSTEMS_DOWNLOADS_PIPELINE_FIXTURE_H_
#define STATOR_SYSTEMS_DOWNLOADS_PIPELINE_FIXTURE_H_

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "systems/downloads/dashboard.h"
#include "systems/downloads/fetch.h"
#include "systems/downloads/poller.h"
#include "systems/downloads/requeue.h"
#include "systems/downloads/run.h"
#include "systems/downloads/source.h"
#include "systems/downloads/workers.h"
#include "systems/program/model_text.h"
#include "tests/systems/world.h"

namespace stator::systems::downloads {

inline constexpr const char* kDate = "2026-02-28";
inline constexpr const char* kJobsTable = "data-download-jobs";
inline constexpr const char* kBatchesTable = "data-download-batches";

// Reads a file of the source tree.
inline std::string SourceText(const std::string& path) {
  std::ifstream in(std::string(STATOR_SOURCE_DIR) + "/" + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Looks until it is so, for ten seconds at most.
template <class Condition>
bool Eventually(Condition&& holds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::yield();
  }
  return true;
}

class Downloads : public ::testing::Test {
 protected:
  explicit Downloads(SourceOptions options = {}) {
    char name[] = "/tmp/downloads-test-XXXXXX";
    directory_ = ::mkdtemp(name);
    auto started = Source::Start(std::move(options), Keys(), clock());
    EXPECT_TRUE(started) << (started ? "" : started.error());
    source_ = *std::move(started);
    output_.emplace(*OutputFolder::Open(directory_ + "/output"));
  }
  ~Downloads() override { std::filesystem::remove_all(directory_); }

  // Made once: RSA keys take their time.
  static const KeyPair& Keys() {
    static const KeyPair keys = KeyPair::Generate();
    return keys;
  }

  Entities& entities() { return world_.entities(); }
  TurnableClock& clock() { return world_.clock(); }
  FileName File(const std::string& entity) const { return {entity, kDate}; }

  RunReport RunDay(bool again = false) {
    const auto report =
        StartDay(entities(), {.source_url = source_->url(), .date = kDate, .again = again});
    EXPECT_TRUE(report) << (report ? "" : report.error());
    return report.value_or(RunReport{});
  }
  DownloadReport Drain(int workers = 2) {
    const auto report = DrainWith(workers, entities(), Keys(), *output_, "test");
    EXPECT_TRUE(report) << (report ? "" : report.error());
    return report.value_or(DownloadReport{});
  }
  Batch PollDay(const Batch& batch, const PollOptions& options = {}) {
    const auto now = Poll(entities(), batch, options);
    EXPECT_TRUE(now) << (now ? "" : now.error());
    return now.value_or(Batch{});
  }
  RequeueReport RequeueDay(std::int64_t attempts_max = 5) {
    const auto report =
        RequeueAll(entities(), {.source_url = source_->url(), .attempts_max = attempts_max});
    EXPECT_TRUE(report) << (report ? "" : report.error());
    return report.value_or(RequeueReport{});
  }
  Downloader Worker(const std::string& name = "worker") {
    return {entities(), Keys(), *output_, name};
  }
  // As it is stored, or an empty item.
  Item JobItem(const std::string& entity) {
    const auto item = entities().Get("FileJob", KeyOf(File(entity)), {.strong = true});
    EXPECT_TRUE(item) << (item ? "" : item.error().message);
    return item && *item ? **item : Item();
  }
  std::string StatusOf(const std::string& entity) { return TextOf(JobItem(entity), "Status"); }

  // The names in the folder, parts included.
  std::vector<std::string> Outputs() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_ + "/output")) {
      names.push_back(entry.path().filename());
    }
    std::ranges::sort(names);
    return names;
  }
  std::string OutputText(const std::string& entity) const {
    std::ifstream in(output_->PathOf(File(entity)));
    return {std::istreambuf_iterator<char>(in), {}};
  }

  testing::SystemWorld world_{ModelText()};
  std::string directory_;
  std::unique_ptr<Source> source_;
  std::optional<OutputFolder> output_;
};

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_PIPELINE_FIXTURE_H_
