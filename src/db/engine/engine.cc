#include "engine/engine.h"

#include <span>
#include <utility>

#include "base/log.h"
#include "base/random.h"
#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/catalog/stored_counts.h"
#include "engine/expiry/expiry.h"
#include "engine/history/history.h"
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

// Whether there is more to do. Long work that fails rests until the next start, which finds it in the
// catalog.
bool HasMore(std::string_view work, TableNumber table, const Result<bool>& more) {
  if (more) return *more;
  Log(LogLevel::kError, "background work stopped; it resumes at the next start",
      {{"work", work}, {"table", table}, {"error", more.error().message()}});
  return false;
}

Result<bool> RemoveIndex(Store& store, Catalog& catalog, TableNumber number, IndexNumber index) {
  const TablePtr table = catalog.FindByNumber(number);
  if (!table || !table->FindIndex(index)) return false;
  RETURN_IF_ERROR(WaitForWriters(store));
  RETURN_IF_ERROR(ClearRows(store, IndexRows(number, index)));
  RETURN_IF_ERROR(catalog.Change(number, [index](Table& changed) -> Result<void> {
    std::erase_if(changed.indexes, [index](const Index& other) { return other.number == index; });
    PruneAttributeDefinitions(changed);
    return {};
  }));
  return false;
}

Result<bool> ClearTable(Store& store, Catalog& catalog, TableNumber number) {
  RETURN_IF_ERROR(WaitForWriters(store));
  RETURN_IF_ERROR(ClearRows(store, TableRows(number)));
  RETURN_IF_ERROR(ClearRows(store, ExpiryRows(number)));
  RETURN_IF_ERROR(ClearHistory(store, number));
  RETURN_IF_ERROR(catalog.ForgetDropped(number));
  return false;
}

}  // namespace

Engine::Engine(std::unique_ptr<Store> store, EngineOptions options, KeyHasher hasher)
    : options_(std::move(options)),
      hasher_(hasher),
      claims_(options_.strict_conflicts ? std::make_unique<ItemClaims>() : nullptr),
      unit_counts_(options_.count_units ? std::make_unique<UnitCounts>() : nullptr),
      store_(std::move(store)),
      background_(clients_),
      copying_(options_.archive ? std::make_unique<Background>(clients_) : nullptr) {}

Engine::~Engine() {
  if (copying_) {
    options_.archive->StopMaking();
    copying_->Stop();
  }
  background_.Stop();
  // Without stored counts the next start counts again, so a failure costs nothing but time.
  if (catalog_ && counts_known_) (void)StoreCounts(*store_, *catalog_);
}

Result<std::unique_ptr<Engine>> Engine::Open(std::unique_ptr<Store> store, EngineOptions options) {
  ASSIGN_OR_RETURN(const KeyHasher hasher, LoadHasher(*store));
  std::unique_ptr<Engine> engine(new Engine(std::move(store), std::move(options), hasher));
  ASSIGN_OR_RETURN(engine->catalog_, ForOperator(Catalog::Load(*engine->store_)));
  ASSIGN_OR_RETURN(engine->streams_,
                   ForOperator(StreamCatalog::Load(*engine->store_, *engine->catalog_)));
  const auto clear = [self = engine.get()](TableNumber table) { self->StartClearing(table); };
  ASSIGN_OR_RETURN(engine->transfers_, Transfers::Open({.store = *engine->store_,
                                                        .catalog = *engine->catalog_,
                                                        .hasher = engine->hasher_,
                                                        .gate = engine->gate_,
                                                        .clock = engine->clock(),
                                                        .background = engine->background_,
                                                        .clear = clear},
                                                       engine->options_.s3_root));
  ASSIGN_OR_RETURN(engine->recovery_,
                   Recovery::Open({.store = *engine->store_,
                                   .catalog = *engine->catalog_,
                                   .hasher = engine->hasher_,
                                   .clock = engine->clock(),
                                   .background = engine->background_,
                                   .clear = clear,
                                   .used_checkpoints = engine->transfers_->Checkpoints(),
                                   .archive = engine->options_.archive.get()}));
  RETURN_IF_ERROR(engine->ResumeCounts());
  engine->expiry_sweep_ =
      std::make_unique<ExpirySweep>(*engine->store_, engine->MakeWriteContext(), engine->clients_);
  engine->ResumeBackgroundWork();
  engine->turns_ =
      engine->clock().OnTurn([engine = engine.get()] { engine->background_.WakeDuties(); });
  return engine;
}

Result<TablePtr> Engine::FindTable(std::string_view name) const {
  clients_.CountRequest();
  TablePtr table = catalog_->Find(name);
  if (!table || table->status == TableStatus::kCreating ||
      table->status == TableStatus::kDeleting) {
    return std::unexpected(Error::ResourceNotFound());
  }
  return table;
}

void Engine::StartBackfill(TableNumber table, IndexNumber index) {
  background_.PostLongWork([table, build = std::make_unique<IndexBuild>(*store_, *catalog_, hasher_,
                                                                        gate_, table, index)] {
    return HasMore("build an index", table, build->Step());
  });
}

void Engine::StartIndexRemoval(TableNumber table, IndexNumber index) {
  background_.PostLongWork([this, table, index] {
    return HasMore("remove an index", table, RemoveIndex(*store_, *catalog_, table, index));
  });
}

Result<void> Engine::EnableTimeToLive(TableNumber table, const std::string& attribute) {
  // A crash may have left rows of an earlier time to live.
  RETURN_IF_ERROR(ClearRows(*store_, ExpiryRows(table)));
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
  return ClearRows(*store_, ExpiryRows(table));
}

void Engine::StartExpiryBuild(TableNumber table) {
  background_.PostLongWork(
      [table, build = std::make_unique<ExpiryBuild>(*store_, *catalog_, table)] {
        return HasMore("find expiring items", table, build->Step());
      });
}

void Engine::StartClearing(TableNumber table) {
  background_.PostLongWork([this, table] {
    return HasMore("clear a dropped table", table, ClearTable(*store_, *catalog_, table));
  });
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
  background_.AddDuty(
      [keeper = std::make_unique<StreamKeeper>(*store_, *catalog_, *streams_, clock(),
                                               options_.shard_limits)] { return keeper->Step(); });
  background_.AddDuty(
      [trimmer = std::make_unique<TokenTrimmer>(*store_, clock())] { return trimmer->Step(); });
  recovery_->Start();
  transfers_->Start();
  for (TableNumber table : catalog_->Dropped()) StartClearing(table);
  for (const std::string& name : catalog_->Names()) {
    const TablePtr table = catalog_->Find(name);
    if (table->time_to_live && table->time_to_live->status == TimeToLiveStatus::kEnabling) {
      StartExpiryBuild(table->number);
    }
    for (const Index& index : table->indexes) {
      if (index.status == IndexStatus::kCreating) StartBackfill(table->number, index.number);
      if (index.status == IndexStatus::kDeleting) StartIndexRemoval(table->number, index.number);
    }
  }
  background_.AddDuty([this] { return expiry_sweep_->Step(); });
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
