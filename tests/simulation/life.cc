#include "tests/simulation/life.h"

#include <fmt/format.h>

namespace stator::simulation {
namespace {

// So little that files are written, merged and deleted all the time.
constexpr std::size_t kWriteBufferBytes = 64 * 1024;

// How many changes a disk makes until its power fails: mostly a few.
std::uint64_t AnyChangesUntilCut(Random& random) {
  const std::uint64_t dice = random.Below(20);
  if (dice < 10) return random.Between(1, 25);
  return dice < 19 ? random.Between(25, 100) : random.Between(100, 400);
}

DiskFault AnyFault(Random& random) {
  DiskFault fault{.after = random.Chance(50) ? random.Between(1, 30) : random.Between(1, 150),
                  .persists = random.Chance(50),
                  .is_full = random.Chance(25)};
  if (random.Chance(50)) {
    fault.only = static_cast<DiskCall>(random.Below(kDiskCalls));
    fault.after = random.Between(1, 15);
    fault.is_full = false;
  }
  return fault;
}

}  // namespace

Life::Life(std::uint64_t seed, bool with_faults, Tally& tally)
    : random_(seed),
      disk_(random_.Seed()),
      env_(disk_.MakeEnv()),
      with_faults_(with_faults),
      tally_(tally) {
  const std::uint64_t dice = random_.Below(10);
  sync_ = dice < 6 ? SyncMode::kAlways : dice < 9 ? SyncMode::kOff : SyncMode::kInterval;
}

Problem Life::Rounds(std::uint64_t count) {
  // A fault that is never met does not count.
  for (std::uint64_t i = 0; i < 4 * count && (with_faults_ ? tally_.faults : tally_.cuts) < count;
       ++i) {
    RETURN_IF_PROBLEM(Round());
  }
  return std::nullopt;
}

Problem Life::Round() {
  Problem problem = with_faults_ ? FaultRound() : CutRound();
  if (problem) {
    *problem += fmt::format("\nsync mode {}; first failure: {}\n{}", static_cast<int>(sync_),
                            disk_.first_failure(), disk_.story());
  }
  return problem;
}

Problem Life::CutRound() {
  const bool cuts_soon = random_.Chance(40);
  if (cuts_soon) disk_.CutAfter(random_.Between(1, 80));
  const Problem refusal = Open();
  if (!refusal) {
    if (!cuts_soon) disk_.CutAfter(AnyChangesUntilCut(random_));
    RETURN_IF_PROBLEM(CheckOpened());
    Work();
    // Sometimes an orderly end, unless the power fails during it.
    if (!disk_.is_off() && random_.Chance(50)) disk_.CutNow();
    Close();
    is_closed_ = !disk_.is_off();
  } else if (!disk_.is_off()) {
    return "it cannot be opened: " + *refusal;
  } else {
    ++tally_.recovery_cuts;
  }
  ++tally_.cuts;
  disk_.CutNow();
  disk_.Restart();
  was_cut_ = true;
  return std::nullopt;
}

Problem Life::FaultRound() {
  const bool fails_soon = random_.Chance(30);
  const DiskFault fault = AnyFault(random_);
  if (fails_soon) disk_.FailAfter(fault);
  const Problem refusal = Open();
  if (!refusal) {
    RETURN_IF_PROBLEM(CheckOpened());
    if (!fails_soon) disk_.FailAfter(fault);
    Work();
    if (Problem problem = CheckRunning()) return "before it was closed: " + *problem;
    if (random_.Chance(50)) disk_.CutNow();
    Close();
  } else if (disk_.failed_calls() == 0) {
    return "it cannot be opened: " + *refusal;
  } else {
    ++tally_.refused_openings;
  }
  if (disk_.failed_calls() > 0) ++tally_.faults;
  disk_.EndFaults();
  if (disk_.is_off()) {
    disk_.Restart();
    was_cut_ = true;
  }
  return std::nullopt;
}

StorageResult<std::unique_ptr<Store>> Life::OpenStore() {
  ++tally_.openings;
  return OpenRocksStore({.directory = "/simulated/disk/data",
                         .sync = sync_,
                         .cache_bytes = std::size_t{1} << 20,
                         .env = env_.get(),
                         .write_buffer_bytes = kWriteBufferBytes});
}

Problem Life::MayFail(std::string what) const {
  if (disk_.is_off() || disk_.failed_calls() > 0) return std::nullopt;
  return what;
}

}  // namespace stator::simulation
