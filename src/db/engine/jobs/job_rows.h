// JobRows: the jobs of one kind that a database has: exports, imports or bulk operations. Each is a
// row of the catalog, so that it outlives a restart.
//
//   0x01 prefix id   →   the job's JSON
#ifndef STATOR_ENGINE_JOBS_JOB_ROWS_H_
#define STATOR_ENGINE_JOBS_JOB_ROWS_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/jobs/job_codec.h"
#include "engine/store_access.h"
#include "stator/result.h"
#include "stator/transfer_operations.h"
#include "storage/store.h"
#include "transfer/transfer_error.h"

namespace stator {

// Thread-safe; changes are made on the background thread. On a shared store Learn publishes them
// (catalog/catalog.h); a run's progress in between is shown where it runs. Job has an id, kRowPrefix, Encode, Decode,
// is_over and `shown` with start_ms, end_ms and client_token.
template <class Job>
class JobRows {
 public:
  using Ptr = std::shared_ptr<const Job>;

  static StorageResult<std::unique_ptr<JobRows>> Load(Store& store) {
    std::unique_ptr<JobRows> jobs(new JobRows(store));
    const std::string prefix = Prefix();
    bool is_damaged = false;
    const auto visit = [&](std::string_view key, std::string_view value) {
      if (job_codec::IsOfEarlierFormat(value)) {
        Log(LogLevel::kWarning, "a job of an earlier version of Stator is left out",
            {{"job", key.substr(1)}});
        return true;
      }
      std::optional<Job> job = Job::Decode(value);
      is_damaged = !job || key.substr(prefix.size()) != job->id;
      if (!is_damaged) jobs->Publish(*std::move(job));
      return !is_damaged;
    };
    RETURN_IF_ERROR(store.Scan(RowsWithPrefix(prefix), Direction::kForward, visit));
    if (is_damaged) return std::unexpected(Damage());
    return jobs;
  }

  // Null if there is no such job.
  Ptr Find(std::string_view id) const {
    const std::scoped_lock lock(mutex_);
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : found->second;
  }
  // Ascending by id, which begins with the time.
  std::vector<Ptr> All() const {
    const std::scoped_lock lock(mutex_);
    std::vector<Ptr> all;
    all.reserve(by_id_.size());
    for (const auto& [id, job] : by_id_) all.push_back(job);
    return all;
  }
  // The newest job with this token that began at `since_ms` or later; null if there is none.
  Ptr FindByToken(std::string_view token, std::int64_t since_ms) const {
    const std::scoped_lock lock(mutex_);
    for (auto at = by_id_.rbegin(); at != by_id_.rend(); ++at) {
      const auto& shown = at->second->shown;
      if (shown.client_token == token && shown.start_ms >= since_ms) return at->second;
    }
    return nullptr;
  }

  std::size_t CountInProgress() const {
    const std::scoped_lock lock(mutex_);
    return static_cast<std::size_t>(
        std::ranges::count_if(by_id_, [](const auto& row) { return !row.second->is_over(); }));
  }

  static std::string KeyOf(const Job& job) { return Prefix() + job.id; }

  // Returns when the row is durable and lookups see the job.
  Result<Ptr> Put(Job job) {
    RETURN_IF_ERROR(WriteCatalogRows(
        store_, [&]() -> Result<RawRows> { return RawRows{{KeyOf(job), job.Encode()}}; }));
    if (store_.sharing() != nullptr) return std::make_shared<const Job>(std::move(job));
    return Publish(std::move(job));
  }
  // The row of a job as it is stored, which it then also shows: on a shared store another process may
  // have been running it. Empty if it is gone.
  Result<std::string> Reload(const std::string& id) {
    std::string row;
    ASSIGN_OR_RETURN(const bool found, FromStorage(store_.Get(Prefix() + id, row)));
    std::optional<Job> job = found ? Job::Decode(row) : std::nullopt;
    if (job) Publish(*std::move(job));
    return row;
  }
  // As Catalog::Learn.
  StorageResult<bool> Learn(std::string_view key, std::optional<std::string_view> value) {
    const std::string prefix = Prefix();
    if (!key.starts_with(prefix)) return false;
    const std::string id(key.substr(prefix.size()));
    if (value && job_codec::IsOfEarlierFormat(*value)) return true;
    std::optional<Job> job = value ? Job::Decode(*value) : std::nullopt;
    if (value && !job) return std::unexpected(Damage());
    if (job) {
      Publish(*std::move(job));
    } else {
      const std::scoped_lock lock(mutex_);
      by_id_.erase(id);
    }
    return true;
  }
  // Makes a job visible whose row the caller writes, or will write later.
  Ptr Publish(Job job) {
    Ptr shown = std::make_shared<const Job>(std::move(job));
    const std::scoped_lock lock(mutex_);
    by_id_[shown->id] = shown;
    return shown;
  }
  // Of the jobs that are over, removes those that ended before `oldest_ms`, and all but the newest
  // `kept_max`.
  Result<void> Forget(std::int64_t oldest_ms, std::size_t kept_max) {
    std::vector<Ptr> over = All();
    std::erase_if(over, [](const Ptr& job) { return !job->is_over(); });
    const std::size_t surplus = over.size() - std::min(over.size(), kept_max);
    for (std::size_t i = 0; i < over.size(); ++i) {
      if (i >= surplus && over[i]->shown.end_ms.value_or(oldest_ms) >= oldest_ms) continue;
      RETURN_IF_ERROR(Remove(*over[i]));
    }
    return {};
  }

 private:
  Result<void> Remove(const Job& job) {
    RETURN_IF_ERROR(WriteRawRows(store_, {{KeyOf(job), std::nullopt}}));
    const std::scoped_lock lock(mutex_);
    by_id_.erase(job.id);
    return {};
  }
  explicit JobRows(Store& store) : store_(store) {}
  static StorageError Damage() {
    return {StorageError::Kind::kCorrupt, "the catalog is damaged (the row of an " +
                                              std::string(Job::kRowPrefix) +
                                              "); restore the data directory from a backup"};
  }
  static std::string Prefix() {
    return std::string(1, kCatalogSpace) + std::string(Job::kRowPrefix);
  }

  Store& store_;
  mutable std::mutex mutex_;
  std::map<std::string, Ptr, std::less<>> by_id_;  // guarded by mutex_
};

// What a client is told about a job whose files fail.
JobFailure FailureOf(const transfer::TransferError& error);

// Bytes from outside, such as file names, as text that JSON can hold: in bytes that are not UTF-8
// every one that is not ASCII becomes '?', and long text is cut.
std::string AsText(std::string_view bytes);

}  // namespace stator

#endif  // STATOR_ENGINE_JOBS_JOB_ROWS_H_
