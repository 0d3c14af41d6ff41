#include "storage/postgres/pool.h"

#include "storage/postgres/timing.h"

namespace stator::postgres {
namespace {

constexpr std::chrono::milliseconds kMaxWaitForConnection{500};

}  // namespace

Outcome<void> Pool::Fill() {
  for (int i = 0; i < size_; ++i) {
    auto opened = Connection::Open(url_, kReadSettings, After(kTimeToOpen));
    if (!opened) return std::unexpected(opened.error());
    const std::scoped_lock lock(mutex_);
    idle_.push_back(*std::move(opened));
  }
  return {};
}

StorageResult<Pool::Lease> Pool::Take() {
  {
    std::unique_lock lock(mutex_);
    const bool is_free =
        returned_.wait_for(lock, kMaxWaitForConnection, [this] { return in_use_ < size_; });
    if (!is_free) {
      ++refused_;
      return std::unexpected(
          StorageError{StorageError::Kind::kBusy, "all connections to the database are in use"});
    }
    ++in_use_;
    if (!idle_.empty()) {
      std::unique_ptr<Connection> connection = std::move(idle_.back());
      idle_.pop_back();
      return Lease(*this, std::move(connection));
    }
  }
  auto opened = Connection::Open(url_, kReadSettings, After(kTimeToOpen));
  if (opened) return Lease(*this, *std::move(opened));
  GiveBack(nullptr);
  return std::unexpected(opened.error().AsStorageError());
}

void Pool::GiveBack(std::unique_ptr<Connection> connection) {
  {
    const std::scoped_lock lock(mutex_);
    --in_use_;
    if (connection && !connection->IsLost()) idle_.push_back(std::move(connection));
  }
  returned_.notify_one();
}

void Pool::ForgetIdle() {
  std::vector<std::unique_ptr<Connection>> closed_outside_the_lock;
  const std::scoped_lock lock(mutex_);
  closed_outside_the_lock.swap(idle_);
}

Pool::Counts Pool::GetCounts() const {
  const std::scoped_lock lock(mutex_);
  return {.open = in_use_ + static_cast<int>(idle_.size()), .in_use = in_use_, .refused = refused_};
}

}  // namespace stator::postgres
