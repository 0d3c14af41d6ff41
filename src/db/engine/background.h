// One thread for everything that no request should wait on a loop for: table operations first, then
// slices of long work (index builds, clearing dropped tables) in turn, then duties that come back
// (expiry, trimming of logs).
#ifndef STATOR_ENGINE_BACKGROUND_H_
#define STATOR_ENGINE_BACKGROUND_H_

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "engine/activity.h"

namespace stator {

// Thread-safe.
class Background {
 public:
  using Task = std::move_only_function<void()>;
  // Does one slice of long work; true while there is more to do.
  using Slice = std::move_only_function<bool()>;
  // How long a duty rests, and whether it rests only to let others work.
  struct Rest {
    // At once means that there is more to do.
    template <class Rep, class Period>
    // NOLINTNEXTLINE(google-explicit-constructor): a duty returns how long it rests
    Rest(std::chrono::duration<Rep, Period> rest)
        : time(std::chrono::duration_cast<std::chrono::milliseconds>(rest)),
          has_more(time.count() == 0) {}
    Rest(std::chrono::milliseconds rest, bool more) : time(rest), has_more(more) {}
    std::chrono::milliseconds time;
    bool has_more;
  };
  // Does one slice of work that never ends.
  using Duty = std::move_only_function<Rest()>;

  // Long work rests between its slices while clients are active.
  explicit Background(const Activity& clients);
  ~Background();

  // Finishes the queued tasks and ends the thread; unfinished long work is dropped (it resumes at
  // the next start). May be called more than once.
  void Stop();

  // Runs before any slice.
  void Post(Task task);
  // Runs slice by slice, in turn with other long work, at the pace of work that can wait.
  void PostLongWork(Slice slice);

  // Runs at once, and again whenever it has rested or been woken.
  void AddDuty(Duty duty);
  // Ends the rest of all duties: the clock was turned, or there is something new to do.
  void WakeDuties();

  // Waits until nothing is queued and every duty rests with nothing more to do. REQUIRES: not called on the background
  // thread.
  void WaitUntilIdle();

 private:
  using RealTime = std::chrono::steady_clock::time_point;
  struct Resting {
    Duty duty;
    RealTime due;
    bool is_running = false;
    bool was_woken = false;  // while it ran
    bool has_more = false;
  };

  void Run();
  // These need the lock, and let go of it while they work.
  void RunTask(std::unique_lock<std::mutex>& lock);
  void RunSlice(std::unique_lock<std::mutex>& lock);
  void RunDuty(std::unique_lock<std::mutex>& lock, Resting& resting);
  // The duty whose rest ends first; null when there is none.
  Resting* NextDuty();
  bool SliceIsDue(RealTime now) const { return !slices_.empty() && slices_due_ <= now; }
  // Waits for a task, for the end of the next rest, or for the end.
  void Wait(std::unique_lock<std::mutex>& lock, const Resting* duty);
  bool IsIdle();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  std::deque<Task> tasks_;
  std::deque<Slice> slices_;
  RealTime slices_due_;         // they rest until then
  Pace pace_;                   // of slices
  std::deque<Resting> duties_;  // never shrinks
  bool busy_ = false;
  bool duty_is_next_ = false;  // slices and duties that are due take turns
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_BACKGROUND_H_
