#include "storage/postgres/membership.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/big_endian.h"
#include "base/log.h"
#include "base/random.h"
#include "base/try.h"
#include "storage/postgres/schema.h"
#include "storage/postgres/timing.h"

namespace stator::postgres {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kPollEvery{25};
constexpr milliseconds kBeatEvery{500};
// Others wait for a process that has beaten within two seconds; until then it may rest on what it knows.
constexpr milliseconds kCurrentFor{1'000};
constexpr seconds kTimeForAll{5};
constexpr std::uint64_t kSilenceMaxMs = 3'000;
constexpr std::uint64_t kEditionsKept = 100'000;

std::int64_t NewServerId() {
  return static_cast<std::int64_t>(ReadBigEndian(RandomBytes(8)) >> 1U) | 1;
}

std::vector<std::string> DecodeKeys(std::string_view bytes) {
  std::vector<std::string> keys;
  while (bytes.size() >= 4) {
    const std::uint64_t size = TakeBigEndian(bytes, 4);
    keys.emplace_back(bytes.substr(0, size));
    bytes.remove_prefix(std::min<std::size_t>(size, bytes.size()));
  }
  return keys;
}

std::int64_t SteadyMs(RealTime time) {
  return std::chrono::floor<milliseconds>(time.time_since_epoch()).count();
}

StorageError AsStorageError(const Failure& failure) { return failure.AsStorageError(); }

}  // namespace

std::string EncodeKeys(std::span<const std::string_view> keys) {
  std::string bytes;
  for (const std::string_view key : keys) {
    AppendBigEndian(bytes, key.size(), 4);
    bytes.append(key);
  }
  return bytes;
}

View::~View() {
  if (!lease_) return;
  (*lease_)->Queue(sql::kCommit);
  (*lease_)->RunAndForget();
}

Membership::Membership(std::string url, Pool& pool, bool may_keep)
    : url_(std::move(url)), pool_(pool), may_keep_(may_keep), server_(NewServerId()) {}

Membership::~Membership() { Leave(); }

StorageResult<void> Membership::Join(int writers) {
  auto connection = Connection::Open(url_, kAskSettings, After(kTimeToOpen));
  if (!connection) return std::unexpected(AsStorageError(connection.error()));
  if (auto taken = TakeWriters(**connection, writers); !taken) {
    return std::unexpected(AsStorageError(taken.error()));
  }
  RETURN_IF_ERROR(Poll(**connection));
  if (auto beaten = Beat(**connection); !beaten) {
    return std::unexpected(AsStorageError(beaten.error()));
  }
  pulse_ = std::thread([this] { RunPulse(); });
  return {};
}

// With the edition locked, no new edition can miss the rows.
Outcome<void> Membership::TakeWriters(Connection& connection, int count) {
  const RealTime deadline = After(kTimeToOpen);
  connection.Queue(sql::kBegin);
  connection.Queue(sql::kLockEdition);
  // Before it takes rows, so that nobody takes them from a server that has not beaten yet.
  connection.Queue(sql::kBeat, {Parameter::Integer(server_), Parameter::Integer(0)});
  connection.Queue(sql::kFreeWriters, {Parameter::Integer(count)});
  connection.Queue(sql::kLastWriter);
  auto found = connection.Run(deadline);
  if (!found) return std::unexpected(found.error());
  const Rows& free = (*found)[3];
  std::int64_t next = (*found)[4].Integer(0, 0) + 1;
  for (int i = 0; i < count; ++i) {
    writers_.push_back(i < free.size() ? free.Integer(i, 0) : next++);
    connection.Queue(sql::kTakeWriter,
                     {Parameter::Integer(writers_.back()), Parameter::Integer(server_)});
  }
  connection.Queue(sql::kSumsHere, {Parameter::IntegerArray(writers_)});
  connection.Queue(sql::kReadEdition);
  connection.Queue(sql::kCommit);
  auto taken = connection.Run(deadline);
  if (!taken) return std::unexpected(taken.error());
  const Rows& here = (*taken)[count];
  for (int i = 0; i < here.size(); ++i) {
    inherited_[std::string(here.Bytes(i, 0))] = {here.Integer(i, 1), here.Integer(i, 2)};
  }
  // What is loaded from now on knows at least this edition.
  edition_.store(static_cast<std::uint64_t>((*taken)[count + 1].Integer(0, 0)));
  return {};
}

void Membership::Leave() {
  {
    const std::scoped_lock lock(mutex_);
    if (stopping_) return;
    stopping_ = true;
  }
  wake_.notify_all();
  if (!pulse_.joinable()) return;
  pulse_.join();
  (void)pool_.WithConnection([this](Connection& connection) {
    connection.Queue(sql::kLeaveKeeper, {Parameter::Integer(server_)});
    connection.Queue(sql::kLeaveWriters, {Parameter::Integer(server_)});
    connection.Queue(sql::kForgetServers, {Parameter::Integer(server_)});
    return connection.Run(After(kTimeToAsk));
  });
}

StorageResult<void> Membership::StartLearning(Learn learn) {
  const std::scoped_lock lock(learning_);
  learn_ = std::move(learn);
  return {};
}

bool Membership::IsCurrent() const {
  return SteadyMs(std::chrono::steady_clock::now()) <
         current_until_ms_.load(std::memory_order_relaxed);
}

std::uint64_t Membership::LagMs() const {
  const std::int64_t heard =
      current_until_ms_.load(std::memory_order_relaxed) - kCurrentFor.count();
  return static_cast<std::uint64_t>(
      std::max<std::int64_t>(0, SteadyMs(std::chrono::steady_clock::now()) - heard));
}

void Membership::Succeeded(RealTime asked_at) {
  current_until_ms_.store(SteadyMs(asked_at + kCurrentFor), std::memory_order_relaxed);
}

bool Membership::IsSilent() const { return LagMs() > kSilenceMaxMs; }

std::optional<StorageError> Membership::Failure() const {
  if (IsSilent()) {
    return StorageError{StorageError::Kind::kIo,
                        fmt::format("the database has not answered for {} ms", LagMs())};
  }
  const std::scoped_lock lock(mutex_);
  return failure_;
}

StorageResult<void> Membership::MakeLog(std::string_view log, std::uint64_t last) {
  RETURN_IF_ERROR(pool_.WithConnection([&](Connection& connection) {
    return connection.Run(
        sql::kMakeLog,
        {Parameter::Borrowed(log), Parameter::Integer(static_cast<std::int64_t>(last))},
        After(kTimeToAsk));
  }));
  return {};
}

void Membership::OnKeeperChange(std::function<void()> changed) {
  const std::scoped_lock lock(mutex_);
  on_keeper_change_ = std::move(changed);
}

void Membership::SetKeeper(bool is_keeper) {
  if (is_keeper_.exchange(is_keeper) == is_keeper) return;
  Log(LogLevel::kInfo, is_keeper ? "this server works in the background now"
                                 : "another server works in the background now");
  std::function<void()> changed;
  {
    const std::scoped_lock lock(mutex_);
    changed = on_keeper_change_;
  }
  if (changed) changed();
}

StorageResult<void> Membership::CatchUp() {
  const RealTime asked_at = std::chrono::steady_clock::now();
  ASSIGN_OR_RETURN(const Rows rows, pool_.WithConnection([](Connection& connection) {
    return connection.Run(sql::kReadEdition, {}, After(kTimeToAsk));
  }));
  time_.Heard(rows.Integer(0, 1));
  RETURN_IF_ERROR(LearnUpTo(static_cast<std::uint64_t>(rows.Integer(0, 0))));
  Succeeded(asked_at);
  return {};
}

StorageResult<void> Membership::LearnUpTo(std::uint64_t edition) {
  if (edition <= Edition()) return {};
  const std::scoped_lock lock(learning_);
  if (edition <= Edition()) return {};
  RETURN_IF_ERROR(LearnEditions(edition));
  {
    const std::scoped_lock beat_lock(mutex_);
    must_beat_ = true;
  }
  wake_.notify_all();
  return {};
}

// REQUIRES: learning_ is held.
StorageResult<void> Membership::LearnEditions(std::uint64_t up_to) {
  struct Found {
    Rows editions;
    std::int64_t keeper;
  };
  ASSIGN_OR_RETURN(
      const Found found, pool_.WithConnection([&](Connection& connection) -> Outcome<Found> {
        const auto from = static_cast<std::int64_t>(Edition());
        connection.Queue(
            sql::kReadEditions,
            {Parameter::Integer(from), Parameter::Integer(static_cast<std::int64_t>(up_to))});
        connection.Queue(sql::kReadKeeper);
        auto results = connection.Run(After(kTimeToAsk));
        if (!results) return std::unexpected(results.error());
        const std::int64_t keeper = (*results)[1].Integer(0, 0);
        return Found{std::move((*results)[0]), keeper};
      }));
  if (static_cast<std::uint64_t>(found.editions.size()) != up_to - Edition()) {
    return std::unexpected(StorageError{StorageError::Kind::kIo,
                                        "this server has been away for too long to learn what the "
                                        "others have changed; restart it"});
  }
  std::vector<std::string> keys;
  for (int i = 0; i < found.editions.size(); ++i) {
    for (std::string& key : DecodeKeys(found.editions.Bytes(i, 1))) keys.push_back(std::move(key));
  }
  std::ranges::sort(keys);
  keys.erase(std::ranges::unique(keys).begin(), keys.end());
  if (learn_ && !keys.empty()) RETURN_IF_ERROR(learn_(keys));
  // Before the edition: who sees the edition knows who keeps.
  SetKeeper(found.keeper == server_);
  edition_.store(up_to, std::memory_order_release);
  return {};
}

StorageResult<void> Membership::WaitUntilAllKnow() {
  RETURN_IF_ERROR(CatchUp());
  const auto edition = static_cast<std::int64_t>(Edition());
  for (const RealTime deadline = After(kTimeForAll); std::chrono::steady_clock::now() < deadline;) {
    ASSIGN_OR_RETURN(const Rows rows, pool_.WithConnection([&](Connection& connection) {
      connection.Queue(sql::kBeat, {Parameter::Integer(server_), Parameter::Integer(edition)});
      connection.Queue(sql::kCountBehind, {Parameter::Integer(edition)});
      auto results = connection.Run(After(kTimeToAsk));
      return results ? Outcome<Rows>(std::move(results->back())) : std::unexpected(results.error());
    }));
    if (rows.Integer(0, 0) == 0) return {};
    std::this_thread::sleep_for(milliseconds(5));
  }
  return std::unexpected(StorageError{StorageError::Kind::kBusy,
                                      "a server that is alive has not learnt of the change"});
}

void Membership::RunPulse() {
  std::unique_ptr<Connection> connection;
  RealTime next_beat = std::chrono::steady_clock::now();
  for (;;) {
    bool must_beat = false;
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, connection ? kPollEvery : kReconnectEvery,
                     [this] { return stopping_ || must_beat_; });
      if (stopping_) return;
      must_beat = std::exchange(must_beat_, false);
    }
    StorageResult<void> status;
    if (!connection) {
      auto opened = Connection::Open(url_, kAskSettings, After(kTimeToAsk));
      if (opened) {
        connection = *std::move(opened);
      } else {
        status = std::unexpected(AsStorageError(opened.error()));
      }
    }
    if (connection) status = Poll(*connection);
    const RealTime now = std::chrono::steady_clock::now();
    if (status && (must_beat || now >= next_beat)) {
      next_beat = now + kBeatEvery;
      if (auto beaten = Beat(*connection); !beaten) {
        status = std::unexpected(AsStorageError(beaten.error()));
      }
    }
    if (!status && connection && connection->IsLost()) connection.reset();
    // Others hold a lock that it needs; the next beat tries again.
    if (!status && status.error().kind == StorageError::Kind::kBusy) continue;
    const std::scoped_lock lock(mutex_);
    if (status.has_value() == !failure_) continue;
    failure_ = status ? std::nullopt : std::optional(status.error());
    if (failure_) Log(LogLevel::kError, "the database failed", {{"error", failure_->message}});
    if (!failure_) Log(LogLevel::kInfo, "the database answers again");
  }
}

StorageResult<void> Membership::Poll(Connection& connection) {
  const RealTime asked_at = std::chrono::steady_clock::now();
  const auto rows = connection.Run(sql::kReadEdition, {}, After(kTimeToAsk));
  if (!rows) return std::unexpected(AsStorageError(rows.error()));
  time_.Heard(rows->Integer(0, 1));
  RETURN_IF_ERROR(LearnUpTo(static_cast<std::uint64_t>(rows->Integer(0, 0))));
  Succeeded(asked_at);
  return {};
}

Outcome<void> Membership::Beat(Connection& connection) {
  connection.Queue(sql::kBeat, {Parameter::Integer(server_),
                                Parameter::Integer(static_cast<std::int64_t>(Edition()))});
  connection.Queue(sql::kStayKeeper, {Parameter::Integer(server_)});
  connection.Queue(sql::kReadKeeper);
  auto results = connection.Run(After(kTimeToAsk));
  if (!results) return std::unexpected(results.error());
  const bool is_free = (*results)[2].Integer(0, 1) == 1;
  if ((*results)[2].Integer(0, 0) == server_ || !is_free || !may_keep_) return {};
  return BecomeKeeper(connection);
}

// An edition without keys: every writer must learn who keeps before it decides again.
Outcome<void> Membership::BecomeKeeper(Connection& connection) {
  connection.Queue(sql::kBegin);
  connection.Queue(sql::kLockEdition);
  connection.Queue(sql::kBecomeKeeper, {Parameter::Integer(server_)});
  auto taken = connection.Run(After(kTimeToAsk));
  const bool is_ours = taken && (*taken)[2].Changed() == 1;
  if (is_ours) {
    connection.Queue(sql::kNextEdition);
    connection.Queue(sql::kStoreEdition, {Parameter::Bytes({})});
    connection.Queue(sql::kFenceWriters);
    connection.Queue(
        sql::kForgetEditions,
        {Parameter::Integer((*taken)[1].Integer(0, 0) - static_cast<std::int64_t>(kEditionsKept))});
  }
  connection.Queue(is_ours ? sql::kCommit : sql::kRollback);
  auto done = connection.Run(After(kTimeToAsk));
  if (!done && !connection.IsLost()) {
    connection.Queue(sql::kRollback);
    (void)connection.Run(After(kTimeToAsk));
  }
  if (!taken) return std::unexpected(taken.error());
  if (!done) return std::unexpected(done.error());
  return {};
}

Outcome<std::vector<Sharing::Sum>> Membership::ReadSums(Connection& connection, Whose whose) const {
  auto rows = whose == Whose::kAll
                  ? connection.Run(sql::kSums, {}, After(kTimeToAsk))
                  : connection.Run(sql::kSumsElsewhere, {Parameter::IntegerArray(writers_)},
                                   After(kTimeToAsk));
  if (!rows) return std::unexpected(rows.error());
  std::map<std::string, std::pair<std::int64_t, std::int64_t>, std::less<>> sums;
  if (whose == Whose::kElsewhere) sums = inherited_;
  for (int i = 0; i < rows->size(); ++i) {
    auto& sum = sums[std::string(rows->Bytes(i, 0))];
    sum.first += rows->Integer(i, 1);
    sum.second += rows->Integer(i, 2);
  }
  std::vector<Sum> all;
  all.reserve(sums.size());
  for (const auto& [name, sum] : sums) all.push_back({name, sum.first, sum.second});
  return all;
}

StorageResult<std::vector<Sharing::Sum>> Membership::Sums(Whose whose, const ReadView* view) const {
  const auto read = [&](Connection& connection) { return ReadSums(connection, whose); };
  if (view != nullptr) return static_cast<const View*>(view)->WithConnection(read);
  return pool_.WithConnection(read);
}

}  // namespace stator::postgres
