#include "storage/postgres/round_writer.h"

#include <algorithm>
#include <random>
#include <utility>

#include "base/big_endian.h"
#include "base/log.h"
#include "base/random.h"
#include "base/try.h"
#include "base/work.h"
#include "storage/postgres/round_writes.h"
#include "storage/postgres/schema.h"
#include "storage/postgres/timing.h"

namespace stator::postgres {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t kRoundMax = 256;     // mutations
constexpr std::size_t kLookAhead = 1'000;  // how far into the queue a round looks for mutations
constexpr std::size_t kWorthwhile = 24;    // mutations, for another round beside those in flight
constexpr milliseconds kWaitForOthers{3};
constexpr int kAttemptsMax = 30;
constexpr milliseconds kTimeBesideOthers{2};  // of the processor, to be decided with others
constexpr seconds kTimeForRound{4};           // to begin again after the connection was lost
constexpr seconds kTimeToLookUp{4};

StorageError IsClosing() {
  return {StorageError::Kind::kClosed, "the store is shutting down; nothing was written"};
}
StorageError TakesTooLong() {
  return {StorageError::Kind::kTooLong,
          "the write takes too much processor time; nothing was written"};
}
StorageError TooManyWait() {
  return {StorageError::Kind::kBusy, "too many writes are waiting; nothing was written"};
}

// So that two that met do not meet again.
void RestBeforeAttempt(int attempts) {
  thread_local std::minstd_rand random{std::random_device{}()};
  const int most_us = std::min(20'000, 500 << std::min(attempts, 6));
  std::this_thread::sleep_for(
      std::chrono::microseconds(std::uniform_int_distribution(0, most_us)(random)));
}

}  // namespace

RoundWriter::RoundWriter(const PostgresOptions& options, const Store& store, Membership& membership,
                         std::vector<std::unique_ptr<Connection>> connections)
    : options_(options), store_(store), membership_(membership) {
  for (std::size_t i = 0; i < connections.size(); ++i) {
    lanes_.push_back(std::make_unique<Lane>());
    Lane& lane = *lanes_.back();
    lane.writer = membership.writers()[i];
    lane.connection = std::move(connections[i]);
    lane.thread = std::thread([this, &lane] { RunLane(lane); });
  }
}

void RoundWriter::Mutate(std::unique_ptr<Mutation> mutation) {
  const RealTime now = std::chrono::steady_clock::now();
  std::vector<std::unique_ptr<Mutation>> refused;
  StorageError reason = TooManyWait();
  {
    const std::scoped_lock lock(mutex_);
    RefuseLate(now, refused);
    const bool too_many =
        mutation->IsRefusable() && queue_.size() >= options_.write_limits.queued_max;
    if (closing_) reason = IsClosing();
    if (closing_ || too_many) {
      refused.push_back(std::move(mutation));
    } else {
      queue_.push_back({std::move(mutation), now});
      WakeOne();
    }
  }
  for (const std::unique_ptr<Mutation>& one : refused) one->Done(std::unexpected(reason));
}

// The oldest wait at the front.
void RoundWriter::RefuseLate(RealTime now, std::vector<std::unique_ptr<Mutation>>& refused) {
  while (!queue_.empty() && queue_.front().mutation->IsRefusable() &&
         now - queue_.front().since > options_.write_limits.wait) {
    refused.push_back(std::move(queue_.front().mutation));
    queue_.pop_front();
  }
}

void RoundWriter::Close() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
  }
  arrived_.notify_all();
  for (const std::unique_ptr<Lane>& lane : lanes_) {
    if (lane->thread.joinable()) lane->thread.join();
  }
}

RoundWriter::Counts RoundWriter::GetCounts() const {
  return {.commits = commits_.load(),
          .mutations = mutations_.load(),
          .retries = retries_.load(),
          .lookups = lookups_.load()};
}

bool RoundWriter::HasKeyInFlight(const Mutation& mutation,
                                 const std::unordered_set<std::string_view>& passed_over) const {
  return std::ranges::any_of(mutation.Keys(), [&](const std::string& key) {
    return in_flight_.contains(key) || passed_over.contains(key);
  });
}

// Few large rounds cost less than many small ones: the next one waits for enough mutations or for the rounds
// in flight, but not for long.
bool RoundWriter::IsWorthwhile() const {
  if (queue_.empty()) return false;
  return rounds_in_flight_ == 0 || queue_.size() >= kWorthwhile ||
         std::chrono::steady_clock::now() - queue_.front().since >= kWaitForOthers;
}

// A lane is woken only for a round, or to see to it that one begins in time.
void RoundWriter::WakeOne() {
  if (closing_) return arrived_.notify_all();
  if (IsWorthwhile() || (!queue_.empty() && !is_timed_)) arrived_.notify_one();
}

// Takes what can be decided now, in the order of arrival. A mutation that has a key in common with one
// that stays behind stays behind it. False if there is nothing.
bool RoundWriter::Collect(Round& round) {
  if (!IsWorthwhile() && !(closing_ && !queue_.empty())) return false;
  std::unordered_set<std::string_view> passed_over;
  std::deque<Queued> left;
  std::size_t looked_at = 0;
  while (!queue_.empty() && round.mutations.size() < kRoundMax && looked_at++ < kLookAhead) {
    Queued next = std::move(queue_.front());
    queue_.pop_front();
    // A lane is left for those who need not wait.
    const bool fits =
        !next.is_alone ||
        (round.mutations.empty() && (alone_in_flight_ + 1 < lanes_.size() || lanes_.size() == 1));
    if (!fits || HasKeyInFlight(*next.mutation, passed_over)) {
      passed_over.insert(next.mutation->Keys().begin(), next.mutation->Keys().end());
      left.push_back(std::move(next));
      continue;
    }
    round.is_alone = next.is_alone;
    round.mutations.push_back(std::move(next));
    if (round.is_alone) break;
  }
  while (!left.empty()) {
    queue_.push_front(std::move(left.back()));
    left.pop_back();
  }
  for (const Queued& one : round.mutations) {
    in_flight_.insert(one.mutation->Keys().begin(), one.mutation->Keys().end());
  }
  if (round.mutations.empty()) return false;
  if (round.is_alone) ++alone_in_flight_;
  ++rounds_in_flight_;
  return true;
}

void RoundWriter::RunLane(Lane& lane) {
  for (;;) {
    Round round;
    {
      std::unique_lock lock(mutex_);
      while (!Collect(round)) {
        if (closing_ && queue_.empty()) return;
        if (queue_.empty() || is_timed_) {
          arrived_.wait(lock);
        } else {
          is_timed_ = true;
          arrived_.wait_for(lock, kWaitForOthers);
          is_timed_ = false;
        }
      }
    }
    round.began = std::chrono::steady_clock::now();
    RunRound(lane, round);
  }
}

void RoundWriter::RunRound(Lane& lane, Round& round) {
  StorageResult<void> status;
  for (;;) {
    const StorageResult<End> end = Attempt(lane, round);
    if (!end) {
      status = std::unexpected(end.error());
      break;
    }
    if (*end == End::kDone) break;
    if (*end == End::kApart) {
      for (Queued& one : round.mutations) one.is_alone = true;
      std::vector<Queued> apart = std::move(round.mutations);
      {
        const std::scoped_lock lock(mutex_);
        for (const Queued& one : apart) {
          RemoveInFlight(*one.mutation);
        }
        if (round.is_alone) --alone_in_flight_;
        --rounds_in_flight_;
        while (!apart.empty()) {
          queue_.push_front(std::move(apart.back()));
          apart.pop_back();
        }
      }
      arrived_.notify_all();
      return;
    }
    retries_.fetch_add(1, std::memory_order_relaxed);
    if (*end == End::kAgainLocked) {
      round.locks_edition = true;
    } else {
      RestBeforeAttempt(++round.attempts);
    }
  }
  Finish(round, status);
}

void RoundWriter::Finish(Round& round, const StorageResult<void>& status) {
  {
    const std::scoped_lock lock(mutex_);
    for (const Queued& one : round.mutations) {
      RemoveInFlight(*one.mutation);
    }
    if (round.is_alone) --alone_in_flight_;
    --rounds_in_flight_;
    WakeOne();
  }
  for (Queued& one : round.mutations) {
    one.mutation->Done(status);
    one.mutation.reset();
  }
}

StorageResult<RoundWriter::End> RoundWriter::Attempt(Lane& lane, Round& round) {
  RETURN_IF_ERROR(Connect(lane, round.began + kTimeForRound));
  Decisions decisions;
  for (const Queued& one : round.mutations) decisions.WillRead(one.mutation->Keys());
  decisions.WillRead(round.also_locks);
  const auto token = static_cast<std::int64_t>(ReadBigEndian(RandomBytes(8)));
  std::int64_t edition = 0;
  if (auto read = LockAndRead(lane, round, decisions, token, edition); !read) {
    (void)Rollback(lane);
    return AfterFailure(read.error(), round);
  }
  // No newer edition can come while the writer's row is locked.
  if (auto learnt = membership_.LearnUpTo(static_cast<std::uint64_t>(edition)); !learnt) {
    (void)Rollback(lane);
    return std::unexpected(learnt.error());
  }
  DecideAll(round, decisions);
  if (const auto absent = decisions.AbsentWhenAbandoned(); !absent.empty()) {
    // What was there is locked: with what is still absent now, all of it holds at this moment.
    const auto found =
        lane.connection->Run(sql::kFindAny, {Parameter::ByteArray(absent)}, After(kTimeToWrite));
    if (!found || found->size() > 0) (void)Rollback(lane);
    if (!found) return AfterFailure(found.error(), round);
    if (found->size() > 0) {
      return AfterFailure({.sqlstate = "40001", .message = "others came first too often"}, round);
    }
  }
  if (decisions.WritesNothing()) {
    (void)Rollback(lane);
    return End::kDone;
  }
  if (decisions.Announces() && !round.locks_edition) {
    (void)Rollback(lane);
    round.also_locks = decisions.WrittenKeys();
    return End::kAgainLocked;
  }
  if (auto found = FindLogs(decisions); !found) {
    (void)Rollback(lane);
    return std::unexpected(found.error());
  }
  QueueWrites(*lane.connection, lane.writer, decisions, options_.part_of);
  const auto written = lane.connection->Run(After(kTimeToWrite));
  if (!written) {
    if (!written.error().IsLost()) {
      (void)Rollback(lane);
      return AfterFailure(written.error(), round);
    }
    lookups_.fetch_add(1, std::memory_order_relaxed);
    ASSIGN_OR_RETURN(const bool happened, LookUp(lane, token, After(kTimeToLookUp)));
    if (!happened) return End::kAgain;
  }
  commits_.fetch_add(1, std::memory_order_relaxed);
  mutations_.fetch_add(round.mutations.size(), std::memory_order_relaxed);
  return End::kDone;
}

Outcome<void> RoundWriter::LockAndRead(Lane& lane, const Round& round, Decisions& decisions,
                                       std::int64_t token, std::int64_t& edition) {
  Connection& connection = *lane.connection;
  const std::vector<std::string_view> keys = decisions.KeysToRead();
  connection.Queue(sql::kBegin);
  const bool waits = round.is_alone || round.locks_edition;
  if (waits) connection.Queue(sql::kWaitForLocks);
  const bool one_by_one = keys.size() == 1 || options_.locks_each_row;
  if (!one_by_one && !keys.empty()) {
    connection.Queue(sql::kLock, {Parameter::ByteArray(keys)});
  }
  for (std::size_t i = 0; one_by_one && i < keys.size(); ++i) {
    connection.Queue(sql::kLockOne,
                     {Parameter::Borrowed(keys[i]), Parameter::Integer(options_.part_of(keys[i]))});
  }
  if (round.locks_edition) connection.Queue(sql::kLockEdition);
  connection.Queue(sql::kLockWriter, {Parameter::Integer(lane.writer), Parameter::Integer(token)});
  auto results = connection.Run(After(kTimeToWrite));
  if (!results) return std::unexpected(results.error());
  const Rows& writer = results->back();
  if (writer.size() != 1 || writer.Integer(0, 1) != membership_.server()) {
    return std::unexpected(Failure{
        "F0000",
        "this server was away for more than a minute and others took its place; restart it"});
  }
  edition = writer.Integer(0, 0);
  membership_.time().Heard(writer.Integer(0, 2));
  const std::size_t first = waits ? 2 : 1;
  const std::size_t statements = one_by_one ? keys.size() : std::min<std::size_t>(keys.size(), 1);
  for (std::size_t k = first; k < first + statements; ++k) {
    const Rows& found = (*results)[k];
    for (int i = 0; i < found.size(); ++i) decisions.SetRead(found.Bytes(i, 0), found.Bytes(i, 1));
  }
  return {};
}

// A mutation that takes long is put back, to be decided in a round of its own. So are those behind one that
// announces: they must know what it announces.
void RoundWriter::DecideAll(Round& round, Decisions& decisions) {
  std::vector<Queued> decided;
  std::vector<Queued> put_back;
  std::vector<std::unique_ptr<Mutation>> refused;
  for (Queued& one : round.mutations) {
    if (decisions.Announces()) {
      put_back.push_back(std::move(one));
      continue;
    }
    Work::Limits limits;
    if (one.mutation->IsRefusable()) {
      limits.processor_time =
          one.is_alone ? options_.write_limits.processor_time
                       : std::min(kTimeBesideOthers, options_.write_limits.processor_time);
    }
    const Work work(limits);
    if (decisions.Decide(*one.mutation) == Decisions::End::kDecided) {
      decided.push_back(std::move(one));
    } else if (one.is_alone || options_.write_limits.processor_time <= kTimeBesideOthers) {
      refused.push_back(std::move(one.mutation));
    } else {
      one.is_alone = true;
      put_back.push_back(std::move(one));
    }
  }
  round.mutations = std::move(decided);
  if (put_back.empty() && refused.empty()) return;
  {
    const std::scoped_lock lock(mutex_);
    for (const Queued& one : put_back) RemoveInFlight(*one.mutation);
    for (const std::unique_ptr<Mutation>& mutation : refused) RemoveInFlight(*mutation);
    // Others of this round may have the same keys.
    for (const Queued& one : round.mutations) {
      in_flight_.insert(one.mutation->Keys().begin(), one.mutation->Keys().end());
    }
    while (!put_back.empty()) {
      queue_.push_front(std::move(put_back.back()));
      put_back.pop_back();
    }
    WakeOne();
  }
  for (const std::unique_ptr<Mutation>& mutation : refused) {
    mutation->Done(std::unexpected(TakesTooLong()));
  }
}

void RoundWriter::RemoveInFlight(const Mutation& mutation) {
  for (const std::string& key : mutation.Keys()) in_flight_.erase(key);
}

// A log may have records that were not appended here: copied ones.
StorageResult<void> RoundWriter::FindLogs(const Decisions& decisions) {
  for (const auto& [log, records] : decisions.Records()) {
    {
      const std::scoped_lock lock(logs_mutex_);
      if (known_logs_.contains(log)) continue;
    }
    KeyRange range{.begin = LogKey(log, 0), .end = LogKey(log, ~std::uint64_t{0})};
    range.end.push_back('\0');
    std::uint64_t last = 0;
    RETURN_IF_ERROR(
        store_.Scan(range, Direction::kReverse, [&](std::string_view key, std::string_view) {
          if (key.size() != log.size() + 8) return true;
          last = ReadBigEndian(key.substr(key.size() - 8));
          return false;
        }));
    RETURN_IF_ERROR(membership_.MakeLog(log, last));
    const std::scoped_lock lock(logs_mutex_);
    known_logs_.insert(log);
  }
  return {};
}

Outcome<void> RoundWriter::Rollback(Lane& lane) {
  if (!lane.connection || lane.connection->IsLost()) return {};
  lane.connection->Queue(sql::kRollback);
  lane.connection->RunAndForget();
  return {};
}

StorageResult<RoundWriter::End> RoundWriter::AfterFailure(const Failure& failure,
                                                          const Round& round) const {
  if (failure.IsLost()) return End::kAgain;
  if (failure.IsTimeout() && !round.is_alone) return End::kApart;
  if (failure.IsConflict() && round.attempts < kAttemptsMax) return End::kAgain;
  return std::unexpected(failure.AsStorageError());
}

StorageResult<void> RoundWriter::Connect(Lane& lane, RealTime deadline) {
  if (lane.connection && !lane.connection->IsLost()) return {};
  for (;;) {
    lane.connection.reset();
    auto opened = Connection::Open(options_.url, kWriteSettings, After(kTimeToWrite));
    if (opened) {
      lane.connection = *std::move(opened);
      return {};
    }
    if (std::chrono::steady_clock::now() + kReconnectEvery > deadline) {
      return std::unexpected(opened.error().AsStorageError());
    }
    std::this_thread::sleep_for(kReconnectEvery);
  }
}

// The transaction that was lost, if it is still running, holds the row of the writer: the lock waits
// for its end.
StorageResult<bool> RoundWriter::LookUp(Lane& lane, std::int64_t token, RealTime deadline) {
  for (;;) {
    RETURN_IF_ERROR(Connect(lane, deadline));
    lane.connection->Queue(sql::kBegin);
    lane.connection->Queue(sql::kReadToken, {Parameter::Integer(lane.writer)});
    lane.connection->Queue(sql::kCommit);
    const auto results = lane.connection->Run(After(kTimeToWrite));
    if (results) {
      const Rows& writer = (*results)[1];
      if (writer.size() == 1 && writer.Integer(0, 1) == membership_.server()) {
        return writer.Integer(0, 0) == token;
      }
      return std::unexpected(StorageError{
          StorageError::Kind::kIo, "whether the write has happened cannot be found out any more"});
    }
    (void)Rollback(lane);
    if (std::chrono::steady_clock::now() > deadline) {
      return std::unexpected(results.error().AsStorageError());
    }
    std::this_thread::sleep_for(kReconnectEvery);
  }
}

}  // namespace stator::postgres
