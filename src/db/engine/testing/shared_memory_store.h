// For tests: rows in memory that several stores share, as processes share a database. The test says who
// the keeper is, and can pause a process.
#ifndef STATOR_ENGINE_TESTING_SHARED_MEMORY_STORE_H_
#define STATOR_ENGINE_TESTING_SHARED_MEMORY_STORE_H_

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/try.h"
#include "engine/testing/borrowed_store.h"
#include "storage/store.h"

namespace stator {

class SharedMemoryStore;

// The database. Rounds of all processes are decided one at a time, of one mutation each.
class SharedMemoryRows {
 public:
  using Sums = std::map<std::string, std::map<int, Sharing::Sum>>;  // by name and process

  // The store of another process; the first becomes the keeper. Must not outlive the rows.
  inline std::unique_ptr<SharedMemoryStore> MakeStore();
  // Takes effect with the next edition, which it makes.
  inline void SetKeeper(const SharedMemoryStore& store);

  Store& rows() { return *rows_; }
  std::uint64_t editions() const {
    const std::scoped_lock lock(mutex_);
    return editions_.size();
  }
  Sums sums() const {
    const std::scoped_lock lock(mutex_);
    return sums_;
  }

 private:
  friend class SharedMemoryStore;
  struct Edition {
    std::vector<std::string> keys;
    int keeper;
  };
  void AddEdition(std::vector<std::string> keys) {
    const std::scoped_lock lock(mutex_);
    editions_.push_back({std::move(keys), keeper_});
  }

  const std::unique_ptr<Store> rows_ = OpenMemoryStore();
  std::mutex round_;  // held while a mutation is decided and committed
  mutable std::mutex mutex_;
  std::deque<Edition> editions_;  // guarded by mutex_, as is all that follows
  int keeper_ = 0;
  int last_process_ = 0;
  Sums sums_;
  std::set<SharedMemoryStore*> processes_;  // that are alive
};

class SharedMemoryStore final : public BorrowedStore, public Sharing {
 public:
  SharedMemoryStore(SharedMemoryRows& shared, int process)
      : BorrowedStore(shared.rows()), shared_(shared), process_(process) {}

  ~SharedMemoryStore() override {
    {
      const std::scoped_lock lock(queue_mutex_);
      is_paused_ = false;
      is_closing_ = true;
    }
    woken_.notify_all();
    if (writer_.joinable()) writer_.join();
    if (pulse_.joinable()) pulse_.join();
    const std::scoped_lock lock(shared_.mutex_);
    shared_.processes_.erase(this);
  }

  int process() const { return process_; }
  // A paused process commits and learns nothing, and nobody waits for it.
  void Pause() {
    const std::scoped_lock lock(queue_mutex_);
    is_paused_ = true;
  }
  void Resume() {
    {
      const std::scoped_lock lock(queue_mutex_);
      is_paused_ = false;
    }
    woken_.notify_all();
  }
  // Whether it learns by itself, and not only before it decides.
  void SetListening(bool is_listening) { is_listening_ = is_listening; }

  Sharing* sharing() const override { return const_cast<SharedMemoryStore*>(this); }

  void Mutate(std::unique_ptr<Mutation> mutation) override {
    {
      const std::scoped_lock lock(queue_mutex_);
      queue_.push_back(std::move(mutation));
    }
    woken_.notify_all();
  }

  std::unique_ptr<ReadView> Snapshot() const override {
    const std::scoped_lock round(shared_.round_);
    return std::make_unique<View>(BorrowedStore::Snapshot(), shared_.sums());
  }
  StorageResult<void> Scan(const KeyRange& range, Direction direction, const Visitor& visit,
                           const ReadView* view = nullptr,
                           std::int64_t rows_wanted = 0) const override {
    const ReadView* const rows =
        view == nullptr ? nullptr : static_cast<const View*>(view)->rows.get();
    return BorrowedStore::Scan(range, direction, visit, rows, rows_wanted);
  }

  StorageResult<void> StartLearning(Learn learn) override {
    learn_ = std::move(learn);
    {
      const std::scoped_lock lock(shared_.mutex_);
      edition_ = shared_.editions_.size();
      is_keeper_ = shared_.keeper_ == process_;
      shared_.processes_.insert(this);
    }
    writer_ = std::thread([this] { RunWriter(); });
    pulse_ = std::thread([this] { RunPulse(); });
    return {};
  }
  std::uint64_t Edition() const override { return edition_; }
  bool IsCurrent() const override { return is_listening_ && !IsPaused(); }
  StorageResult<void> CatchUp() override { return LearnUpTo(shared_.editions()); }
  StorageResult<void> WaitUntilAllKnow() override {
    const std::uint64_t newest = shared_.editions();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!AllKnow(newest)) {
      if (std::chrono::steady_clock::now() > end) {
        return std::unexpected(StorageError{StorageError::Kind::kIo, "a process does not learn"});
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return {};
  }
  bool IsKeeper() const override { return is_keeper_; }
  void OnKeeperChange(std::function<void()> changed) override {
    const std::scoped_lock lock(learning_);
    keeper_changed_ = std::move(changed);
  }
  std::chrono::sys_time<std::chrono::milliseconds> Now() const override {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  }
  StorageResult<std::vector<Sum>> Sums(Whose whose, const ReadView* view) const override {
    const SharedMemoryRows::Sums sums =
        view == nullptr ? shared_.sums() : static_cast<const View*>(view)->sums;
    std::vector<Sum> all;
    for (const auto& [name, by_process] : sums) {
      Sum& total = all.emplace_back(Sum{name, 0, 0});
      for (const auto& [process, sum] : by_process) {
        if (whose == Whose::kElsewhere && process == process_) continue;
        total.items += sum.items;
        total.bytes += sum.bytes;
      }
    }
    return all;
  }

 private:
  struct View final : ReadView {
    View(std::unique_ptr<ReadView> view, SharedMemoryRows::Sums all)
        : rows(std::move(view)), sums(std::move(all)) {}
    const std::unique_ptr<ReadView> rows;
    const SharedMemoryRows::Sums sums;
  };

  // Collects what a mutation writes.
  class Batch final : public WriteBatch {
   public:
    void Put(std::string_view key, std::string_view value) override {
      keys_.emplace_back(key);
      Add([key = std::string(key), value = std::string(value)](WriteBatch& to) {
        to.Put(key, value);
      });
    }
    void Delete(std::string_view key) override {
      keys_.emplace_back(key);
      Add([key = std::string(key)](WriteBatch& to) { to.Delete(key); });
    }
    void DeleteRange(const KeyRange& range) override {
      Add([range](WriteBatch& to) { to.DeleteRange(range); });
    }
    void Append(std::string_view log, std::string_view record) override {
      Add([log = std::string(log), record = std::string(record)](WriteBatch& to) {
        to.Append(log, record);
      });
    }
    void Announce() override { is_announced = true; }
    void Add(std::string_view name, std::int64_t items, std::int64_t bytes) override {
      sums.push_back({std::string(name), items, bytes});
    }

    std::vector<std::function<void(WriteBatch&)>> writes;
    std::vector<Sharing::Sum> sums;
    bool is_announced = false;
    std::vector<std::string> TakeKeys() { return std::move(keys_); }

   private:
    void Add(std::function<void(WriteBatch&)> write) { writes.push_back(std::move(write)); }
    std::vector<std::string> keys_;
  };

  class Replay final : public Mutation {
   public:
    explicit Replay(const Batch& batch) : batch_(batch) {}
    std::span<const std::string> Keys() const override { return {}; }
    Verdict Decide(std::span<const std::optional<std::string_view>>, WriteBatch& to) override {
      for (const auto& write : batch_.writes) write(to);
      return Verdict::kCommit;
    }
    void Done(StorageResult<void>) override {}

   private:
    const Batch& batch_;
  };

  bool IsPaused() const {
    const std::scoped_lock lock(queue_mutex_);
    return is_paused_;
  }

  bool AllKnow(std::uint64_t edition) const {
    const std::scoped_lock lock(shared_.mutex_);
    return std::ranges::all_of(shared_.processes_, [&](const SharedMemoryStore* process) {
      return process->edition_ >= edition || !process->IsCurrent();
    });
  }

  StorageResult<void> LearnUpTo(std::uint64_t newest) {
    const std::scoped_lock lock(learning_);
    while (edition_ < newest) {
      SharedMemoryRows::Edition next;
      {
        const std::scoped_lock reading(shared_.mutex_);
        next = shared_.editions_[edition_];
      }
      if (!next.keys.empty()) RETURN_IF_ERROR(learn_(next.keys));
      const bool was_keeper = is_keeper_.exchange(next.keeper == process_);
      ++edition_;
      if (was_keeper != is_keeper_ && keeper_changed_) keeper_changed_();
    }
    return {};
  }

  StorageResult<void> RunRound(Mutation& mutation) {
    const std::scoped_lock round(shared_.round_);
    RETURN_IF_ERROR(LearnUpTo(shared_.editions()));
    ASSIGN_OR_RETURN(const std::vector<std::optional<std::string>> found,
                     MultiGet(mutation.Keys()));
    const std::vector<std::optional<std::string_view>> values(found.begin(), found.end());
    Batch batch;
    if (mutation.Decide(values, batch) == Mutation::Verdict::kAbandon) return {};
    RETURN_IF_ERROR(MutateAndWait(shared_.rows(), std::make_unique<Replay>(batch)));
    {
      const std::scoped_lock lock(shared_.mutex_);
      for (const Sum& added : batch.sums) {
        Sum& sum = shared_.sums_[added.name][process_];
        sum.items += added.items;
        sum.bytes += added.bytes;
      }
    }
    if (batch.is_announced) shared_.AddEdition(batch.TakeKeys());
    return {};
  }

  void RunWriter() {
    for (;;) {
      std::unique_ptr<Mutation> mutation;
      {
        std::unique_lock lock(queue_mutex_);
        woken_.wait(lock, [this] { return !is_paused_ && (is_closing_ || !queue_.empty()); });
        if (queue_.empty()) return;
        mutation = std::move(queue_.front());
        queue_.pop_front();
      }
      mutation->Done(RunRound(*mutation));
    }
  }

  void RunPulse() {
    for (;;) {
      {
        std::unique_lock lock(queue_mutex_);
        woken_.wait_for(lock, std::chrono::milliseconds(2), [this] { return is_closing_; });
        if (is_closing_) return;
        if (is_paused_ || !is_listening_) continue;
      }
      (void)LearnUpTo(shared_.editions());
    }
  }

  SharedMemoryRows& shared_;
  const int process_;
  Learn learn_;
  std::function<void()> keeper_changed_;  // guarded by learning_
  std::mutex learning_;
  std::atomic<std::uint64_t> edition_ = 0;
  std::atomic<bool> is_keeper_ = false;
  std::atomic<bool> is_listening_ = true;

  mutable std::mutex queue_mutex_;
  std::condition_variable woken_;
  std::deque<std::unique_ptr<Mutation>> queue_;
  bool is_paused_ = false;
  bool is_closing_ = false;
  std::thread writer_;
  std::thread pulse_;
};

std::unique_ptr<SharedMemoryStore> SharedMemoryRows::MakeStore() {
  int process = 0;
  {
    const std::scoped_lock lock(mutex_);
    process = ++last_process_;
    if (keeper_ == 0) keeper_ = process;
  }
  return std::make_unique<SharedMemoryStore>(*this, process);
}

void SharedMemoryRows::SetKeeper(const SharedMemoryStore& store) {
  const std::scoped_lock round(round_);
  {
    const std::scoped_lock lock(mutex_);
    keeper_ = store.process();
  }
  AddEdition({});
}

}  // namespace stator

#endif  // STATOR_ENGINE_TESTING_SHARED_MEMORY_STORE_H_
