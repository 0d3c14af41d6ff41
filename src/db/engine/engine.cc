#include "engine/engine.h"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "base/log.h"
#include "base/random.h"
#include "base/try.h"
#include "base/work.h"
#include "engine/catalog/row_key.h"
#include "engine/catalog/stored_counts.h"
#include "engine/expiry/expiry.h"
#include "engine/history/history.h"
#include "engine/sharing/scope.h"
#include "engine/store_access.h"
#include "engine/write/index_build.h"
#include "engine/write/transaction_token.h"

namespace stator {
namespace {

const std::string kSecretKey = std::string(1, kCatalogSpace) + "secret";

// Keeps the first secret that is ever offered to it.
class SecretMutation final : public Mutation {
 public:
  explicit SecretMutation(std::string offered) : offered_(std::move(offered)) {}
  std::span<const std::string> Keys() const override { return {&kSecretKey, 1}; }
  Verdict Decide(std::span<const std::optional<std::string_view>> values,
                 WriteBatch& batch) override {
    if (values[0]) return Verdict::kAbandon;
    batch.Put(kSecretKey, offered_);
    return Verdict::kCommit;
  }
  void Done(StorageResult<void>) override {}

 private:
  std::string offered_;
};

// What is copied into the store is not whole yet.
Result<void> RefuseUnfinishedCopy(const Store& store) {
  std::string copy;
  ASSIGN_OR_RETURN(const bool is_unfinished, ForOperator(store.Get(kCopyRow, copy)));
  if (!is_unfinished) return {};
  return std::unexpected(Error::InternalServerError(
      "this holds an unfinished copy of another database; run `stator copy` again, which goes on "
      "where it stopped"));
}

// The secret that keys the hashes of this database; made when it is opened for the first time.
Result<KeyHasher> LoadHasher(Store& store) {
  std::string secret;
  ASSIGN_OR_RETURN(bool found, ForOperator(store.Get(kSecretKey, secret)));
  if (!found) {
    StorageResult<void> kept = MutateAndWait(
        store, std::make_unique<SecretMutation>(RandomBytes(KeyHasher::kSecretBytes)));
    if (!kept) return std::unexpected(ForOperator(kept.error()));
    RETURN_IF_ERROR(ForOperator(store.Get(kSecretKey, secret)));
  }
  if (secret.size() != KeyHasher::kSecretBytes) {
    return std::unexpected(Error::InternalServerError(
        "the database's hash secret is damaged; restore the data directory from a backup"));
  }
  return KeyHasher(
      std::span<const char, KeyHasher::kSecretBytes>(secret.data(), KeyHasher::kSecretBytes));
}

// Long work that fails rests until the next start, which finds it in the catalog.
KeeperWork::Failed LogFailed(std::string_view work, TableNumber table) {
  return [work, table](const Error& error) {
    Log(LogLevel::kError, "background work stopped; it resumes at the next start",
        {{"work", work}, {"table", table}, {"error", error.message()}});
  };
}

// Removes an index that is DELETING, in slices.
class IndexRemoval {
 public:
  IndexRemoval(Store& store, Catalog& catalog, TableNumber table, IndexNumber index)
      : store_(store),
        catalog_(catalog),
        table_(table),
        index_(index),
        rows_(IndexRows(table, index)) {}

  Result<bool> Step() {
    const TablePtr table = catalog_.FindByNumber(table_);
    if (!table || !table->FindIndex(index_)) return false;
    RETURN_IF_ERROR(WaitForWriters(store_));
    ASSIGN_OR_RETURN(const bool more, ClearSlice(store_, rows_));
    if (more) return true;
    RETURN_IF_ERROR(ForgetSums(store_, SumName({CountedRows::Kind::kIndex, table_, index_})));
    RETURN_IF_ERROR(catalog_.Change(table_, [this](Table& changed) -> Result<void> {
      std::erase_if(changed.indexes, [this](const Index& other) { return other.number == index_; });
      PruneAttributeDefinitions(changed);
      return {};
    }));
    return false;
  }

 private:
  Store& store_;
  Catalog& catalog_;
  const TableNumber table_;
  const IndexNumber index_;
  KeyRange rows_;  // that are left
};

// Clears what a dropped table leaves, in slices.
class TableClearing {
 public:
  TableClearing(Store& store, Catalog& catalog, TableNumber table)
      : store_(store),
        catalog_(catalog),
        table_(table),
        rows_(TableRows(table)),
        expiry_rows_(ExpiryRows(table)) {}

  Result<bool> Step() {
    RETURN_IF_ERROR(WaitForWriters(store_));
    ASSIGN_OR_RETURN(const bool more_rows, ClearSlice(store_, rows_));
    if (more_rows) return true;
    ASSIGN_OR_RETURN(const bool more_expiry_rows, ClearSlice(store_, expiry_rows_));
    if (more_expiry_rows) return true;
    RETURN_IF_ERROR(ClearHistory(store_, catalog_, table_));
    RETURN_IF_ERROR(ForgetSums(store_, TableSums(table_)));
    RETURN_IF_ERROR(catalog_.ForgetDropped(table_));
    return false;
  }

 private:
  Store& store_;
  Catalog& catalog_;
  const TableNumber table_;
  KeyRange rows_;  // that are left
  KeyRange expiry_rows_;
};

// How old the counts of other processes may be when they are shown, and how often they are read anyway,
// for those who look at them without asking.
constexpr std::chrono::milliseconds kShownCountsAge{200};
constexpr std::chrono::milliseconds kRestOfCounts{1'000};
constexpr std::chrono::milliseconds kRestOfSearch{1'000};

}  // namespace

Engine::Engine(std::unique_ptr<Store> store, EngineOptions options, KeyHasher hasher)
    : options_(std::move(options)),
      hasher_(hasher),
      claims_(options_.strict_conflicts ? std::make_unique<ItemClaims>() : nullptr),
      unit_counts_(options_.count_units ? std::make_unique<UnitCounts>() : nullptr),
      store_(std::move(store)),
      sharing_(store_->sharing()),
      work_(background_, sharing_),
      background_(clients_),
      copying_(options_.archive ? std::make_unique<Background>(clients_) : nullptr) {}

Engine::~Engine() {
  if (copying_) {
    options_.archive->StopMaking();
    copying_->Stop();
  }
  background_.Stop();
  if (learner_) learner_->Close();
  shared_clock_.reset();
  // Without stored counts the next start counts again, so a failure costs nothing but time.
  if (catalog_ && counts_known_) (void)StoreCounts(*store_, *catalog_);
}

Result<std::unique_ptr<Engine>> Engine::Open(std::unique_ptr<Store> store, EngineOptions options) {
  RETURN_IF_ERROR(RefuseUnfinishedCopy(*store));
  std::shared_ptr<Learner> learner;
  if (store->sharing() != nullptr) {
    if (options.archive) {
      return std::unexpected(
          Error::Validation("a database that servers share has no backup directory"));
    }
    ASSIGN_OR_RETURN(learner, ForOperator(Learner::Start(*store)));
  }
  ASSIGN_OR_RETURN(const KeyHasher hasher, LoadHasher(*store));
  std::unique_ptr<Engine> engine(new Engine(std::move(store), std::move(options), hasher));
  RETURN_IF_ERROR(engine->Load());
  if (learner) {
    RETURN_IF_ERROR(engine->JoinOthers(std::move(learner)));
  } else {
    RETURN_IF_ERROR(engine->ResumeCounts());
  }
  engine->expiry_sweep_ =
      std::make_unique<ExpirySweep>(*engine->store_, engine->MakeWriteContext(), engine->clients_);
  engine->ResumeBackgroundWork();
  engine->turns_ =
      engine->clock().OnTurn([engine = engine.get()] { engine->background_.WakeDuties(); });
  return engine;
}

Result<void> Engine::Load() {
  ASSIGN_OR_RETURN(catalog_, ForOperator(Catalog::Load(*store_)));
  ASSIGN_OR_RETURN(streams_, ForOperator(StreamCatalog::Load(*store_, *catalog_)));
  const auto clear = [this](TableNumber table) { StartClearing(table); };
  ASSIGN_OR_RETURN(transfers_, Transfers::Open({.store = *store_,
                                                .catalog = *catalog_,
                                                .hasher = hasher_,
                                                .gate = gate_,
                                                .clock = clock(),
                                                .work = work_,
                                                .clear = clear},
                                               options_.s3_root));
  const auto used_checkpoints = [this] { return transfers_->Checkpoints(); };
  ASSIGN_OR_RETURN(recovery_, Recovery::Open({.store = *store_,
                                              .catalog = *catalog_,
                                              .hasher = hasher_,
                                              .clock = clock(),
                                              .background = background_,
                                              .work = work_,
                                              .clear = clear,
                                              .used_checkpoints = used_checkpoints,
                                              .archive = options_.archive.get()}));
  if (sharing_ == nullptr || options_.shared_clock == nullptr) return {};
  shared_clock_ = std::make_unique<SharedClock>(*store_, *options_.shared_clock);
  return ForOperator(shared_clock_->Load());
}

Result<void> Engine::JoinOthers(std::shared_ptr<Learner> learner) {
  using Value = std::optional<std::string_view>;
  // Streams ask which tables write to them, so they come after tables.
  std::vector<Learner::Part> parts;
  parts.emplace_back([this](std::string_view key, Value row) { return catalog_->Learn(key, row); });
  parts.emplace_back(
      [this](std::string_view key, Value row) { return streams_->Learn(*catalog_, key, row); });
  parts.emplace_back(
      [this](std::string_view key, Value row) { return recovery_->Learn(key, row); });
  parts.emplace_back(
      [this](std::string_view key, Value row) { return transfers_->Learn(key, row); });
  if (shared_clock_) {
    parts.emplace_back(
        [this](std::string_view key, Value row) { return shared_clock_->Learn(key, row); });
  }
  learner_ = std::move(learner);
  RETURN_IF_ERROR(
      ForOperator(learner_->Open(std::move(parts), [this] { background_.WakeDuties(); })));
  // May be called until the store is closed, when this engine is no more.
  sharing_->OnKeeperChange([learner = learner_] { learner->Wake(); });
  if (shared_clock_) RETURN_IF_ERROR(shared_clock_->Start());
  sums_ = std::make_unique<SumReader>(*sharing_, *catalog_);
  return sums_->Refresh(kShownCountsAge);
}

Result<void> Engine::Learn() const {
  if (!Work::MayWait()) Work::EndElsewhere();
  if (Work::MustEnd()) return std::unexpected(TookTooLong());
  return CatchUp(*sharing_);
}

Result<void> Engine::BringCatalogUpToDate() const {
  if (sharing_ == nullptr || sharing_->IsCurrent()) return {};
  return Learn();
}

Result<void> Engine::BringCountsUpToDate() const {
  if (sums_ == nullptr || !sums_->IsOlderThan(kShownCountsAge)) return {};
  if (!Work::MayWait()) Work::EndElsewhere();
  if (Work::MustEnd()) return std::unexpected(TookTooLong());
  return sums_->Refresh(kShownCountsAge);
}

Result<TablePtr> Engine::FindTable(std::string_view name) const {
  clients_.CountRequest();
  const auto find = [&]() -> TablePtr {
    TablePtr table = catalog_->Find(name);
    const bool can_be_used =
        table && table->status != TableStatus::kCreating && table->status != TableStatus::kDeleting;
    return can_be_used ? table : nullptr;
  };
  ASSIGN_OR_RETURN(TablePtr table, LookUp(find));
  if (!table) return std::unexpected(Error::ResourceNotFound());
  return table;
}

void Engine::StartBackfill(TableNumber table, IndexNumber index) {
  work_.Start(
      fmt::format("build index {} of table {}", index, table),
      [build = std::make_unique<IndexBuild>(*store_, *catalog_, hasher_, gate_, table, index)] {
        return build->Step();
      },
      LogFailed("build an index", table));
}

void Engine::StartIndexRemoval(TableNumber table, IndexNumber index) {
  work_.Start(
      fmt::format("remove index {} of table {}", index, table),
      [removal = std::make_unique<IndexRemoval>(*store_, *catalog_, table, index)] {
        return removal->Step();
      },
      LogFailed("remove an index", table));
}

Result<void> Engine::EnableTimeToLive(TableNumber table, const std::string& attribute) {
  // A crash may have left rows of an earlier time to live.
  RETURN_IF_ERROR(ClearExpiryRows(table));
  RETURN_IF_ERROR(catalog_->Change(table, [&](Table& changed) -> Result<void> {
    changed.time_to_live = TimeToLive{.attribute = attribute};
    changed.time_to_live_change_ms = EpochMs(clock().Now());
    return {};
  }));
  StartExpiryBuild(table);
  return {};
}

Result<void> Engine::DisableTimeToLive(TableNumber table) {
  RETURN_IF_ERROR(catalog_->Change(table, [&](Table& changed) -> Result<void> {
    changed.time_to_live.reset();
    changed.time_to_live_change_ms = EpochMs(clock().Now());
    return {};
  }));
  RETURN_IF_ERROR(WaitForWriters(*store_));
  return ClearExpiryRows(table);
}

Result<void> Engine::ClearExpiryRows(TableNumber number) {
  // Another process may have enabled it in the meantime.
  return ClearRows(*store_, ExpiryRows(number), [this, number] {
    const TablePtr table = catalog_->FindByNumber(number);
    return !table || !table->time_to_live;
  });
}

void Engine::StartExpiryBuild(TableNumber number) {
  const TablePtr table = catalog_->FindByNumber(number);
  if (!table) return;
  work_.Start(
      // Time to live may be enabled again before the build notices that it was disabled.
      fmt::format("find expiring items of table {} since {}", number,
                  table->time_to_live_change_ms.value_or(0)),
      [build = std::make_unique<ExpiryBuild>(*store_, *catalog_, number)] { return build->Step(); },
      LogFailed("find expiring items", number));
}

void Engine::StartClearing(TableNumber table) {
  work_.Start(
      fmt::format("clear table {}", table),
      [clearing = std::make_unique<TableClearing>(*store_, *catalog_, table)] {
        return clearing->Step();
      },
      LogFailed("clear a dropped table", table));
}

Result<void> Engine::FollowStream(Stream stream) {
  const StreamNumber number = stream.number;
  streams_->Publish(std::move(stream));
  background_.WakeDuties();  // without streams their keeper rests for a long time
  return CloseShards(*store_, *catalog_, *streams_, number, clock().Now());
}

Result<void> Engine::ResumeCounts() {
  ASSIGN_OR_RETURN(const bool taken, TakeStoredCounts(*store_, *catalog_));
  counts_known_ = taken;
  if (taken) return {};
  background_.PostLongWork([this, counter = std::make_unique<RowCounter>(*store_, *catalog_)] {
    const StorageResult<bool> more = counter->Step();
    if (more && *more) return true;
    counts_known_ = more.has_value();
    return false;
  });
  return {};
}

void Engine::ResumeBackgroundWork() {
  work_.AddDuty(
      [keeper = std::make_unique<StreamKeeper>(*store_, *catalog_, *streams_, clock(),
                                               options_.shard_limits)] { return keeper->Step(); });
  work_.AddDuty(
      [trimmer = std::make_unique<TokenTrimmer>(*store_, clock())] { return trimmer->Step(); });
  recovery_->Start();
  if (sharing_ == nullptr) {
    transfers_->Start();
    FindWork();
  } else {
    work_.AddDuty([this] {
      recovery_->FindWork();
      transfers_->FindWork();
      FindWork();
      return kRestOfSearch;
    });
    background_.AddDuty([this] {
      if (const Result<void> refreshed = sums_->Refresh(kRestOfCounts); !refreshed) {
        Log(LogLevel::kWarning, "what other servers have counted could not be read",
            {{"error", refreshed.error().message()}});
      }
      return kRestOfCounts;
    });
  }
  work_.AddDuty([this] { return expiry_sweep_->Step(); });
}

void Engine::FindWork() {
  for (TableNumber table : catalog_->Dropped()) StartClearing(table);
  for (const TablePtr& table : catalog_->All()) {
    if (table->time_to_live && table->time_to_live->status == TimeToLiveStatus::kEnabling) {
      StartExpiryBuild(table->number);
    }
    for (const Index& index : table->indexes) {
      if (index.status == IndexStatus::kCreating) StartBackfill(table->number, index.number);
      if (index.status == IndexStatus::kDeleting) StartIndexRemoval(table->number, index.number);
    }
  }
}

void UnitCounts::Add(Kind kind, std::string_view table, std::string_view index, double units) {
  // A request may name a table by its ARN.
  if (const std::size_t slash = table.rfind('/'); slash != std::string_view::npos) {
    table.remove_prefix(slash + 1);
  }
  const std::lock_guard lock(mutex_);
  Sum& sum = sums_[{std::string(table), std::string(index)}];
  (kind == Kind::kRead ? sum.reads : sum.writes) += units;
}

std::vector<UnitCount> UnitCounts::All() const {
  const std::lock_guard lock(mutex_);
  std::vector<UnitCount> all;
  all.reserve(sums_.size());
  for (const auto& [place, sum] : sums_) {
    all.push_back(
        {.table = place.first, .index = place.second, .reads = sum.reads, .writes = sum.writes});
  }
  return all;
}

}  // namespace stator
