// KeeperWork: work in the background that one process does for all.
//
// On a store that several processes share, the keeper does it, and finds it in the catalog: what this
// process does not do, because it is not the keeper or stops being it, the keeper finds and goes on
// with. So to start work means no more than to look for it at once. On a store of one process that
// process is the keeper for ever.
#ifndef STATOR_ENGINE_SHARING_KEEPER_WORK_H_
#define STATOR_ENGINE_SHARING_KEEPER_WORK_H_

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "engine/background.h"
#include "stator/error.h"
#include "stator/result.h"
#include "storage/store.h"

namespace stator {

// Thread-safe.
class KeeperWork {
 public:
  // Does a slice of long work; true while there is more to do.
  using Slice = std::move_only_function<Result<bool>()>;
  using Failed = std::move_only_function<void(const Error&)>;

  // `sharing` is null if the store is this process's own. Both must outlive it.
  KeeperWork(Background& background, const Sharing* sharing)
      : background_(background), sharing_(sharing) {}

  bool IsKeeper() const { return sharing_ == nullptr || sharing_->IsKeeper(); }

  // Runs the work slice by slice, unless work of this name is already running. `failed` is called when
  // a slice has failed; on a shared store only when the work has failed time and again, for the network
  // may come back, or another process have more luck. Until then it rests, and is started again by
  // whoever finds it.
  void Start(std::string name, Slice slice, Failed failed);

  // A duty (engine/background.h) that rests while this process is not the keeper.
  void AddDuty(Background::Duty duty);

 private:
  struct State {
    bool is_running = false;
    int failures = 0;  // in a row
    std::chrono::steady_clock::time_point rests_until;
  };
  bool RunSlice(const std::string& name, Slice& slice, Failed& failed);
  // Whether the work has failed for good.
  bool NoteFailure(const std::string& name, const Error& error);
  bool GoOn(const std::string& name);
  bool End(const std::string& name);

  Background& background_;
  const Sharing* const sharing_;
  std::mutex mutex_;
  std::map<std::string, State> states_;  // guarded by mutex_
};

}  // namespace stator

#endif  // STATOR_ENGINE_SHARING_KEEPER_WORK_H_
