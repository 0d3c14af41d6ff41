// A store on a simulated disk: clients write, checkpoints come and go, the power fails or calls do.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <latch>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "storage/store.h"
#include "tests/simulation/life.h"
#include "tests/simulation/simulation.h"
#include "tests/simulation/store_history.h"

namespace stator::simulation {
namespace {

constexpr std::size_t kCheckpointsMax = 3;
constexpr std::size_t kBurstsMax = 400;  // of a client until it gives up waiting for a cut
constexpr std::size_t kBurstsWithFaults = 20;
constexpr std::size_t kFailuresMax = 3;  // of a client until it ends

const KeyRange kEverything{};

// Nothing if the store cannot be read.
std::optional<Pairs> ReadAll(const auto& source) {
  Pairs pairs;
  const auto keep = [&](std::string_view key, std::string_view value) {
    pairs.emplace_back(key, value);
    return true;
  };
  if (!source.Scan(kEverything, Direction::kForward, keep)) return std::nullopt;
  return pairs;
}

std::string AnyKey(Random& random) { return fmt::format("k/{:03}", random.Below(200)); }

std::string AnyValue(Random& random) {
  const std::uint64_t dice = random.Below(20);
  const std::size_t size = dice < 14   ? random.Below(100)
                           : dice < 19 ? random.Below(2'000)
                                       : random.Below(50'000);
  return std::string(size, static_cast<char>('a' + random.Below(26)));
}

std::vector<StoreWrite> AnyWrites(Random& random, std::uint64_t settled_records) {
  using Kind = StoreWrite::Kind;
  std::vector<StoreWrite> writes;
  if (random.Below(150) == 0) {
    // More keys than are deleted one by one.
    for (int i = 0; i < 1'100; ++i) writes.push_back({Kind::kPut, fmt::format("m/{:04}", i), "m"});
    return writes;
  }
  for (std::uint64_t count = random.Between(1, 6); count > 0; --count) {
    const std::uint64_t dice = random.Below(20);
    if (dice < 11) {
      writes.push_back({Kind::kPut, AnyKey(random), AnyValue(random)});
    } else if (dice < 15) {
      writes.push_back({Kind::kDelete, AnyKey(random), {}});
    } else if (dice < 18) {
      writes.push_back({Kind::kIncrement, fmt::format("n/{}", random.Below(5)), {}});
      return writes;
    } else if (dice < 19) {
      const std::string begin = AnyKey(random);
      writes.push_back({Kind::kDeleteRange, begin, begin + "5"});
    } else if (random.Chance(30)) {
      writes.push_back({Kind::kDeleteRange, "m/", "m0"});
    } else if (settled_records > 1) {
      writes.push_back(
          {Kind::kDeleteRange, LogKey(kLogName, 0), LogKey(kLogName, settled_records)});
    }
  }
  return writes;
}

class StoreLife final : public Life {
 public:
  using Life::Life;

 private:
  struct CheckpointState {
    bool is_made = false;     // acknowledged
    bool is_deleted = false;  // acknowledged
    bool may_be_gone = false;
    std::set<std::uint64_t> required;
    std::optional<Pairs> contents;  // once it was seen
  };

  Problem Open() override {
    StorageResult<std::unique_ptr<Store>> store = OpenStore();
    if (!store) return store.error().message;
    store_ = *std::move(store);
    return std::nullopt;
  }

  void Close() override { store_.reset(); }

  Problem CheckRunning() override {
    if (!is_settled_) return std::nullopt;
    const std::optional<Pairs> pairs = ReadAll(*store_);
    if (!pairs) return std::nullopt;
    return history_.Judge(*pairs, {.required = history_.Acknowledged(), .is_prefix = false});
  }

  Problem CheckOpened() override {
    is_settled_ = false;
    const std::optional<Pairs> pairs = ReadAll(*store_);
    if (!pairs) return MayFail("the store cannot be read");
    StoreHistory::Rules rules{.is_prefix = !with_faults()};
    if (KeepsAll()) rules.required = history_.Acknowledged();
    tally().acknowledged += history_.Acknowledged().size();
    RETURN_IF_PROBLEM(history_.Judge(*pairs, rules));
    RETURN_IF_PROBLEM(CheckCheckpoints());
    // A checkpoint that nobody could look at yet is compared with the same history later.
    for (const auto& [id, state] : checkpoints_) {
      if (!state.contents) return std::nullopt;
    }
    tally().in_flight += history_.Settle(*pairs);
    is_settled_ = true;
    Settled();
    return std::nullopt;
  }

  Problem CheckCheckpoints() {
    const StorageResult<std::vector<std::string>> ids = store_->ListCheckpoints();
    if (!ids) return MayFail("the checkpoints cannot be listed: " + ids.error().message);
    for (const std::string& id : *ids) {
      const auto found = checkpoints_.find(id);
      if (found == checkpoints_.end()) return "a checkpoint that nobody made: " + id;
      RETURN_IF_PROBLEM(CheckCheckpoint(id, found->second));
    }
    for (auto at = checkpoints_.begin(); at != checkpoints_.end();) {
      const auto& [id, state] = *at;
      if (std::ranges::find(*ids, id) != ids->end()) {
        ++at;
        continue;
      }
      if (state.is_made && !state.may_be_gone) return "the checkpoint is lost: " + id;
      at = checkpoints_.erase(at);
    }
    return std::nullopt;
  }

  Problem CheckCheckpoint(const std::string& id, CheckpointState& state) {
    if (state.is_deleted) return "the checkpoint was deleted and is there: " + id;
    const StorageResult<std::unique_ptr<Checkpoint>> opened = store_->OpenCheckpoint(id);
    if (!opened) return MayFail("the checkpoint cannot be opened: " + opened.error().message);
    const std::optional<Pairs> pairs = ReadAll(**opened);
    if (!pairs) return MayFail("the checkpoint cannot be read: " + id);
    if (!state.contents) {
      if (Problem problem =
              history_.Judge(*pairs, {.required = state.required, .is_prefix = !with_faults()})) {
        return "checkpoint " + id + ": " + *problem;
      }
      state.contents = pairs;
    }
    if (*state.contents != *pairs) return "the checkpoint has changed: " + id;
    // It survived, and is now there for good.
    state.is_made = true;
    state.may_be_gone = false;
    return std::nullopt;
  }

  // Lets clients write, and makes and deletes checkpoints meanwhile.
  void Work() override {
    if (!is_settled_) return;
    std::thread client([this, seed = random().Seed()] {
      Write(Random(seed), with_faults() ? kBurstsWithFaults : kBurstsMax);
    });
    for (std::uint64_t count = random().Below(4); count > 0; --count) {
      ChangeCheckpoints();
      Write(Random(random().Seed()), random().Below(4));
    }
    client.join();
    if (random().Chance(40)) WriteAfterFullDisk();
  }

  // A disk that was full has space again, and the store notices.
  void WriteAfterFullDisk() {
    const auto is_full = [this] {
      const std::optional<StorageError> failure = store_->WriteFailure();
      return failure && failure->kind == StorageError::Kind::kNoSpace;
    };
    if (disk().is_off() || !is_full()) return;
    disk().EndFaults();
    for (int i = 0; i < 150 && is_full(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    Write(Random(random().Seed()), kBurstsWithFaults);
  }

  // Mutations in bursts, which wait together.
  void Write(Random random, std::size_t bursts) {
    std::size_t failures = 0;
    for (std::size_t i = 0; i < bursts && failures < kFailuresMax; ++i) {
      const std::uint64_t size = random.Chance(40) ? 1 : random.Between(2, 12);
      std::latch finished(static_cast<std::ptrdiff_t>(size));
      std::atomic<bool> has_failed = false;
      for (std::uint64_t j = 0; j < size; ++j) {
        store_->Mutate(history_.MakeMutation(AnyWrites(random, history_.settled_records()),
                                             [&](bool succeeded) {
                                               if (!succeeded) has_failed = true;
                                               finished.count_down();
                                             }));
      }
      finished.wait();
      if (has_failed) ++failures;
      if (disk().is_off()) return;
    }
  }

  void ChangeCheckpoints() {
    if (checkpoints_.size() < kCheckpointsMax) {
      const std::string id = fmt::format("c{}", ++last_checkpoint_);
      CheckpointState& state = checkpoints_[id];
      state.required = history_.Acknowledged();
      state.may_be_gone = true;
      if (!store_->MakeCheckpoint(id)) return;
      state.is_made = true;
      state.may_be_gone = false;
    } else {
      auto& [id, state] = *std::next(checkpoints_.begin(),
                                     static_cast<std::ptrdiff_t>(random().Below(kCheckpointsMax)));
      state.may_be_gone = true;
      if (store_->DeleteCheckpoint(id)) state.is_deleted = true;
    }
  }

  std::unique_ptr<Store> store_;
  StoreHistory history_;
  bool is_settled_ = false;  // what was opened has been read, and is right
  std::map<std::string, CheckpointState> checkpoints_;
  std::uint64_t last_checkpoint_ = 0;
};

}  // namespace

Problem SimulateStore(std::uint64_t seed, std::uint64_t count, bool with_faults, Tally& tally) {
  StoreLife life(seed, with_faults, tally);
  return life.Rounds(count);
}

}  // namespace stator::simulation
