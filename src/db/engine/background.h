// Background: one thread for the work that must not block an event loop. Table operations come first,
// then slices of long work (index builds, clearing dropped tables) in turn, then recurring duties
// (expiry, trimming of logs).
#ifndef STATOR_ENGINE_BACKGROUND_H_
#define STATOR_ENGINE_BACKGROUND_H_

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace stator {

// How many requests clients have made, so that work that can wait stays out of their way. Thread-safe.
// Counting costs a few nanoseconds, because threads count in different slots.
class Activity {
 public:
  void CountRequest() { slots_[ThisSlot()].count.fetch_add(1, std::memory_order_relaxed); }

  // Requests so far.
  std::uint64_t Requests() const {
    std::uint64_t sum = 0;
    for (const Slot& slot : slots_) sum += slot.count.load(std::memory_order_relaxed);
    return sum;
  }

 private:
  static constexpr std::size_t kSlots = 16;
  struct alignas(64) Slot {
    std::atomic<std::uint64_t> count = 0;
  };

  static std::size_t ThisSlot() {
    static std::atomic<std::size_t> next = 0;
    thread_local const std::size_t slot = next.fetch_add(1, std::memory_order_relaxed) % kSlots;
    return slot;
  }

  std::array<Slot, kSlots> slots_;
};

// How long work that is done in slices rests after each slice. For one thread.
class Pace {
 public:
  using RealTime = std::chrono::steady_clock::time_point;

  explicit Pace(const Activity& clients) : clients_(clients), requests_seen_(clients.Requests()) {}

  // Zero if there have been no requests lately. Otherwise long enough to leave most of the disk and of
  // the processor to the clients, but not so long that the work never ends.
  std::chrono::milliseconds RestAfter(RealTime began, RealTime ended);

 private:
  const Activity& clients_;
  std::uint64_t requests_seen_;
  RealTime quiet_from_;
};

// Thread-safe.
class Background {
 public:
  using Task = std::move_only_function<void()>;
  // Does one slice of long work; true while there is more to do.
  using Slice = std::move_only_function<bool()>;
  // How long a duty rests, and whether it has more to do and rests only to let others work.
  struct Rest {
    // No rest means that there is more to do.
    template <class Rep, class Period>
    // NOLINTNEXTLINE(google-explicit-constructor): a duty returns how long it rests
    Rest(std::chrono::duration<Rep, Period> rest)
        : time(std::chrono::duration_cast<std::chrono::milliseconds>(rest)),
          has_more(time.count() == 0) {}
    Rest(std::chrono::milliseconds rest, bool more) : time(rest), has_more(more) {}
    std::chrono::milliseconds time;
    bool has_more;
  };
  // Does one slice of recurring work.
  using Duty = std::move_only_function<Rest()>;

  // Long work rests between its slices while clients are active.
  explicit Background(const Activity& clients);
  ~Background();

  // Finishes the queued tasks and ends the thread. Unfinished long work is dropped; it resumes at the
  // next start. May be called more than once.
  void Stop();

  // Runs before any slice.
  void Post(Task task);
  // Runs slice by slice, in turn with other long work, resting while clients are active.
  void PostLongWork(Slice slice);

  // Runs immediately, and again whenever it has rested or been woken.
  void AddDuty(Duty duty);
  // Ends the rest of all duties: the clock was turned, or there is something new to do.
  void WakeDuties();

  // Waits until nothing is queued and every duty rests with nothing more to do. REQUIRES: not called
  // on the background thread.
  void WaitUntilIdle();

 private:
  using RealTime = std::chrono::steady_clock::time_point;
  struct ScheduledDuty {
    Duty duty;
    RealTime due;
    bool is_running = false;
    bool was_woken = false;  // while it ran
    bool has_more = false;
  };

  void Run();
  // REQUIRE the lock, and release it while they work.
  void RunTask(std::unique_lock<std::mutex>& lock);
  void RunSlice(std::unique_lock<std::mutex>& lock);
  void RunDuty(std::unique_lock<std::mutex>& lock, ScheduledDuty& scheduled);
  // The duty whose rest ends first; null if there is none.
  ScheduledDuty* NextDuty();
  bool SliceIsDue(RealTime now) const { return !slices_.empty() && slices_due_ <= now; }
  // Waits until there is a task, a rest has ended, or Stop is called.
  void Wait(std::unique_lock<std::mutex>& lock, const ScheduledDuty* duty);
  bool IsIdle();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  std::deque<Task> tasks_;
  std::deque<Slice> slices_;
  RealTime slices_due_;               // slices rest until then
  Pace pace_;                         // of slices
  std::deque<ScheduledDuty> duties_;  // never shrinks
  bool busy_ = false;
  bool duty_is_next_ = false;  // slices and duties that are due take turns
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_BACKGROUND_H_
