#include "engine/sharing/keeper_work.h"

#include <optional>
#include <utility>

#include "base/log.h"
#include "engine/sharing/scope.h"

namespace stator {
namespace {

constexpr std::chrono::seconds kRestOfOthers{1};
constexpr std::chrono::seconds kRestAfterFailedSlice{5};
constexpr int kFailuresMax = 10;

}  // namespace

void KeeperWork::Start(std::string name, Slice slice, Failed failed) {
  if (!IsKeeper()) return;
  {
    const std::scoped_lock lock(mutex_);
    State& state = states_[name];
    if (state.is_running || std::chrono::steady_clock::now() < state.rests_until) return;
    state.is_running = true;
  }
  background_.PostLongWork(
      [this, name = std::move(name), slice = std::move(slice),
       failed = std::move(failed)]() mutable { return RunSlice(name, slice, failed); });
}

bool KeeperWork::RunSlice(const std::string& name, Slice& slice, Failed& failed) {
  if (!IsKeeper()) return End(name);
  std::optional<KeeperScope> scope;
  if (sharing_ != nullptr) scope.emplace();
  const Result<bool> more = slice();
  if (more) return *more ? GoOn(name) : End(name);
  if (!IsKeeper()) {
    Log(LogLevel::kInfo, "another server goes on with background work", {{"work", name}});
    return End(name);
  }
  if (!NoteFailure(name, more.error())) return false;
  End(name);
  failed(more.error());
  return false;
}

bool KeeperWork::NoteFailure(const std::string& name, const Error& error) {
  if (sharing_ == nullptr) return true;
  const std::scoped_lock lock(mutex_);
  State& state = states_[name];
  if (++state.failures >= kFailuresMax) return true;
  state.is_running = false;
  state.rests_until = std::chrono::steady_clock::now() + kRestAfterFailedSlice;
  Log(LogLevel::kWarning, "background work failed; it is tried again",
      {{"work", name}, {"error", error.message()}});
  return false;
}

bool KeeperWork::GoOn(const std::string& name) {
  if (sharing_ == nullptr) return true;
  const std::scoped_lock lock(mutex_);
  states_[name].failures = 0;
  return true;
}

bool KeeperWork::End(const std::string& name) {
  const std::scoped_lock lock(mutex_);
  states_.erase(name);
  return false;
}

void KeeperWork::AddDuty(Background::Duty duty) {
  if (sharing_ == nullptr) return background_.AddDuty(std::move(duty));
  background_.AddDuty([this, duty = std::move(duty)]() mutable -> Background::Rest {
    if (!IsKeeper()) return kRestOfOthers;
    const KeeperScope scope;
    return duty();
  });
}

}  // namespace stator
