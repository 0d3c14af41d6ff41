// Membership: this process among those that share the database. It knows the edition, beats so that the
// others see it, and is the keeper if no other is.
#ifndef STATOR_STORAGE_POSTGRES_MEMBERSHIP_H_
#define STATOR_STORAGE_POSTGRES_MEMBERSHIP_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "storage/postgres/connection.h"
#include "storage/postgres/database_time.h"
#include "storage/postgres/pool.h"
#include "storage/store.h"

namespace stator::postgres {

// A view of the store on a connection of its own: one transaction that sees no later commit.
class View final : public ReadView {
 public:
  explicit View(StorageResult<Pool::Lease> lease) : lease_(std::move(lease)) {}
  ~View() override;
  // Runs `read` on the view's connection, one thread at a time.
  template <class Read>
  auto WithConnection(const Read& read) const
      -> StorageResult<typename std::invoke_result_t<Read, Connection&>::value_type> {
    const std::scoped_lock lock(mutex_);
    if (!lease_) return std::unexpected(lease_.error());
    auto outcome = read(**lease_);
    if (!outcome) return std::unexpected(outcome.error().AsStorageError());
    return *std::move(outcome);
  }

 private:
  mutable std::mutex mutex_;
  StorageResult<Pool::Lease> lease_;
};

// The keys that an edition has changed, in one string: each with its length in four bytes before it.
std::string EncodeKeys(std::span<const std::string_view> keys);

class Membership final : public Sharing {
 public:
  // `pool` is for the reads of learning, and must outlive it.
  Membership(std::string url, Pool& pool, bool may_keep);
  ~Membership() override;

  // Takes rows of stator_writers for this process, and begins to beat.
  StorageResult<void> Join(int writers);
  // Lets others take over at once. The rounds have ended.
  void Leave();

  std::int64_t server() const { return server_; }
  std::span<const std::int64_t> writers() const { return writers_; }
  DatabaseTime& time() { return time_; }
  // A round is to be decided by this edition: learns all up to it.
  StorageResult<void> LearnUpTo(std::uint64_t edition);
  // The log exists, with at least this last number.
  StorageResult<void> MakeLog(std::string_view log, std::uint64_t last);
  // How long ago the database was last asked for the edition, and answered.
  std::uint64_t LagMs() const;
  // Whether that is too long.
  bool IsSilent() const;
  // Why the database cannot be used; nullopt if it can.
  std::optional<StorageError> Failure() const;

  StorageResult<void> StartLearning(Learn learn) override;
  std::uint64_t Edition() const override { return edition_.load(std::memory_order_acquire); }
  bool IsCurrent() const override;
  StorageResult<void> CatchUp() override;
  StorageResult<void> WaitUntilAllKnow() override;
  bool IsKeeper() const override { return is_keeper_.load(std::memory_order_acquire); }
  void OnKeeperChange(std::function<void()> changed) override;
  std::chrono::sys_time<std::chrono::milliseconds> Now() const override { return time_.Now(); }
  StorageResult<std::vector<Sum>> Sums(Whose whose, const ReadView* view) const override;

 private:
  Outcome<void> TakeWriters(Connection& connection, int count);
  Outcome<std::vector<Sum>> ReadSums(Connection& connection, Whose whose) const;
  void RunPulse();
  StorageResult<void> Poll(Connection& connection);
  Outcome<void> Beat(Connection& connection);
  Outcome<void> BecomeKeeper(Connection& connection);
  StorageResult<void> LearnEditions(std::uint64_t up_to);
  void SetKeeper(bool is_keeper);
  void Succeeded(RealTime asked_at);

  const std::string url_;
  Pool& pool_;
  const bool may_keep_;
  const std::int64_t server_;
  std::vector<std::int64_t> writers_;
  // What the rows of `writers_` had been given by others before.
  std::map<std::string, std::pair<std::int64_t, std::int64_t>, std::less<>> inherited_;
  DatabaseTime time_;

  std::mutex learning_;  // one edition after the other
  Learn learn_;
  std::atomic<std::uint64_t> edition_ = 0;
  std::atomic<std::int64_t> current_until_ms_ = 0;  // of the steady clock
  std::atomic<bool> is_keeper_ = false;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<StorageError> failure_;     // guarded by mutex_
  std::function<void()> on_keeper_change_;  // guarded by mutex_
  bool must_beat_ = true;                   // guarded by mutex_
  bool stopping_ = false;                   // guarded by mutex_
  std::thread pulse_;
};

}  // namespace stator::postgres

#endif  // STATOR_STORAGE_POSTGRES_MEMBERSHIP_H_
