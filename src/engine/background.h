// One thread for everything that no request should wait on a loop for: table operations first, then
// slices of long work (index builds, clearing dropped tables) in turn.
#ifndef STATOR_ENGINE_BACKGROUND_H_
#define STATOR_ENGINE_BACKGROUND_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace stator {

// Thread-safe.
class Background {
 public:
  using Task = std::move_only_function<void()>;
  // Does one slice of long work; true while there is more to do.
  using Slice = std::move_only_function<bool()>;

  Background();
  ~Background();

  // Finishes the queued tasks and ends the thread; unfinished long work is dropped (it resumes at
  // the next start). May be called more than once.
  void Stop();

  // Runs before any slice.
  void Post(Task task);
  // Runs slice by slice, in turn with other long work.
  void PostLongWork(Slice slice);

  // Waits until nothing is queued. REQUIRES: not called on the background thread.
  void WaitUntilIdle();

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  std::deque<Task> tasks_;
  std::deque<Slice> slices_;
  bool busy_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_BACKGROUND_H_
