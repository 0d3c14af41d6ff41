#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>

#include "systems/reconciler/call.h"
#include "systems/reconciler/commands.h"
#include "systems/reconciler/opened.h"
#include "systems/reconciler/poller.h"
#include "systems/reconciler/stop_signal.h"
#include "systems/reconciler/usage.h"

namespace stator::systems::reconciler {
namespace {

// A delivery over HTTP may take so long, and must be over before its lease is.
constexpr std::chrono::seconds kPostLeaseMin(20);

std::string ProcessName() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return fmt::format("{}:{}", host.data(), ::getpid());
}

// Takes note of nothing, for a look without consequences.
class NoSink final : public Sink {
 public:
  const std::string& name() const override { return name_; }
  std::size_t batch() const override { return 1; }
  std::vector<Delivery> Deliver(const std::vector<Payload>& payloads,
                                std::chrono::steady_clock::time_point) override {
    return std::vector<Delivery>(payloads.size());
  }

 private:
  std::string name_ = "nowhere";
};

std::expected<PollOptions, std::string> OptionsOf(const PollCommand& command) {
  const auto lookback = ParseDuration(command.lookback);
  if (!lookback || lookback->count() <= 0) {
    return std::unexpected("--lookback " + command.lookback + ": a time is like 7d or 12h");
  }
  const auto lease = ParseDuration(command.lease);
  if (!lease || lease->count() < 100) {
    return std::unexpected("--lease " + command.lease + ": a time is like 60s, 100 ms at least");
  }
  if (!command.post.empty() && *lease < kPostLeaseMin) {
    return std::unexpected("--lease is too short for --post: it takes 20s at least");
  }
  const int targets = static_cast<int>(!command.out.empty()) +
                      static_cast<int>(!command.post.empty()) + static_cast<int>(command.dry_run);
  if (targets != 1) {
    return std::unexpected("say where payloads go: --out FILE, --post URL or --dry-run");
  }
  return PollOptions{.lookback = *lookback,
                     .tenant = command.tenant,
                     .newest_first = command.newest,
                     .lease = {.owner = command.owner.empty() ? ProcessName() : command.owner,
                               .time = *lease,
                               .sink = {},
                               .give_up_after = command.give_up_after}};
}

int ShowPayloads(Poller& poller) {
  std::string cursor;
  do {
    const auto page = poller.Peek(cursor);
    if (!page) return Fail("{}", page.error().message);
    for (const Item& entry : page->items) fmt::print("{}\n", PayloadOf(entry.view()).json);
    cursor = page->cursor;
  } while (!cursor.empty());
  return 0;
}

void PrintSummary(const PollSummary& summary) {
  std::string text = fmt::format("{} found, {} emitted", summary.found, summary.emitted);
  const auto add = [&](std::int64_t count, const char* what) {
    if (count != 0) text += fmt::format(", {} {}", count, what);
  };
  add(summary.resolved, "of them resolved");
  add(summary.there_already, "emitted before by a poller that is gone");
  add(summary.busy, "left to others");
  add(summary.given_up, "given up");
  add(summary.released, "not delivered");
  add(summary.overtaken, "changed meanwhile");
  fmt::print("{}; {} read units for the index\n", text, summary.read_units);
  std::fflush(stdout);
}

}  // namespace

int RunPoll(const ConnectionOptions& where, const PollCommand& command) {
  auto options = OptionsOf(command);
  if (!options) return Misused("{}", options.error());
  StopSignal stop;
  options->go_on = [&] { return !stop.Came(); };
  auto opened = Opened::Open(where);
  if (!opened) return Fail("{}", opened.error());
  if (command.dry_run) {
    Poller poller(*opened->entities, std::make_unique<NoSink>(), *options);
    return ShowPayloads(poller);
  }
  auto sink = OpenSink(command.out.empty() ? command.post : command.out);
  if (!sink) return Fail("{}", sink.error());
  Poller poller(*opened->entities, *std::move(sink), *options);
  UsageMeter meter(*opened->entities, "poll");
  const std::chrono::milliseconds every(static_cast<std::int64_t>(command.every_seconds * 1000));
  bool well = true;
  do {
    const auto summary = poller.Drain();
    well = summary && summary->problem.empty();
    if (summary) {
      PrintSummary(*summary);
      if (!well) Fail("{}", summary->problem);
      if (const auto recorded = meter.Record(1, summary->emitted); !recorded) {
        Fail("{}", recorded.error().message);
      }
    } else {
      Fail("{}", summary.error().message);
    }
  } while (every.count() > 0 && !stop.Came(every));
  return well ? 0 : 1;
}

}  // namespace stator::systems::reconciler
