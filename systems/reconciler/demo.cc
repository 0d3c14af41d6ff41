#include "systems/reconciler/demo.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "systems/program/items.h"
#include "systems/program/model_text.h"
#include "systems/program/process.h"
#include "systems/program/program.h"
#include "systems/reconciler/account.h"
#include "systems/reconciler/ingest.h"
#include "systems/reconciler/load.h"
#include "systems/reconciler/poller.h"
#include "systems/reconciler/reshard.h"

namespace stator::systems::reconciler {
namespace {

constexpr const char* kClock = "fixed:2026-02-28T08:00:00Z";

constexpr const char* kReports =
    R"({"TenantId":"acme","CallId":"demo-1","CallDateTime":"2026-02-28T07:30:00Z"}
{"TenantId":"acme","CallId":"demo-1","AudioReceived":true,"ProcessingStatus":"PROCESSING"}
{"TenantId":"acme","CallId":"demo-2","CallDateTime":"2026-02-28T08:10:00+01:00","AudioReceived":true}
{"TenantId":"acme","CallId":"demo-2","ProcessingStatus":"FAILED"}
{"TenantId":"acme","CallId":"demo-3","CallDateTime":"2026-02-28T07:20:00.5Z","ProcessingStatus":null}
{"TenantId":"globex","CallId":"demo-4","CallDateTime":"2026-02-28T07:25:00Z","AudioReceived":true}
)";

class Demo {
 public:
  Demo(Tables& tables, CallTable& table) : tables_(tables), table_(table) {}

  // False, and says why, if something did not go as told.
  bool Play() {
    return Report() && PollOneTenant() && Load() && PollTogether() && DieAndResume() &&
           EmitAgain() && SpreadOut() && Account();
  }

 private:
  bool Failed(const std::string& why) {
    Fail(why);
    return false;
  }
  bool Step(const char* text) {
    fmt::print("\n{}\n", text);
    spent_ = table_.used();
    return true;
  }
  void Cost(const char* what) {
    const UsedUnits now = table_.used();
    fmt::print("  {} took {} read units and {} write units in {} requests\n", what,
               now.read - spent_.read, now.write - spent_.write, now.requests - spent_.requests);
  }

  bool Report() {
    Step("1. Reports: a call is processed, one fails, one waits, one line makes no sense");
    UsageMeter meter(table_, "ingest");
    std::istringstream lines(kReports);
    IngestOptions options;
    options.refused = [](std::int64_t line, const std::string& problem) {
      fmt::print("  line {}: {}\n", line, problem);
    };
    const auto summary = IngestLines(table_, lines, options);
    if (!summary) return Failed(summary.error().message);
    for (const char* call : {"demo-1", "demo-2"}) {
      const auto stored = table_.plain().Get("Call", Item{{"TenantId", "acme"}, {"CallId", call}},
                                             {.strong = true});
      if (!stored || !*stored) return Failed(std::string(call) + " does not exist");
      const std::string key = TextOf(**stored, "GSI_Recon_PK");
      fmt::print("  {} is {}: {}\n", call, TextOf(**stored, "ProcessingStatus"),
                 key.empty() ? "not in the index" : "in the index under " + key);
    }
    Cost("taking them and looking at two");
    return meter.Record(1, summary->lines) ? true : Failed("usage");
  }

  bool PollOneTenant() {
    Step("2. What waits for acme? A filter: the index is read whole, and nothing is changed");
    Poller poller(table_, FileOfPayloads(), {.tenant = "acme"});
    const auto looked = poller.Look([](const std::vector<Item>& entries) -> EntityResult<bool> {
      for (const Item& entry : entries) fmt::print("  {}\n", PayloadOf(entry.view()).json);
      return true;
    });
    if (!looked) return Failed(looked.error().message);
    Cost("the look");
    return true;
  }

  bool Load() {
    Step("3. A day's calls: 10,000, of which 1 % go wrong");
    UsageMeter meter(table_, "load");
    const auto loaded = LoadCalls(table_, {.calls = 10'000, .bad_per_million = 10'000});
    if (!loaded) return Failed(loaded.error().message);
    fmt::print("  {} calls stored; {} of them are in the index\n", loaded->created, loaded->bad);
    Cost("storing them");
    return meter.Record(1, loaded->created) ? true : Failed("usage");
  }

  // As another process has them.
  std::unique_ptr<CallTable> OpenCalls() {
    return *CallTable::Open(tables_.endpoint(),
                            {.table_prefix = tables_.prefix(), .clock = &tables_.clock()});
  }
  std::unique_ptr<Sink> FileOfPayloads() { return *OpenSink(Out()); }
  std::string Out() const { return folder_.path() + "/payloads.jsonl"; }

  std::vector<std::string> Ids() const {
    std::ifstream file(Out());
    std::vector<std::string> ids;
    for (std::string line; std::getline(file, line);) ids.push_back(line.substr(0, line.find(',')));
    return ids;
  }

  bool PollTogether() {
    Step("4. Three pollers at once, newest, oldest and oldest first, into one file");
    std::vector<EntityResult<PollSummary>> summaries(3);
    {
      std::vector<std::jthread> pollers;
      for (std::size_t i = 0; i < summaries.size(); ++i) {
        pollers.emplace_back([&, i] {
          const auto own = OpenCalls();
          Poller poller(*own, *OpenSink(Out()), {.newest_first = i == 0});
          summaries[i] = poller.Drain();
        });
      }
    }
    std::int64_t emitted = 0;
    for (const auto& summary : summaries) {
      if (!summary) return Failed(summary.error().message);
      emitted += summary->emitted;
    }
    const std::vector<std::string> ids = Ids();
    const std::set<std::string> different(ids.begin(), ids.end());
    fmt::print("  {} payloads emitted, {} lines in the file, {} different ones\n", emitted,
               ids.size(), different.size());
    fmt::print(
        "  a lost race costs a request, so their units differ from run to run: not counted\n");
    return different.size() == ids.size() ? true : Failed("a call was emitted twice");
  }

  bool DieAndResume() {
    Step("5. A poller dies after it wrote its payloads and before it could say so");
    if (!LoadCalls(table_, {.calls = 200, .bad_per_million = 100'000, .seed = 2})) {
      return Failed("load");
    }
    const std::size_t before = Ids().size();
    const auto dead =
        Poller(table_, *OpenSink(Out()), {.after_delivery = [] { return false; }}).Drain();
    if (!dead) return Failed(dead.error().message);
    fmt::print("  20 more calls go wrong; the file grows by {} lines; none is marked\n",
               Ids().size() - before);
    const auto early = Poller(table_, *OpenSink(Out()), {}).Drain();
    if (!early) return Failed(early.error().message);
    fmt::print("  the next poller leaves {} calls to the dead one, whose lease runs for a minute\n",
               early->busy);
    tables_.clock().Advance(std::chrono::minutes(1));
    UsageMeter meter(table_, "poll");
    const auto late = Poller(table_, *OpenSink(Out()), {}).Drain();
    if (!late) return Failed(late.error().message);
    fmt::print("  a minute later: {} taken over, found in the file and marked, {} written again\n",
               late->there_already, late->emitted);
    if (!meter.Record(1, late->emitted)) return Failed("usage");
    return late->emitted == 0 ? true : Failed("a call was emitted twice");
  }

  bool EmitAgain() {
    Step("6. Six hours later some calls are still not OK: they come again, as a second attempt");
    const CallReport mended{.tenant = "acme", .call = "demo-2", .status = "SUCCESS"};
    if (!IngestReport(table_, mended)) return Failed("demo-2");
    tables_.clock().Advance(std::chrono::hours(6));
    UsageMeter meter(table_, "poll");
    const auto again =
        Poller(table_, *OpenSink(Out()), {.again_after = std::chrono::hours(6)}).Drain();
    if (!again) return Failed(again.error().message);
    const std::vector<std::string> ids = Ids();
    const auto second = std::ranges::count_if(ids, [](const std::string& id) {
      return id.ends_with("#1#2\"") || id.ends_with("#2#2\"");
    });
    fmt::print("  {} payloads, {} of them for the second time; demo-2 was mended and stays away\n",
               again->emitted, second);
    fmt::print("  demo-1 is PROCESSING for too long by now, and comes for the first time\n");
    return meter.Record(1, again->emitted) ? true : Failed("usage");
  }

  bool SpreadOut() {
    Step("7. The index is spread over four shards while it is in use, and brought back to one");
    for (const std::int64_t shards : {4, 1}) {
      const auto moved = Reshard(table_, {.shards = shards, .grace = {}});
      if (!moved) return Failed(moved.error().message);
      fmt::print("  from {} to {}: {} entries moved\n", moved->before, shards, moved->moved);
    }
    return true;
  }

  bool Account() {
    Step("8. The account");
    const auto account = ReadAccount(table_);
    if (!account) return Failed(account.error().message);
    fmt::print("{}", AccountText(*account));
    return true;
  }

  Tables& tables_;
  CallTable& table_;
  TemporaryFolder folder_{"reconciler-demo"};
  UsedUnits spent_;
};

}  // namespace

int RunDemo(Place place) {
  fmt::print("Reconciler: calls that need a second look, found through a sparse index\n");
  if (!place.is_named()) place.clock = kClock;
  const auto tables = Tables::Open(place, ModelText());
  if (!tables) return Fail(tables.error());
  const auto table = CallTable::Open((*tables)->endpoint(),
                                     {.table_prefix = (*tables)->prefix(),
                                      .clock = &(*tables)->clock(),
                                      .settings_age_max = std::chrono::hours(1)});  // read once
  if (!table) return Fail(table.error());
  return Demo(**tables, **table).Play() ? kDone : kFailed;
}

}  // namespace stator::systems::reconciler
