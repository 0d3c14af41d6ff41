// The engine's long work: what starts it, and what resumes it after a restart.
#include <memory>
#include <utility>

#include "base/log.h"
#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/catalog/stored_counts.h"
#include "engine/engine.h"
#include "engine/expiry/expiry.h"
#include "engine/expiry/expiry_build.h"
#include "engine/history/history_trim.h"
#include "engine/streams/stream_changes.h"
#include "engine/streams/stream_keeper.h"
#include "engine/write/index_build.h"
#include "engine/write/transaction_token.h"

namespace stator {
namespace {

// Long work that failed stays undone until the next start, which finds it in the catalog.
bool Report(std::string_view work, TableNumber table, const Result<bool>& more) {
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

Result<void> Engine::Barrier() { return WaitForWriters(*store_); }

void Engine::StartBackfill(TableNumber table, IndexNumber index) {
  background_.PostLongWork([table, build = std::make_unique<IndexBuild>(*store_, *catalog_, hasher_,
                                                                        gate_, table, index)] {
    return Report("build an index", table, build->Step());
  });
}

void Engine::StartIndexRemoval(TableNumber table, IndexNumber index) {
  background_.PostLongWork([this, table, index] {
    return Report("remove an index", table, RemoveIndex(*store_, *catalog_, table, index));
  });
}

Result<void> Engine::EnableTimeToLive(TableNumber table, const std::string& attribute) {
  // Rows of an earlier time to live may be left when its removal was cut off.
  RETURN_IF_ERROR(ClearRows(*store_, ExpiryRows(table)));
  RETURN_IF_ERROR(catalog_->Change(table, [&](Table& changed) -> Result<void> {
    changed.time_to_live = TimeToLive{.attribute = attribute};
    changed.time_to_live_change_ms = clock().Now().time_since_epoch().count();
    return {};
  }));
  StartExpiryBuild(table);
  return {};
}

Result<void> Engine::DisableTimeToLive(TableNumber table) {
  RETURN_IF_ERROR(catalog_->Change(table, [&](Table& changed) -> Result<void> {
    changed.time_to_live.reset();
    changed.time_to_live_change_ms = clock().Now().time_since_epoch().count();
    return {};
  }));
  RETURN_IF_ERROR(WaitForWriters(*store_));
  return ClearRows(*store_, ExpiryRows(table));
}

void Engine::StartExpiryBuild(TableNumber table) {
  background_.PostLongWork(
      [table, build = std::make_unique<ExpiryBuild>(*store_, *catalog_, table)] {
        return Report("find expiring items", table, build->Step());
      });
}

void Engine::StartClearing(TableNumber table) {
  background_.PostLongWork([this, table] {
    return Report("clear a dropped table", table, ClearTable(*store_, *catalog_, table));
  });
}

Result<void> Engine::FollowStream(Stream stream) {
  const StreamNumber number = stream.number;
  streams_->Publish(std::move(stream));
  background_.WakeDuties();  // without streams their keeper rests for long
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

}  // namespace stator
