#include "storage/writer.h"

#include <algorithm>
#include <future>
#include <utility>

#include "base/log.h"
#include "base/try.h"
#include "base/work.h"

namespace stator {
namespace {

// Orders to the writer's thread.
constexpr int kSleep = 0;
constexpr int kTakeRole = 1;  // the role is handed over with the order
constexpr int kExit = 2;

// The memory of a larger value is freed after use.
constexpr std::size_t kBufferBytesKept = std::size_t{64} << 10;

StorageError Closed() {
  return {StorageError::Kind::kClosed, "the store is shutting down; nothing was written"};
}

// What takes longer does not hold up the others.
constexpr std::chrono::milliseconds kLightTime{2};

StorageError TooLong() {
  return {StorageError::Kind::kTooLong,
          "the write takes too much processor time; nothing was written"};
}

StorageError Busy() {
  return {StorageError::Kind::kBusy, "too many writes are waiting; nothing was written"};
}

// What mutations are told after a commit has failed.
StorageError AfterFailure(const StorageError& error) {
  if (error.kind == StorageError::Kind::kNoSpace) return error;
  return {StorageError::Kind::kReadOnly,
          "no more writes are taken since one failed, restart to recover: " + error.message};
}

// Makes the writer run a round.
class Nudge final : public Mutation {
 public:
  explicit Nudge(std::promise<void> done) : done_(std::move(done)) {}
  std::span<const std::string> Keys() const override { return {}; }
  Verdict Decide(std::span<const std::optional<std::string_view>>, WriteBatch&) override {
    return Verdict::kAbandon;
  }
  void Done(StorageResult<void>) override { done_.set_value(); }

 private:
  std::promise<void> done_;
};

}  // namespace

Writer::Writer(const Store& store, Commit commit, int rounds_on_caller, const WriteLimits& limits)
    : store_(store),
      commit_(std::move(commit)),
      rounds_on_caller_(rounds_on_caller),
      limits_(limits),
      log_numbers_(store),
      rounds_{Round(log_numbers_), Round(log_numbers_)},
      thread_order_(kSleep),
      thread_([this] { RunThread(); }) {}

// Why no mutation is forgotten: a caller first pushes, then asks for the role; the holder of the role
// first gives it up, then looks at the queue. All four are sequentially consistent, so a caller that
// finds the role taken has pushed before the holder looks.
void Writer::Mutate(std::unique_ptr<Mutation> mutation) {
  if (closed_.load()) return mutation->Done(std::unexpected(Closed()));
  const bool too_many = is_behind_.load(std::memory_order_relaxed) ||
                        queued_count_.load(std::memory_order_relaxed) >= limits_.queued_max;
  if (too_many && mutation->IsRefusable()) {
    return mutation->Done(std::unexpected(Busy()));
  }
  // What follows may be the work of others.
  const Work::Pause pause;
  mutation->queued_at_ = std::chrono::steady_clock::now();
  queued_count_.fetch_add(1, std::memory_order_relaxed);
  queue_.Push(std::move(mutation));
  if (role_taken_.exchange(true)) {
    // Without is_committing_ the holder might not look at next_ again.
    const std::unique_lock lock(deciding_, std::try_to_lock);
    if (lock && is_committing_) DecideQueued();
    return;
  }
  for (int round = 0; round < rounds_on_caller_; ++round) {
    if (!RunRound(Thread::kCaller) && !ReleaseRole()) return;
  }
  WakeThread(kTakeRole);
}

void Writer::Break(const StorageError& error) {
  const std::scoped_lock lock(broken_mutex_);
  using Kind = StorageError::Kind;
  if (broken_ && (broken_->kind != Kind::kNoSpace || error.kind == Kind::kNoSpace)) return;
  broken_ = error;
  Log(LogLevel::kError,
      error.kind == Kind::kNoSpace ? "writes are refused until the disk has space again"
                                   : "writes are refused until a restart",
      {{"error", error.message}});
}

std::optional<StorageError> Writer::Failure() const {
  const std::scoped_lock lock(broken_mutex_);
  return broken_;
}

// The round that decides the nudge sees the flag, which was set before.
void Writer::Mend() {
  std::promise<void> promise;
  const std::future<void> done = promise.get_future();
  is_mending_.store(true);
  Mutate(std::make_unique<Nudge>(std::move(promise)));
  done.wait();
}

void Writer::Close() {
  if (closed_.exchange(true)) return;
  while (role_taken_.exchange(true)) role_taken_.wait(true);
  while (RunRound(Thread::kWriter)) {
  }
  WakeThread(kExit);
  thread_.join();
  while (std::unique_ptr<Mutation> late = queue_.Pop()) late->Done(std::unexpected(Closed()));
}

void Writer::RunThread() {
  for (;;) {
    thread_order_.wait(kSleep);
    if (thread_order_.exchange(kSleep) == kExit) return;
    while (RunRound(Thread::kWriter) || ReleaseRole()) {
    }
  }
}

void Writer::WakeThread(int order) {
  thread_order_.store(order);
  thread_order_.notify_one();
}

// Gives up the role. True: there is more to do and the caller has taken the role again.
bool Writer::ReleaseRole() {
  role_taken_.store(false);
  if (queue_.HasArrivals() && !role_taken_.exchange(true)) return true;
  // Only Close waits, and only once. Without a waiter a notification costs one load.
  role_taken_.notify_all();
  return false;
}

// Takes what is queued, commits it and completes it. True: there is more to do, which only the holder
// of the role can see.
bool Writer::RunRound(Thread thread) {
  {
    const std::scoped_lock lock(deciding_);
    DecideQueued();
    if (thread == Thread::kWriter) DecideOneHeavy();
    if (is_mending_.load(std::memory_order_relaxed)) ForgetDecisions();
    std::swap(next_, committing_);
    next_->Clear();
    is_committing_ = true;
  }
  committing_->Complete(CommitRound(*committing_));
  const std::scoped_lock lock(deciding_);
  is_committing_ = false;
  return !next_->Empty() || queue_.HasTaken() || !heavy_.empty();
}

StorageResult<void> Writer::CommitRound(const Round& round) {
  {
    // Mutations that were decided on top of a failed commit must fail too, even if they write nothing.
    const std::scoped_lock lock(broken_mutex_);
    if (broken_) return std::unexpected(*broken_);
  }
  if (round.Writes().empty()) return {};
  StorageResult<void> status = commit_(round.Writes());
  if (!status) {
    Break(AfterFailure(status.error()));
    return status;
  }
  commit_count_.fetch_add(1, std::memory_order_relaxed);
  mutation_count_.fetch_add(round.CommittedCount(), std::memory_order_relaxed);
  return {};
}

void Writer::ForgetDecisions() {
  is_mending_.store(false);
  std::optional<StorageError> error;
  {
    const std::scoped_lock lock(broken_mutex_);
    broken_.swap(error);
  }
  if (!error) return;
  log_numbers_.Forget();
  committing_->Clear();
  Log(LogLevel::kInfo, "writes are taken again");
  next_->Complete(std::unexpected(*std::move(error)));
  next_->Clear();
}

void Writer::DecideQueued() {
  // Who is decided first does not wait for long until the last is: a round takes no more than this.
  constexpr std::chrono::milliseconds kRoundMax{20};
  const auto light_time = std::min(kLightTime, limits_.processor_time);
  const RealTime began = std::chrono::steady_clock::now();
  for (RealTime now = began; !next_->Full() && now - began < kRoundMax;
       now = std::chrono::steady_clock::now()) {
    std::unique_ptr<Mutation> mutation = queue_.Pop();
    if (mutation == nullptr) {
      is_behind_.store(false, std::memory_order_relaxed);
      return;
    }
    queued_count_.fetch_sub(1, std::memory_order_relaxed);
    if (mutation->IsRefusable() && HasWaitedTooLong(*mutation, now)) {
      next_->Refuse(std::move(mutation), Busy());
    } else if ((mutation = DecideOne(std::move(mutation), light_time))) {
      heavy_.push_back(std::move(mutation));
    }
  }
}

void Writer::DecideOneHeavy() {
  while (!heavy_.empty()) {
    std::unique_ptr<Mutation> mutation = std::move(heavy_.front());
    heavy_.pop_front();
    const bool is_late = std::chrono::steady_clock::now() - mutation->queued_at_ > limits_.wait;
    if (!is_late && !(mutation = DecideOne(std::move(mutation), limits_.processor_time))) return;
    next_->Refuse(std::move(mutation), is_late ? Busy() : TooLong());
    if (!is_late) return;
  }
}

bool Writer::HasWaitedTooLong(const Mutation& mutation, RealTime now) {
  const auto waited = now - mutation.queued_at_;
  const bool too_long = waited > limits_.wait;
  if (too_long != is_behind_.load(std::memory_order_relaxed) &&
      (too_long || waited < limits_.wait / 2)) {
    is_behind_.store(too_long, std::memory_order_relaxed);
  }
  return too_long;
}

std::unique_ptr<Mutation> Writer::DecideOne(std::unique_ptr<Mutation> mutation,
                                            std::chrono::nanoseconds processor_time) {
  const std::span<const std::string> keys = mutation->Keys();
  if (buffers_.size() < keys.size()) buffers_.resize(keys.size());
  values_.clear();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    auto value = Read(keys[i], buffers_[i]);
    if (!value) {
      next_->Refuse(std::move(mutation), std::move(value).error());
      return nullptr;
    }
    values_.push_back(*value);
  }
  {
    Work::Limits limits;
    if (mutation->IsRefusable()) limits.processor_time = processor_time;
    const Work work(limits);
    mutation = next_->Decide(std::move(mutation), values_);
  }
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (buffers_[i].capacity() > kBufferBytesKept) buffers_[i] = std::string();
  }
  return mutation;
}

// The newest value of a key: from the round that is being decided, else from the one that is being
// committed, else from the store.
StorageResult<std::optional<std::string_view>> Writer::Read(std::string_view key,
                                                            std::string& buffer) {
  if (const auto* pending = next_->Find(key)) return *pending;
  if (const auto* pending = committing_->Find(key)) return *pending;
  ASSIGN_OR_RETURN(const bool found, store_.Get(key, buffer));
  if (!found) return std::nullopt;
  return buffer;
}

}  // namespace stator
