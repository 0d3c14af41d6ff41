// Pool: the connections that reads use, one read at a time each.
#ifndef STATOR_STORAGE_POSTGRES_POOL_H_
#define STATOR_STORAGE_POSTGRES_POOL_H_

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "storage/postgres/connection.h"
#include "storage/store.h"

namespace stator::postgres {

// Thread-safe.
class Pool {
 public:
  Pool(std::string url, int size) : url_(std::move(url)), size_(size) {}

  // A connection for as long as the lease lives.
  class Lease {
   public:
    Lease(Pool& pool, std::unique_ptr<Connection> connection)
        : pool_(&pool), connection_(std::move(connection)) {}
    ~Lease() {
      if (connection_) pool_->GiveBack(std::move(connection_));
    }
    Lease(Lease&&) = default;
    Lease& operator=(Lease&&) = delete;
    Connection& operator*() const { return *connection_; }
    Connection* operator->() const { return connection_.get(); }

   private:
    Pool* pool_;
    std::unique_ptr<Connection> connection_;
  };

  // Opens them all, so that it is known that there are enough.
  Outcome<void> Fill();

  // Waits for a moment if all are in use, then kBusy.
  StorageResult<Lease> Take();

  // Runs `read` with a connection, and again with a new one if the connection turns out to be lost: a
  // read can be repeated. `read` returns an Outcome.
  template <class Read>
  auto WithConnection(const Read& read)
      -> StorageResult<typename std::invoke_result_t<Read, Connection&>::value_type> {
    const RealTime patience = After(kTimeToRepeat);
    for (;;) {
      StorageResult<Lease> lease = Take();
      if (!lease) return std::unexpected(lease.error());
      auto outcome = read(**lease);
      if (outcome) {
        if constexpr (std::is_void_v<typename decltype(outcome)::value_type>) {
          return {};
        } else {
          return *std::move(outcome);
        }
      }
      if (!outcome.error().IsLost() || std::chrono::steady_clock::now() > patience) {
        return std::unexpected(outcome.error().AsStorageError());
      }
      ForgetIdle();
    }
  }

  struct Counts {
    int open = 0;
    int in_use = 0;
    std::uint64_t refused = 0;  // because all were in use
  };
  Counts GetCounts() const;

 private:
  // What was lost sooner, was lost before.
  static constexpr std::chrono::milliseconds kTimeToRepeat{1'000};

  void GiveBack(std::unique_ptr<Connection> connection);
  // After one connection was lost, the others are suspect.
  void ForgetIdle();

  const std::string url_;
  const int size_;
  mutable std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::unique_ptr<Connection>> idle_;
  int in_use_ = 0;
  std::uint64_t refused_ = 0;
};

}  // namespace stator::postgres

#endif  // STATOR_STORAGE_POSTGRES_POOL_H_
