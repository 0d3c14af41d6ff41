// What the tests of the downloads stand on: the tables, a source on the same clock and an empty
// output folder; and the design, as written and mended, judged by the checker. The clock stands at
// 2026-02-28T08:00:00Z.
#ifndef STATOR_TESTS_SYSTEMS_DOWNLOADS_FIXTURE_H_
#define STATOR_TESTS_SYSTEMS_DOWNLOADS_FIXTURE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "model/claims/claims.h"
#include "rules/rules.h"
#include "stator/model.h"
#include "systems/downloads/batch.h"
#include "systems/downloads/downloader.h"
#include "systems/downloads/operations.h"
#include "systems/downloads/source.h"
#include "systems/program/items.h"
#include "systems/program/model_text.h"
#include "systems/program/process.h"
#include "systems/program/text.h"
#include "tests/systems/system_fixture.h"

namespace stator::systems::downloads {

inline constexpr const char* kDate = "2026-02-28";
inline constexpr const char* kJobsTable = "data-download-jobs";
inline constexpr const char* kBatchesTable = "data-download-batches";

// Reads a file of the source tree.
inline std::string SourceText(const std::string& path) {
  return testing::FileText(std::string(STATOR_SOURCE_DIR) + "/" + path);
}

// Waits until the condition holds, for ten seconds at most.
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
    auto started = Source::Start(std::move(options), Keys(), clock());
    EXPECT_TRUE(started) << (started ? "" : started.error());
    source_ = *std::move(started);
    output_.emplace(*OutputFolder::Open(directory_ + "/output"));
  }

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
        StartDay(entities(), {.source = {source_->url()}, .date = kDate, .again = again});
    EXPECT_TRUE(report) << (report ? "" : report.error());
    return report.value_or(RunReport{});
  }
  DownloadReport Drain(int workers = 2) {
    const auto report = DrainWith(workers, entities(), Keys(), *output_, "test", options_);
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
        RequeueAll(entities(), {.source = {source_->url()}, .attempts_max = attempts_max});
    EXPECT_TRUE(report) << (report ? "" : report.error());
    return report.value_or(RequeueReport{});
  }
  Downloader Worker(const std::string& name = "worker") {
    return {entities(), Keys(), *output_, name, options_};
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
    return testing::FileText(output_->PathOf({.name = File(entity)}));
  }

  testing::SystemWorld world_{ModelText()};
  TemporaryFolder temporary_{"downloads-test"};
  const std::string& directory_ = temporary_.path();
  std::unique_ptr<Source> source_;
  std::optional<OutputFolder> output_;
  // Nobody waits.
  std::vector<std::chrono::milliseconds> waits_;
  std::mutex waits_mutex_;
  DownloadOptions options_{.fetch = {.retry = {.wait = [this](std::chrono::milliseconds time) {
                                       const std::scoped_lock lock(waits_mutex_);
                                       waits_.push_back(time);
                                     }}}};
};

// The document as it was written, and the model as it is, judged by the checker.
class Checker : public ::testing::Test {
 protected:
  // A model of systems/downloads with what was found in it.
  struct Checked {
    explicit Checked(const std::string& file)
        : model(*Model::Load(std::string(STATOR_SOURCE_DIR) + "/systems/downloads/" + file)),
          result(model::Check(model.values())),
          claims(model::EvaluateClaims(model.values(), result.estimates)) {}
    const Model model;
    const model::CheckResult result;
    const std::vector<model::ClaimResult> claims;
  };

  static const Checked& AsWritten() {
    static const Checked checked("as-written.yaml");
    return checked;
  }
  static const Checked& Mended() {
    static const Checked checked("model.yaml");
    return checked;
  }

  // The document has this flaw. An empty target: anywhere.
  static bool Finds(std::string_view rule, std::string_view target = {}) {
    return Finds(AsWritten(), rule, target);
  }
  static bool FindsInModel(std::string_view rule) { return Finds(Mended(), rule, {}); }

  // What is true of a claim that the document makes.
  static double Truth(std::string_view says) { return ClaimOf(AsWritten(), says).truth; }
  static bool Holds(std::string_view says) { return ClaimOf(AsWritten(), says).holds; }
  static std::string_view RuleOf(std::string_view says) { return ClaimOf(AsWritten(), says).rule; }
  static bool HoldsInModel(std::string_view says) { return ClaimOf(Mended(), says).holds; }

 private:
  static bool Finds(const Checked& checked, std::string_view rule, std::string_view target) {
    return std::ranges::any_of(checked.result.findings, [&](const model::Finding& finding) {
      return finding.rule == rule && (target.empty() || finding.target == target);
    });
  }
  static model::ClaimResult ClaimOf(const Checked& checked, std::string_view says) {
    const auto it = std::ranges::find_if(checked.claims, [&](const model::ClaimResult& result) {
      return result.claim->says == says;
    });
    EXPECT_NE(it, checked.claims.end()) << says;
    return it == checked.claims.end() ? model::ClaimResult{} : *it;
  }
};

}  // namespace stator::systems::downloads

#endif  // STATOR_TESTS_SYSTEMS_DOWNLOADS_FIXTURE_H_
