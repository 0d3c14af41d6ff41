#include "systems/reconciler/demo.h"

#include <fmt/format.h>

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

namespace stator::systems::reconciler {
namespace {

constexpr const char* kClock = "fixed:2026-02-28T08:00:00Z";

constexpr const char* kReports =
    R"({"TenantId":"acme","CallId":"demo-1","CallDateTime":"2026-02-28T07:00:00Z"}
{"TenantId":"acme","CallId":"demo-1","AudioReceived":true,"ProcessingStatus":"PROCESSING"}
{"TenantId":"acme","CallId":"demo-2","CallDateTime":"2026-02-28T08:10:00+01:00","AudioReceived":true}
{"TenantId":"acme","CallId":"demo-2","ProcessingStatus":"FAILED"}
{"TenantId":"acme","CallId":"demo-3","CallDateTime":"2026-02-28T07:20:00.5Z","ProcessingStatus":null}
)";

class Demo {
 public:
  explicit Demo(Tables& tables) : tables_(tables), entities_(tables.entities()) {}

  // False, and says why, if something did not go as told.
  bool Play() {
    return Load() && Report() && PollOneTenant() && PollTogether() && DieAndResume() && Account();
  }

 private:
  bool Failed(const std::string& why) {
    Fail(why);
    return false;
  }
  bool Step(const char* text) {
    fmt::print("\n{}\n", text);
    spent_ = entities_.used();
    return true;
  }
  void Cost() {
    const UsedUnits now = entities_.used();
    fmt::print("  cost: {} read units, {} write units, {} requests\n", now.read - spent_.read,
               now.write - spent_.write, now.requests - spent_.requests);
  }

  bool Load() {
    Step("1. A day's calls: 10,000, of which 1 % go wrong");
    UsageMeter meter(entities_, "load");
    const auto loaded = LoadCalls(entities_, {.calls = 10'000, .bad_per_million = 10'000});
    if (!loaded) return Failed(loaded.error().message);
    fmt::print("  {} calls stored; {} of them are in the index\n", loaded->created, loaded->bad);
    Cost();
    return meter.Record(1, loaded->created) ? true : Failed("usage");
  }

  bool Report() {
    Step("2. Reports: a call is processed, one fails, one line makes no sense");
    UsageMeter meter(entities_, "ingest");
    std::istringstream lines(kReports);
    IngestOptions options;
    options.refused = [](std::int64_t line, const std::string& problem) {
      fmt::print("  line {}: {}\n", line, problem);
    };
    const auto summary = IngestLines(entities_, lines, options);
    if (!summary) return Failed(summary.error().message);
    for (const char* call : {"demo-1", "demo-2"}) {
      const auto stored =
          entities_.Get("Call", Item{{"TenantId", "acme"}, {"CallId", call}}, {.strong = true});
      if (!stored || !*stored) return Failed(std::string(call) + " does not exist");
      const std::string key = TextOf(**stored, "GSI_Recon_PK");
      fmt::print("  {} is {}: {}\n", call, TextOf(**stored, "ProcessingStatus"),
                 key.empty() ? "not in the index" : "in the index under " + key);
    }
    Cost();
    return meter.Record(1, summary->lines) ? true : Failed("usage");
  }

  bool PollOneTenant() {
    Step("3. What waits for acme? A filter: the index is read whole, and nothing is changed");
    Poller poller(entities_, FileOfPayloads(), {.tenant = "acme"});
    const auto page = poller.Peek("");
    if (!page) return Failed(page.error().message);
    for (const Item& entry : page->items) fmt::print("  {}\n", PayloadOf(entry.view()).json);
    Cost();
    return true;
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
          const auto own = tables_.MakeEntities();
          Poller poller(*own, *OpenSink(Out()), {.newest_first = i == 0});
          UsageMeter meter(*own, "poll");
          summaries[i] = poller.Drain();
          if (summaries[i]) (void)meter.Record(1, summaries[i]->emitted).has_value();
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
    return different.size() == ids.size() ? true : Failed("a call was emitted twice");
  }

  bool DieAndResume() {
    Step("5. A poller dies after it wrote its payloads and before it could say so");
    if (!LoadCalls(entities_, {.calls = 500, .bad_per_million = 100'000, .seed = 2})) {
      return Failed("load");
    }
    const std::size_t before = Ids().size();
    const auto dead =
        Poller(entities_, *OpenSink(Out()), {.after_delivery = [] { return false; }}).Drain();
    if (!dead) return Failed(dead.error().message);
    fmt::print("  50 more calls go wrong; the file grows by {} lines; none is marked\n",
               Ids().size() - before);
    const auto early = Poller(entities_, *OpenSink(Out()), {}).Drain();
    if (!early) return Failed(early.error().message);
    fmt::print("  the next poller leaves {} calls to the dead one, whose lease runs for a minute\n",
               early->busy);
    tables_.clock().Advance(std::chrono::minutes(1));
    UsageMeter meter(entities_, "poll");
    const auto late = Poller(entities_, *OpenSink(Out()), {}).Drain();
    if (!late) return Failed(late.error().message);
    fmt::print("  a minute later: {} taken over, found in the file and marked, {} written again\n",
               late->there_already, late->emitted);
    if (!meter.Record(1, late->emitted)) return Failed("usage");
    return late->emitted == 0 ? true : Failed("a call was emitted twice");
  }

  bool Account() {
    Step("6. The account");
    const auto account = ReadAccount(tables_.endpoint(), tables_.prefix(), entities_);
    if (!account) return Failed(account.error().message);
    fmt::print("{}", AccountText(*account));
    return true;
  }

  Tables& tables_;
  Entities& entities_;
  TemporaryFolder folder_{"reconciler-demo"};
  UsedUnits spent_;
};

}  // namespace

int RunDemo(Place place) {
  fmt::print("Reconciler: calls that need a second look, found through a sparse, sharded index\n");
  if (!place.is_named()) place.clock = kClock;
  const auto tables = Tables::Open(place, ModelText());
  if (!tables) return Fail(tables.error());
  return Demo(**tables).Play() ? kDone : kFailed;
}

}  // namespace stator::systems::reconciler
