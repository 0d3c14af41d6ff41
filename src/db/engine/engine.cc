#include "engine/engine.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/random.h"
#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/catalog/stored_counts.h"
#include "engine/write/write_mutation.h"

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
  StorageResult<bool> found = store.Get(kSecretKey, secret);
  if (found && !*found) {
    const StorageResult<void> made = MutateAndWait(
        store, std::make_unique<SecretMutation>(RandomBytes(KeyHasher::kSecretBytes)));
    if (!made) return std::unexpected(FromStorage(made.error()));
    found = store.Get(kSecretKey, secret);
  }
  if (!found) return std::unexpected(FromStorage(found.error()));
  if (secret.size() != KeyHasher::kSecretBytes) {
    return std::unexpected(Error::InternalServerError(
        "the database's hash secret is damaged; restore the data directory from a backup"));
  }
  return KeyHasher(
      std::span<const char, KeyHasher::kSecretBytes>(secret.data(), KeyHasher::kSecretBytes));
}

}  // namespace

Error FromStorage(const StorageError& error) {
  if (error.kind == StorageError::Kind::kConflict) return Error::TransactionConflict();
  return Error::InternalServerError(error.message);
}

Engine::Engine(std::unique_ptr<Store> store, EngineOptions options, KeyHasher hasher)
    : options_(std::move(options)),
      hasher_(hasher),
      claims_(options_.strict_conflicts ? std::make_unique<ItemClaims>() : nullptr),
      unit_counts_(options_.count_units ? std::make_unique<UnitCounts>() : nullptr),
      store_(std::move(store)),
      background_(clients_) {}

Engine::~Engine() {
  background_.Stop();
  // Without them the next start counts anew, so a failure costs nothing but time.
  if (catalog_ && counts_known_) (void)StoreCounts(*store_, *catalog_);
}

Result<std::unique_ptr<Engine>> Engine::Open(std::unique_ptr<Store> store, EngineOptions options) {
  ASSIGN_OR_RETURN(const KeyHasher hasher, LoadHasher(*store));
  std::unique_ptr<Engine> engine(new Engine(std::move(store), std::move(options), hasher));
  StorageResult<std::unique_ptr<Catalog>> catalog = Catalog::Load(*engine->store_);
  if (!catalog) return std::unexpected(FromStorage(catalog.error()));
  engine->catalog_ = *std::move(catalog);
  StorageResult<std::unique_ptr<StreamCatalog>> streams =
      StreamCatalog::Load(*engine->store_, *engine->catalog_);
  if (!streams) return std::unexpected(FromStorage(streams.error()));
  engine->streams_ = *std::move(streams);
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
                                   .used_checkpoints = engine->transfers_->Checkpoints()}));
  RETURN_IF_ERROR(engine->ResumeCounts());
  engine->expiry_sweep_ =
      std::make_unique<ExpirySweep>(*engine->store_, *engine->catalog_, engine->hasher_,
                                    engine->gate_, engine->clock(), engine->clients_);
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

void Engine::WriteItem(ItemWrite&& write, OneWriteCallback done) {
  if (claims_ && IsInTransaction(*write.table, write.item.view())) {
    return done(std::unexpected(Error::TransactionConflict()));
  }
  const WriteContext context{*catalog_, hasher_, gate_, clock(), unit_counts_.get()};
  gate_.Enter(*store_,
              std::make_unique<OneWriteMutation>(context, std::move(write), std::move(done)));
}

void Engine::WriteItems(std::vector<ItemWrite> writes, WriteCallback done) {
  if (claims_ && std::ranges::any_of(writes, [this](const ItemWrite& write) {
        return IsInTransaction(*write.table, write.item.view());
      })) {
    return done(std::unexpected(Error::TransactionConflict()));
  }
  const WriteContext context{*catalog_, hasher_, gate_, clock(), unit_counts_.get()};
  gate_.Enter(*store_,
              std::make_unique<WriteMutation>(context, std::move(writes), std::move(done)));
}

}  // namespace stator
