// The store on PostgreSQL: rows in a table, shared by any number of processes.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/read_ahead.h"
#include "base/try.h"
#include "base/work.h"
#include "storage/postgres/membership.h"
#include "storage/postgres/pool.h"
#include "storage/postgres/round_writer.h"
#include "storage/postgres/scan.h"
#include "storage/postgres/schema.h"
#include "storage/postgres/timing.h"
#include "storage/store.h"

namespace stator::postgres {
namespace {

// Reads wait for the network: on a thread that must not, the request goes elsewhere.
std::optional<StorageError> MustNotWait() {
  if (Work::MayWait()) return std::nullopt;
  Work::EndElsewhere();
  return StorageError{StorageError::Kind::kIo, "this thread must not wait for the database"};
}

// With what to do about it.
StorageError CannotConnect(const Failure& failure) {
  StorageError error = failure.AsStorageError();
  if (error.message.find("database") != std::string::npos &&
      error.message.find("does not exist") != std::string::npos) {
    error.message += ". Create it first: createdb NAME";
  }
  return error;
}

class PostgresCheckpoint final : public Checkpoint {
 public:
  PostgresCheckpoint(Pool& pool, std::string id) : pool_(pool), id_(std::move(id)) {}

  StorageResult<bool> Get(std::string_view key, std::string& value) const override {
    value.clear();
    ASSIGN_OR_RETURN(const Rows rows, pool_.WithConnection([&](Connection& connection) {
      return connection.Run(sql::kGetFromCheckpoint,
                            {Parameter::Borrowed(id_), Parameter::Borrowed(key)},
                            After(kTimeToRead));
    }));
    if (rows.size() == 0) return false;
    value = rows.Bytes(0, 0);
    return true;
  }

  StorageResult<void> Scan(const KeyRange& range, Direction direction,
                           const Visitor& visit) const override {
    ASSIGN_OR_RETURN(const Pool::Lease lease, pool_.Take());
    bool visited = false;
    const auto scanned = ScanCheckpoint(*lease, id_, range, direction, visit, visited);
    if (!scanned) return std::unexpected(scanned.error().AsStorageError());
    return {};
  }

 private:
  Pool& pool_;
  const std::string id_;
};

class PostgresStore final : public Store {
 public:
  explicit PostgresStore(const PostgresOptions& options)
      : options_(options),
        pool_(options.url, options.read_connections),
        membership_(options.url, pool_, options.may_keep) {}
  ~PostgresStore() override {
    if (writer_) writer_->Close();
    membership_.Leave();
  }

  StorageResult<void> Open();

  Sharing* sharing() const override { return &membership_; }
  void Mutate(std::unique_ptr<Mutation> mutation) override { writer_->Mutate(std::move(mutation)); }
  StorageResult<bool> Get(std::string_view key, std::string& value) const override;
  StorageResult<std::vector<std::optional<std::string>>> MultiGet(
      std::span<const std::string> keys) const override;
  std::unique_ptr<ReadView> Snapshot() const override;
  StorageResult<void> Scan(const KeyRange& range, Direction direction, const Visitor& visit,
                           const ReadView* view, std::int64_t rows_wanted) const override;
  std::optional<StorageError> WriteFailure() const override { return membership_.Failure(); }
  std::uint64_t ApproximateBytes(const KeyRange& range) const override;

  StorageResult<void> MakeCheckpoint(std::string_view id,
                                     std::span<const KeyRange> ranges) override;
  StorageResult<void> ImportCheckpoint(std::string_view id, const RowsToVisit& rows) override;
  StorageResult<std::unique_ptr<Checkpoint>> OpenCheckpoint(std::string_view id) const override;
  StorageResult<void> DeleteCheckpoint(std::string_view id) override;
  StorageResult<std::vector<std::string>> ListCheckpoints() const override;

  Stats GetStats() const override {
    const RoundWriter::Counts counts = writer_->GetCounts();
    const Pool::Counts pool = pool_.GetCounts();
    return {.commits = counts.commits,
            .mutations = counts.mutations,
            .syncs = counts.commits,
            .retried_rounds = counts.retries,
            .looked_up_rounds = counts.lookups,
            .open_connections = static_cast<std::uint64_t>(pool.open),
            .used_connections = static_cast<std::uint64_t>(pool.in_use),
            .refused_reads = pool.refused,
            .lag_ms = membership_.LagMs()};
  }

 private:
  // No read waits long for a database that is silent.
  std::chrono::milliseconds ReadTime() const {
    return membership_.IsSilent() ? kTimeToReadInSilence : kTimeToRead;
  }

  const PostgresOptions options_;
  mutable Pool pool_;
  mutable Membership membership_;
  mutable RowSizes row_sizes_;
  std::unique_ptr<RoundWriter> writer_;
};

// Nothing is written before it is certain that there are enough connections.
StorageResult<void> PostgresStore::Open() {
  if (!options_.url.starts_with("postgres://") && !options_.url.starts_with("postgresql://")) {
    return std::unexpected(
        StorageError{StorageError::Kind::kForeign,
                     "the address of the database must be like postgres://user@host/database"});
  }
  auto first = Connection::Open(options_.url, kAskSettings, After(kTimeToOpen));
  if (!first) return std::unexpected(CannotConnect(first.error()));
  std::vector<std::unique_ptr<Connection>> writers;
  Outcome<void> enough;
  for (int i = 0; i < options_.write_connections && enough; ++i) {
    auto opened = Connection::Open(options_.url, kWriteSettings, After(kTimeToOpen));
    if (opened) writers.push_back(*std::move(opened));
    if (!opened) enough = std::unexpected(opened.error());
  }
  if (enough) enough = pool_.Fill();
  if (!enough) {
    return std::unexpected(StorageError{
        StorageError::Kind::kForeign,
        fmt::format("the database does not give this server the {} connections that it needs ({}). "
                    "Raise its limit, or lower --store-readers and --store-writers",
                    options_.read_connections + options_.write_connections + 2,
                    enough.error().message)});
  }
  RETURN_IF_ERROR(PrepareSchema(**first, options_.makes_tables));
  ASSIGN_OR_RETURN(const bool is_spread, IsSpread(**first));
  PostgresOptions options = options_;
  options.locks_each_row |= is_spread;
  first->reset();
  RETURN_IF_ERROR(membership_.Join(options_.write_connections));
  writer_ = std::make_unique<RoundWriter>(options, *this, membership_, std::move(writers));
  return {};
}

StorageResult<bool> PostgresStore::Get(std::string_view key, std::string& value) const {
  value.clear();
  if (const std::optional<std::string>* ahead = ReadAhead::Find(key)) {
    if (*ahead) value = **ahead;
    return ahead->has_value();
  }
  if (auto elsewhere = MustNotWait()) {
    ReadAhead::Want(key);
    return std::unexpected(*std::move(elsewhere));
  }
  if (ReadAhead::HasFailed()) {
    return std::unexpected(StorageError{StorageError::Kind::kIo, "the database cannot be reached"});
  }
  ASSIGN_OR_RETURN(const Rows rows, pool_.WithConnection([&](Connection& connection) {
    return connection.Run(sql::kGet,
                          {Parameter::Borrowed(key), Parameter::Integer(options_.part_of(key))},
                          After(ReadTime()));
  }));
  if (rows.size() == 0) return false;
  value = rows.Bytes(0, 0);
  return true;
}

StorageResult<std::vector<std::optional<std::string>>> PostgresStore::MultiGet(
    std::span<const std::string> keys) const {
  if (auto elsewhere = MustNotWait()) return std::unexpected(*std::move(elsewhere));
  const std::vector<std::string_view> wanted(keys.begin(), keys.end());
  ASSIGN_OR_RETURN(const Rows rows, pool_.WithConnection([&](Connection& connection) {
    return connection.Run(sql::kGetMany, {Parameter::ByteArray(wanted)}, After(ReadTime()));
  }));
  std::unordered_map<std::string_view, int> found;
  for (int i = 0; i < rows.size(); ++i) found.emplace(rows.Bytes(i, 0), i);
  std::vector<std::optional<std::string>> values(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto row = found.find(keys[i]);
    if (row != found.end()) values[i] = rows.Bytes(row->second, 1);
  }
  return values;
}

std::unique_ptr<ReadView> PostgresStore::Snapshot() const {
  StorageResult<Pool::Lease> lease = pool_.Take();
  if (lease) {
    // The first statement is what fixes the view.
    (*lease)->Queue(sql::kBeginView);
    (*lease)->Queue(sql::kReadEdition);
    const auto begun = (*lease)->Run(After(kTimeToRead));
    if (!begun) lease = std::unexpected(begun.error().AsStorageError());
  }
  return std::make_unique<View>(std::move(lease));
}

StorageResult<void> PostgresStore::Scan(const KeyRange& range, Direction direction,
                                        const Visitor& visit, const ReadView* view,
                                        std::int64_t rows_wanted) const {
  if (auto elsewhere = MustNotWait()) return std::unexpected(*std::move(elsewhere));
  if (!range.end.empty() && range.begin >= range.end) return {};
  const ScanPlan plan{range, direction, rows_wanted, ReadTime()};
  bool visited = false;
  if (view != nullptr) {
    const auto scan = [&](Connection& connection) -> Outcome<bool> {
      const auto scanned =
          ScanRows(connection, plan, visit, Isolation::kGiven, row_sizes_, visited);
      if (!scanned) return std::unexpected(scanned.error());
      return true;
    };
    RETURN_IF_ERROR(static_cast<const View*>(view)->WithConnection(scan));
    return {};
  }
  // Repeated only if the visitor has seen nothing yet.
  for (int attempt = 0;; ++attempt) {
    ASSIGN_OR_RETURN(const Pool::Lease lease, pool_.Take());
    const auto scanned = ScanRows(*lease, plan, visit, Isolation::kOwn, row_sizes_, visited);
    if (scanned) return {};
    if (!scanned.error().IsLost() || visited || attempt == 2) {
      return std::unexpected(scanned.error().AsStorageError());
    }
  }
}

std::uint64_t PostgresStore::ApproximateBytes(const KeyRange& range) const {
  const auto rows = pool_.WithConnection([&](Connection& connection) {
    return connection.Run(sql::kBytes,
                          {Parameter::Borrowed(range.begin), Parameter::Borrowed(range.end)},
                          After(kTimeToRead));
  });
  return rows ? static_cast<std::uint64_t>(rows->Integer(0, 0)) : 0;
}

// One transaction that sees one moment, and is there as a whole or not at all.
StorageResult<void> PostgresStore::MakeCheckpoint(std::string_view id,
                                                  std::span<const KeyRange> ranges) {
  auto opened = Connection::Open(options_.url, kCopySettings, After(kTimeToOpen));
  if (!opened) return std::unexpected(opened.error().AsStorageError());
  Connection& connection = **opened;
  static constexpr Statement kBeginCopy{"begin_copy", "BEGIN ISOLATION LEVEL REPEATABLE READ"};
  connection.Queue(kBeginCopy);
  connection.Queue(sql::kDeleteCheckpointRows, {Parameter::Borrowed(id)});
  connection.Queue(sql::kDeleteCheckpoint, {Parameter::Borrowed(id)});
  connection.Queue(sql::kMakeCheckpoint, {Parameter::Borrowed(id)});
  for (const KeyRange& range : ranges) {
    if (range.end.empty()) {
      connection.Queue(sql::kCopyToEnd,
                       {Parameter::Borrowed(id), Parameter::Borrowed(range.begin)});
    } else {
      connection.Queue(sql::kCopyRange, {Parameter::Borrowed(id), Parameter::Borrowed(range.begin),
                                         Parameter::Borrowed(range.end)});
    }
  }
  connection.Queue(sql::kCommit);
  const auto made = connection.Run(After(kTimeToCopy));
  if (!made) return std::unexpected(made.error().AsStorageError());
  return {};
}

// In one transaction, a few megabytes a trip.
StorageResult<void> PostgresStore::ImportCheckpoint(std::string_view id, const RowsToVisit& rows) {
  constexpr std::size_t kTripBytes = std::size_t{4} << 20;
  auto opened = Connection::Open(options_.url, kCopySettings, After(kTimeToOpen));
  if (!opened) return std::unexpected(opened.error().AsStorageError());
  Connection& connection = **opened;
  const auto run = [&]() -> StorageResult<void> {
    const auto ran = connection.Run(After(kTimeToCopy));
    if (!ran) return std::unexpected(ran.error().AsStorageError());
    return {};
  };
  connection.Queue(sql::kBegin);
  connection.Queue(sql::kDeleteCheckpointRows, {Parameter::Borrowed(id)});
  connection.Queue(sql::kDeleteCheckpoint, {Parameter::Borrowed(id)});
  connection.Queue(sql::kMakeCheckpoint, {Parameter::Borrowed(id)});
  std::vector<std::string> keys;
  std::vector<std::string> values;
  std::size_t bytes = 0;
  const auto put = [&]() -> StorageResult<void> {
    if (!keys.empty()) {
      connection.Queue(
          sql::kPutCheckpointRows,
          {Parameter::Borrowed(id),
           Parameter::ByteArray(std::vector<std::string_view>(keys.begin(), keys.end())),
           Parameter::ByteArray(std::vector<std::string_view>(values.begin(), values.end()))});
    }
    RETURN_IF_ERROR(run());
    keys.clear();
    values.clear();
    bytes = 0;
    return {};
  };
  StorageResult<void> status;
  RETURN_IF_ERROR(rows([&](std::string_view key, std::string_view value) {
    keys.emplace_back(key);
    values.emplace_back(value);
    bytes += key.size() + value.size();
    if (bytes >= kTripBytes) status = put();
    return status.has_value();
  }));
  RETURN_IF_ERROR(status);
  RETURN_IF_ERROR(put());
  connection.Queue(sql::kCommit);
  return run();
}

StorageResult<std::unique_ptr<Checkpoint>> PostgresStore::OpenCheckpoint(
    std::string_view id) const {
  ASSIGN_OR_RETURN(const Rows rows, pool_.WithConnection([&](Connection& connection) {
    return connection.Run(sql::kFindCheckpoint, {Parameter::Borrowed(id)}, After(kTimeToRead));
  }));
  if (rows.size() == 0) {
    return std::unexpected(
        StorageError{StorageError::Kind::kCorrupt, "there is no checkpoint " + std::string(id)});
  }
  return std::make_unique<PostgresCheckpoint>(pool_, std::string(id));
}

StorageResult<void> PostgresStore::DeleteCheckpoint(std::string_view id) {
  auto opened = Connection::Open(options_.url, kCopySettings, After(kTimeToOpen));
  if (!opened) return std::unexpected(opened.error().AsStorageError());
  (*opened)->Queue(sql::kBegin);
  (*opened)->Queue(sql::kDeleteCheckpoint, {Parameter::Borrowed(id)});
  (*opened)->Queue(sql::kDeleteCheckpointRows, {Parameter::Borrowed(id)});
  (*opened)->Queue(sql::kCommit);
  const auto deleted = (*opened)->Run(After(kTimeToCopy));
  if (!deleted) return std::unexpected(deleted.error().AsStorageError());
  return {};
}

StorageResult<std::vector<std::string>> PostgresStore::ListCheckpoints() const {
  ASSIGN_OR_RETURN(const Rows rows, pool_.WithConnection([&](Connection& connection) {
    return connection.Run(sql::kListCheckpoints, {}, After(kTimeToRead));
  }));
  std::vector<std::string> ids;
  for (int i = 0; i < rows.size(); ++i) ids.emplace_back(rows.Bytes(i, 0));
  return ids;
}

}  // namespace
}  // namespace stator::postgres

namespace stator {

StorageResult<std::unique_ptr<Store>> OpenPostgresStore(const PostgresOptions& options) {
  PostgresOptions complete = options;
  if (complete.part_of == nullptr) {
    complete.part_of = [](std::string_view) { return std::int64_t{0}; };
  }
  auto store = std::make_unique<postgres::PostgresStore>(complete);
  RETURN_IF_ERROR(store->Open());
  return store;
}

}  // namespace stator
