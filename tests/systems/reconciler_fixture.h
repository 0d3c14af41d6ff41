// What the tests of the reconciler stand on: its tables, a clock at 2026-02-28T08:00:00Z that
// stands still, a folder for files, and short ways to report and to poll.
#ifndef STATOR_TESTS_SYSTEMS_RECONCILER_FIXTURE_H_
#define STATOR_TESTS_SYSTEMS_RECONCILER_FIXTURE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "systems/program/model_text.h"
#include "systems/program/process.h"
#include "systems/program/text.h"
#include "systems/reconciler/call_table.h"
#include "systems/reconciler/ingest.h"
#include "systems/reconciler/poller.h"
#include "tests/systems/system_fixture.h"

namespace stator::systems::reconciler {

class Reconciler : public ::testing::Test {
 protected:
  // With one shard, unless the test opens it otherwise first.
  CallTable& table() {
    if (!table_) table_ = OpenTable();
    return *table_;
  }
  // As another process has it.
  std::unique_ptr<CallTable> OpenTable(CallTableOptions options = {}) {
    options.clock = &world_.clock();
    auto opened = CallTable::Open(world_.endpoint(), std::move(options));
    EXPECT_TRUE(opened) << (opened ? "" : opened.error());
    return opened ? *std::move(opened) : nullptr;
  }
  Entities& entities() { return **table().entities(); }
  static TimeMs Ago(std::chrono::milliseconds time) {
    return *ParseTime("2026-02-28T08:00:00Z") - time;
  }

  void Report(const std::string& tenant, const std::string& call, const std::string& status,
              bool audio, std::chrono::milliseconds ago = std::chrono::hours(1)) {
    const CallReport report{.tenant = tenant,
                            .call = call,
                            .call_time = SortableTime(Ago(ago)),
                            .updated_at = std::nullopt,
                            .audio_received = audio,
                            .status = status};
    const auto kind = IngestReport(table(), report);
    ASSERT_TRUE(kind) << kind.error().message;
  }

  // Calls c0 … of one tenant, a minute apart, the first one the newest.
  void ReportMany(int count, const std::string& status = "FAILED") {
    for (int i = 0; i < count; ++i) {
      Report("acme", "c" + std::to_string(i), status, true, std::chrono::minutes(i));
    }
  }

  Item Stored(const std::string& tenant, const std::string& call) {
    const auto item =
        entities().Get("Call", Item{{"TenantId", tenant}, {"CallId", call}}, {.strong = true});
    return item && *item ? **item : Item();
  }

  // Of a table, or of the index.
  std::vector<Item> Rows(const std::string& index = {}) {
    ScanRequest request;
    request.table_name = "calls";
    if (!index.empty()) request.index_name = index;
    std::vector<Item> rows;
    do {
      const auto page = world_.database().Scan(request);
      EXPECT_TRUE(page);
      for (std::size_t i = 0; i < page->items->size(); ++i) {
        Item row = Item::FromView((*page->items)[i]);
        if (testing::Text(row, "TenantId") != "#settings") rows.push_back(std::move(row));
      }
      request.exclusive_start_key = page->last_evaluated_key;
    } while (request.exclusive_start_key);
    return rows;
  }
  std::size_t IndexSize() { return Rows("ReconciliationIndex").size(); }
  // Of the index: what was neither emitted nor given up.
  std::size_t Waiting() {
    const std::vector<Item> rows = Rows("ReconciliationIndex");
    return static_cast<std::size_t>(std::ranges::count_if(rows, [](const Item& row) {
      const std::string status = PlaceOf(row.view()).status;
      return status != kEmitted && status != kGivenUp;
    }));
  }

  std::string Path(const std::string& name = "out.jsonl") { return folder_ + "/" + name; }
  std::vector<std::string> Lines(const std::string& name = "out.jsonl") {
    std::ifstream file(Path(name));
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }
  // The ids of the payloads in the file, in its order.
  std::vector<std::string> Ids(const std::string& name = "out.jsonl") {
    std::vector<std::string> ids;
    for (const std::string& line : Lines(name))
      ids.push_back(line.substr(7, line.find('"', 7) - 7));
    return ids;
  }

  PollSummary Poll(PollOptions options = {}, const std::string& name = "out.jsonl") {
    auto sink = OpenSink(Path(name));
    EXPECT_TRUE(sink) << (sink ? "" : sink.error());
    const auto summary = Poller(table(), *std::move(sink), std::move(options)).Drain();
    EXPECT_TRUE(summary) << (summary ? "" : summary.error().message);
    return summary.value_or(PollSummary());
  }

  testing::SystemWorld world_{ModelText()};
  std::unique_ptr<CallTable> table_;
  TemporaryFolder temporary_{"reconciler"};
  const std::string& folder_ = temporary_.path();
};

}  // namespace stator::systems::reconciler

#endif  // STATOR_TESTS_SYSTEMS_RECONCILER_FIXTURE_H_
