#include "systems/reconciler/load.h"

#include <fmt/format.h>

#include <atomic>
#include <charconv>
#include <cmath>
#include <mutex>

#include "systems/program/items.h"
#include "systems/program/process.h"
#include "systems/program/text.h"
#include "systems/reconciler/call.h"

namespace stator::systems::reconciler {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kBlock = 1000;  // calls between two reports of progress

// A well mixed number for each call (Steele, Lea and Flood's finaliser).
std::uint64_t Mixed(std::uint64_t number) {
  number += 0x9E3779B97F4A7C15;
  number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9;
  number = (number ^ (number >> 27)) * 0x94D049BB133111EB;
  return number ^ (number >> 31);
}

struct State {
  const char* status;
  bool audio;
};

constexpr State kGood{"SUCCESS", true};
constexpr State kFirst{"PENDING", false};
constexpr State kBad[] = {{"FAILED", true},
                          {"FAILED", false},
                          {"PENDING", false},
                          {"PROCESSING", false},
                          {"SUCCESS", false}};

class Loading {
 public:
  Loading(CallTable& table, const LoadOptions& options)
      : table_(table), options_(options), now_(table.Now()) {}

  EntityResult<LoadSummary> Run() {
    const auto blocks = static_cast<std::size_t>((options_.calls + kBlock - 1) / kBlock);
    ForEach(blocks, options_.threads, [&](std::size_t block) {
      const std::int64_t from = static_cast<std::int64_t>(block) * kBlock;
      const std::int64_t to = std::min(from + kBlock, options_.calls);
      for (std::int64_t i = from; i < to && !failed_; ++i) Load(i);
      const std::lock_guard lock(mutex_);
      if (options_.progress && !failed_) options_.progress(Summary());
    });
    if (failed_) return std::unexpected(failure_);
    return Summary();
  }

 private:
  bool IsBad(std::int64_t i) const {
    const std::int64_t share = options_.bad_per_million;
    return (i + 1) * share / kMillion != i * share / kMillion;
  }

  void Load(std::int64_t i) {
    const std::uint64_t chance =
        Mixed(options_.seed * kMillion * kMillion + static_cast<std::uint64_t>(i));
    const bool bad = IsBad(i);
    const State state = bad ? kBad[chance % std::size(kBad)] : kGood;
    const State first = options_.start_pending ? kFirst : state;
    const auto tenants = static_cast<std::uint64_t>(std::max(options_.tenants, 1));
    const auto spread =
        static_cast<std::uint64_t>(std::max<std::int64_t>(options_.spread.count(), 1));
    const TimeMs at =
        now_ - std::chrono::milliseconds(static_cast<std::int64_t>((chance >> 8) % spread));
    const Item call{{"TenantId", fmt::format("tenant-{:02}", (chance >> 40) % tenants)},
                    {"CallId", fmt::format("load-{}-{:09}", options_.seed, i)},
                    {"CallDateTime", SortableTime(at)},
                    {"AudioReceived", AttributeValue::Bool(first.audio)},
                    {"ProcessingStatus", first.status},
                    {"Revision", 1}};
    auto created = Create(call);
    if (created && options_.start_pending) created = Finish(*created, state);
    if (!created && options_.start_pending) FinishWhatWasKilled(created.error(), state);
    if (bad) ++bad_;
    if (created) {
      ++created_;
    } else if (created.error().kind == EntityErrorKind::kExists) {
      ++there_already_;
    } else {
      Fail(created.error());
    }
  }

  EntityResult<Item> Create(const Item& call) {
    TRY(Entities * entities, table_.entities());
    return entities->Create("Call", Placed(call));
  }

  EntityResult<Item> Finish(const Item& call, State state) {
    TRY(Entities * entities, table_.entities());
    Item after = call;
    after.Set("AudioReceived", AttributeValue::Bool(state.audio));
    after.Set("ProcessingStatus", AttributeValue(state.status));
    const Change change{.set = {{"AudioReceived", AttributeValue::Bool(state.audio)},
                                {"ProcessingStatus", state.status},
                                {"ReconTime", TextOf(call, "CallDateTime")}},
                        .add = {{"Revision", 1}}};
    return entities->Move("Call", KeyOf(call.view()), "report", change,
                          ReportedStatus(after.view()),
                          {.expected_version = NumberOf(call.view(), "Version")});
  }

  // If a load was killed between the two writes of a call, the next one does the second.
  void FinishWhatWasKilled(const EntityError& error, State state) {
    if (error.kind != EntityErrorKind::kExists || !error.item) return;
    if (NumberOf(error.item->view(), "Revision") != 1) return;
    const auto finished = Finish(*error.item, state);
    if (!finished && finished.error().kind != EntityErrorKind::kConflict) Fail(finished.error());
  }

  void Fail(const EntityError& error) {
    const std::lock_guard lock(mutex_);
    if (!failed_) failure_ = error;
    failed_ = true;
  }

  LoadSummary Summary() const { return {created_, there_already_, bad_}; }

  CallTable& table_;
  const LoadOptions& options_;
  const TimeMs now_;
  std::atomic<std::int64_t> created_ = 0;
  std::atomic<std::int64_t> there_already_ = 0;
  std::atomic<std::int64_t> bad_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  EntityError failure_;
};

}  // namespace

EntityResult<LoadSummary> LoadCalls(CallTable& table, const LoadOptions& options) {
  return Loading(table, options).Run();
}

std::optional<std::int64_t> ParseShare(std::string_view text) {
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (percent) value /= 100;
  if (!(value >= 0 && value <= 1)) return std::nullopt;
  return std::llround(value * static_cast<double>(kMillion));
}

}  // namespace stator::systems::reconciler
