// The composition root: store, engine and operations behind the public door.
#include "stator/database.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "api/error_body.h"
#include "api/operations.h"
#include "api/reply.h"
#include "base/read_ahead.h"
#include "base/try.h"
#include "base/work.h"
#include "database/read_rounds.h"
#include "database/workers.h"
#include "engine/catalog/row_key.h"
#include "engine/engine.h"
#include "engine/store_access.h"
#include "storage/backup_archive.h"
#include "storage/store.h"
#include "value/json.h"

namespace stator {
namespace {

static_assert(Database::kPadding >= kJsonPadding);

SyncMode AsSyncMode(Durability durability) {
  switch (durability) {
    case Durability::kAlways:
      return SyncMode::kAlways;
    case Durability::kInterval:
      return SyncMode::kInterval;
    case Durability::kOff:
      return SyncMode::kOff;
  }
  return SyncMode::kAlways;
}

StorageResult<std::unique_ptr<Store>> OpenStore(const DatabaseOptions& options) {
  const WriteLimits limits{.processor_time = options.write_time};
  if (!options.store.empty()) {
    return OpenPostgresStore({.url = options.store,
                              .read_connections = static_cast<int>(options.store_readers),
                              .write_connections = static_cast<int>(options.store_writers),
                              .write_limits = limits,
                              .part_of = PartOf});
  }
  if (options.directory.empty()) return OpenMemoryStore(limits);
  return OpenRocksStore({.directory = options.directory,
                         .sync = AsSyncMode(options.durability),
                         .cache_bytes = options.cache_bytes,
                         .write_limits = limits});
}

// Goes by the time of a store that processes share, so that all of them show the same.
std::unique_ptr<TurnableClock> MakeClock(const ClockSetting& setting, const Store& store) {
  const Sharing* const sharing = store.sharing();
  if (sharing == nullptr) return std::make_unique<TurnableClock>(setting);
  return std::make_unique<TurnableClock>(setting, [sharing] { return sharing->Now(); });
}

// Null if the options name no backup directory.
Result<std::shared_ptr<BackupArchive>> OpenArchive(const DatabaseOptions& options) {
  if (options.backup_directory.empty()) return nullptr;
  if (!options.store.empty()) {
    return std::unexpected(
        Error::Validation("a database that processes share keeps its backups itself: leave out the "
                          "backup directory"));
  }
  if (options.directory.empty()) {
    return std::unexpected(
        Error::Validation("a database in memory cannot be copied to a backup directory"));
  }
  return ForOperator(BackupArchive::Open(options.backup_directory, BackupArchive::Access::kWrite));
}

Database::Answer AnswerOf(const Error& error) {
  return {HttpStatus(error), ErrorBody(error), error.name()};
}

// Runs the operation on a parsed body; the JSON part of both Execute functions.
void RunJson(Engine& engine, const OperationRow& row, Wording wording, bool parsed,
             const JsonDocument& document, Reply<std::string>&& reply) {
  if (!parsed || document.root().kind() != JsonKind::kObject) {
    return reply(std::unexpected(Error::Serialization()));
  }
  (*row.run_json)(engine, wording, document.root(), std::move(reply));
}

// A larger body goes to a worker at once: reading it takes too long for an event loop.
constexpr std::size_t kLoopBodyBytes = std::size_t{64} << 10;
// A thread keeps the parser of a smaller text for the next; it takes up to twelve bytes for each of the
// text.
constexpr std::size_t kKeptDocumentBytes = std::size_t{1} << 20;
// What a request may look at before it goes to another thread: on a loop about 0.2 ms of work.
constexpr std::uint64_t kLoopWorkBytes = std::uint64_t{96} << 10;
constexpr std::uint64_t kPointWorkBytes = std::uint64_t{64} << 10;
constexpr std::uint64_t kBatchWorkBytes = std::uint64_t{512} << 10;

// Where a request is tried. One that may not go on is tried again at the next place, from the
// beginning: so far it has only read.
enum class Place : std::uint8_t { kLoop, kPointLane, kBatchLane, kLongLane };

// A request on its way through the places.
struct AsyncCall {
  const OperationRow* row;
  std::string_view padded_json;
  Database::AnswerCallback done;
  const std::atomic<bool>* unwanted;

  bool IsUnwanted() const { return unwanted != nullptr && unwanted->load(); }
};

// After work that may not go on there.
Place PlaceAfter(const OperationRow& row) {
  if (!Work::WouldWait()) return Place::kLongLane;
  return row.reads_many ? Place::kBatchLane : Place::kPointLane;
}

Workers::Lane LaneOf(Place place) {
  if (place == Place::kPointLane) return Workers::Lane::kPoint;
  return place == Place::kBatchLane ? Workers::Lane::kBatch : Workers::Lane::kLong;
}

Error Stopping() {
  return Error::InternalServerError("The server is stopping; the request was not carried out.");
}

}  // namespace

struct Database::Impl {
  DatabaseOptions options;
  std::unique_ptr<TurnableClock> clock;
  std::unique_ptr<Engine> engine;
  std::unique_ptr<Workers> workers;
  std::unique_ptr<ReadRounds> read_rounds;  // null if reads do not wait for a network

  Wording WordingOf(const OperationRow& row) const {
    return options.classic_wording ? Wording::kClassic : row.wording;
  }

  template <class Request, class Response>
  Result<Response> Run(const ApiOperation<Request, Response>& operation, const OperationRow& row,
                       const Request& request) {
    return operation.call(*engine, WordingOf(row), Request(request));
  }

  Work::Limits LimitsOf(Place place, const std::atomic<bool>* unwanted) const {
    Work::Limits limits{.processor_time = options.request_time, .unwanted = unwanted};
    if (place == Place::kLoop) {
      limits.may_wait = false;
      limits.bytes = kLoopWorkBytes;
    } else if (place == Place::kPointLane) {
      limits.bytes = kPointWorkBytes;
    } else if (place == Place::kBatchLane) {
      limits.bytes = kBatchWorkBytes;
    }
    return limits;
  }

  void RunAt(Place place, AsyncCall&& call);
  void Post(Place place, AsyncCall&& call);
  // After it was tried where it must not wait: fetches the row that it needs with those of others, if it
  // is one row.
  void GoOn(AsyncCall&& call);
  Workers::Task TaskOf(Place place, AsyncCall&& call);
};

void Database::Impl::RunAt(Place place, AsyncCall&& call) {
  const Work work(LimitsOf(place, call.unwanted));
  // One document per thread: its memory is reused, and nothing refers to it once the request is
  // decoded.
  thread_local JsonDocument document;
  const bool parsed = document.ParsePadded(call.padded_json);
  const bool is_large = call.padded_json.size() > kKeptDocumentBytes;
  const OperationRow& row = *call.row;
  RunJson(*engine, row, WordingOf(row), parsed, document,
          [this, place, call = std::move(call)](Result<std::string> body) mutable {
            if (Work::CurrentEnd() == Work::End::kElsewhere) {
              return GoOn(std::move(call));
            }
            if (!body) return call.done(AnswerOf(body.error()));
            call.done({.http_status = 200, .body = *std::move(body), .error_name = {}});
          });
  if (is_large) document = JsonDocument();
}

void Database::Impl::Post(Place place, AsyncCall&& call) {
  const std::atomic<bool>* const unwanted = call.unwanted;
  workers->Post(LaneOf(place), TaskOf(place, std::move(call)), unwanted);
}

void Database::Impl::GoOn(AsyncCall&& call) {
  const Place place = PlaceAfter(*call.row);
  std::string wanted = read_rounds ? ReadAhead::TakeWanted() : std::string();
  if (wanted.empty() || place != Place::kPointLane) return Post(place, std::move(call));
  read_rounds->Post(std::move(wanted), TaskOf(place, std::move(call)));
}

Workers::Task Database::Impl::TaskOf(Place place, AsyncCall&& call) {
  return [this, place, call = std::move(call)](Workers::Turn turn) mutable {
    // Nobody reads what an unwanted request is answered.
    const bool ends = turn == Workers::Turn::kStop || call.IsUnwanted();
    if (ends) return call.done(AnswerOf(Stopping()));
    if (turn == Workers::Turn::kRefuse) return call.done(AnswerOf(TooBusy()));
    RunAt(place, std::move(call));
  };
}

Database::Database(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::Open(DatabaseOptions options) {
  if (options.store_readers == 0) {
    options.store_readers = std::max(8U, 4 * std::thread::hardware_concurrency());
  }
  if (!options.clock.IsPossible()) {
    return std::unexpected(Error::Validation("a clock shows years from 1970 to 9999"));
  }
  ASSIGN_OR_RETURN(std::shared_ptr<BackupArchive> archive, OpenArchive(options));
  StorageResult<std::unique_ptr<Store>> store = OpenStore(options);
  if (!store) return std::unexpected(ForOperator(store.error()));
  std::unique_ptr<TurnableClock> clock = MakeClock(options.clock, **store);
  ASSIGN_OR_RETURN(std::unique_ptr<Engine> engine,
                   Engine::Open(*std::move(store), {.region = options.region,
                                                    .account = options.account,
                                                    .clock = clock.get(),
                                                    .shared_clock = clock.get(),
                                                    .strict_conflicts = options.strict_conflicts,
                                                    .s3_root = options.s3_root,
                                                    .count_units = options.count_units,
                                                    .archive = std::move(archive)}));
  // Reads that wait for a network have a thread for each connection.
  Workers::Limits limits;
  if (!options.store.empty()) limits.waiting_threads = options.store_readers;
  auto impl = std::make_unique<Impl>(Impl{.options = std::move(options),
                                          .clock = std::move(clock),
                                          .engine = std::move(engine),
                                          .workers = std::make_unique<Workers>(limits),
                                          .read_rounds = nullptr});
  if (impl->engine->store().sharing() != nullptr) {
    const unsigned threads = std::max(1U, impl->options.store_readers / 4);
    impl->read_rounds = std::make_unique<ReadRounds>(impl->engine->store(), threads, limits);
  }
  return std::unique_ptr<Database>(new Database(std::move(impl)));
}

#define STATOR_FORWARD(Name)                                            \
  Result<Name##Response> Database::Name(const Name##Request& request) { \
    static const OperationRow& row = *FindOperation(#Name);             \
    return impl_->Run(k##Name, row, request);                           \
  }
STATOR_OPERATIONS(STATOR_FORWARD)
#undef STATOR_FORWARD

Result<std::string> Database::Execute(std::string_view operation, std::string_view json) {
  const OperationRow* row = FindOperation(operation);
  if (row == nullptr) return std::unexpected(stator::UnknownOperation(operation));
  JsonDocument document;
  const bool parsed = document.Parse(json);
  ReplyWaiter<std::string> waiter;
  RunJson(*impl_->engine, *row, impl_->WordingOf(*row), parsed, document, waiter.Callback());
  return waiter.Take();
}

void Database::ExecuteAsync(std::string_view operation, std::string_view padded_json,
                            AnswerCallback done, const std::atomic<bool>* unwanted) {
  const OperationRow* row = FindOperation(operation);
  if (row == nullptr) return done(AnswerOf(stator::UnknownOperation(operation)));
  AsyncCall call{row, padded_json, std::move(done), unwanted};
  if (padded_json.size() > kLoopBodyBytes) {
    impl_->Post(Place::kLongLane, std::move(call));
  } else if (row->reads && impl_->read_rounds) {
    // It would only find out that it has to wait.
    impl_->Post(row->reads_many ? Place::kBatchLane : Place::kPointLane, std::move(call));
  } else {
    impl_->RunAt(Place::kLoop, std::move(call));
  }
}

bool Database::Knows(std::string_view operation) { return FindOperation(operation) != nullptr; }

Error Database::UnknownOperation(std::string_view operation) {
  return stator::UnknownOperation(operation);
}

Database::Answer Database::ErrorAnswer(const Error& error) { return AnswerOf(error); }

const std::string& Database::region() const { return impl_->options.region; }

TurnableClock& Database::clock() { return *impl_->clock; }

namespace {

std::vector<Database::ConsumedUnits> ConsumedUnitsOf(const Engine& engine) {
  std::vector<Database::ConsumedUnits> units;
  if (const UnitCounts* counts = engine.unit_counts()) {
    for (UnitCount& count : counts->All()) {
      units.push_back({.table = std::move(count.table),
                       .index = std::move(count.index),
                       .reads = count.reads,
                       .writes = count.writes});
    }
  }
  return units;
}

}  // namespace

void Database::WaitForBackgroundWork() { impl_->engine->background().WaitUntilIdle(); }

namespace {

std::optional<Database::Stats::Shared> SharedStats(const Store& store, const Store::Stats& stats) {
  const Sharing* const sharing = store.sharing();
  if (sharing == nullptr) return std::nullopt;
  return Database::Stats::Shared{.edition = sharing->Edition(),
                                 .is_keeper = sharing->IsKeeper(),
                                 .retried_rounds = stats.retried_rounds,
                                 .looked_up_rounds = stats.looked_up_rounds,
                                 .open_connections = stats.open_connections,
                                 .used_connections = stats.used_connections,
                                 .refused_reads = stats.refused_reads,
                                 .lag_ms = stats.lag_ms};
}

constexpr std::string_view kUnreachable = "unreachable";

std::string_view ReasonOf(StorageError::Kind kind) {
  if (kind == StorageError::Kind::kNoSpace) return "no_space";
  return kind == StorageError::Kind::kIo ? kUnreachable : "failed_write";
}

}  // namespace

Database::Stats Database::GetStats() const {
  const Store::Stats store = impl_->engine->store().GetStats();
  return {.tables = impl_->engine->catalog().size(),
          .commits = store.commits,
          .mutations = store.mutations,
          .syncs = store.syncs,
          .disk_bytes = store.disk_bytes,
          .cache_bytes = store.cache_bytes,
          .statement_scans = impl_->engine->statement_scans(),
          .expired_items = impl_->engine->expiry_sweep().deleted_items(),
          .expiry_lag_seconds = impl_->engine->expiry_sweep().lag_seconds(),
          .stream_records = static_cast<std::uint64_t>(impl_->engine->streams().RecordsWritten()),
          .counts_units = impl_->engine->unit_counts() != nullptr,
          .consumed_units = ConsumedUnitsOf(*impl_->engine),
          .shared = SharedStats(impl_->engine->store(), store)};
}

Database::Health Database::GetHealth() const {
  const std::optional<StorageError> failure = impl_->engine->store().WriteFailure();
  if (!failure) return {};
  const std::string_view reason = ReasonOf(failure->kind);
  return {.reason = reason,
          .message = reason == kUnreachable ? "The server's database cannot be reached."
                                            : std::string(ClientText(failure->kind))};
}

}  // namespace stator
