#include "systems/reconciler/reshard.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "systems/program/items.h"
#include "systems/program/process.h"
#include "systems/reconciler/call.h"

namespace stator::systems::reconciler {
namespace {

EntityError StoreError(const Error& error) {
  return {EntityErrorKind::kStore, MessageOf(error), std::nullopt, error};
}

EntityError Overtaken(std::int64_t shards) {
  return {EntityErrorKind::kConflict,
          fmt::format("another reshard has changed the settings: run `reshard --shards {}` again "
                      "when it has ended",
                      shards),
          std::nullopt, std::nullopt};
}

// The partition keys under which entries of a layout stand.
std::vector<std::string> PartitionsOf(std::int64_t shards) {
  std::vector<std::string> keys;
  for (const std::string_view status : kIndexStatuses) {
    if (shards == 1) keys.push_back(fmt::format("STATUS#{}", status));
    for (std::int64_t i = 0; shards > 1 && i < shards; ++i) {
      keys.push_back(fmt::format("STATUS#{}#{}", status, i));
    }
  }
  return keys;
}

class Mover {
 public:
  // Moves as long as the settings have this version.
  Mover(CallTable& table, const ReshardOptions& options, std::int64_t version)
      : table_(table), options_(options), version_(version) {}

  // Moves all entries that stand under a former number of shards. Returns how many.
  EntityResult<std::int64_t> Sweep(const std::set<std::int64_t>& former) {
    std::set<std::string> partitions;
    for (const std::int64_t count : former) {
      for (std::string& key : PartitionsOf(count)) partitions.insert(std::move(key));
    }
    const std::int64_t before = moved_;
    for (const std::string& partition : partitions) TRY_VOID(Empty(partition));
    return moved_ - before;
  }

  std::int64_t moved() const { return moved_; }

 private:
  // Moves the entries of a partition that belong elsewhere.
  EntityResult<void> Empty(const std::string& partition) {
    QueryRequest request;
    request.table_name = table_.table_name();
    request.index_name = "ReconciliationIndex";
    request.key_condition_expression = "GSI_Recon_PK = :p";
    request.projection_expression = "TenantId, CallId, GSI_Recon_PK";
    request.expression_attribute_values = ValueMap{{":p", partition}};
    do {
      TRY_VOID(CheckSettings());
      const auto page = table_.endpoint().Query(request);
      if (!page) return std::unexpected(StoreError(page.error()));
      std::vector<Item> entries;
      for (std::size_t i = 0; i < page->items->size(); ++i) {
        entries.push_back(Item::FromView((*page->items)[i]));
      }
      TRY_VOID(MoveAll(entries));
      request.exclusive_start_key = page->last_evaluated_key;
    } while (request.exclusive_start_key);
    return {};
  }

  // Two that move entries to different places must not both go on: the later one wins, and moves what
  // the other one has just moved before its own grace is over.
  EntityResult<void> CheckSettings() {
    TRY(const TableSettings settings, table_.ReadSettings());
    if (settings.version != version_) return std::unexpected(Overtaken(options_.shards));
    return {};
  }

  EntityResult<void> MoveAll(const std::vector<Item>& entries) {
    std::optional<EntityError> failure;
    ForEach(entries.size(), options_.threads, [&](std::size_t i) {
      const auto moved = Move(entries[i].view());
      if (moved) return;
      const std::lock_guard lock(mutex_);
      failure = moved.error();
    });
    if (failure) return std::unexpected(*failure);
    if (options_.progress) options_.progress(moved_);
    return {};
  }

  // Only the partition key changes: neither a version nor a lease, so that whoever works on the call
  // is not disturbed.
  EntityResult<void> Move(ItemView entry) {
    const std::string stands = TextOf(entry, "GSI_Recon_PK");
    const std::string belongs =
        IndexKey(PlaceOf(entry).status, TextOf(entry, "CallId"), options_.shards);
    if (stands == belongs) return {};
    UpdateItemRequest request{.table_name = table_.table_name(), .key = KeyOf(entry)};
    request.update_expression = "SET GSI_Recon_PK = :new";
    request.condition_expression = "GSI_Recon_PK = :old";
    request.expression_attribute_values = ValueMap{{":new", belongs}, {":old", stands}};
    const auto moved = table_.endpoint().UpdateItem(request);
    if (moved) {
      ++moved_;
    } else if (moved.error().code() != ErrorCode::kConditionalCheckFailed) {
      return std::unexpected(StoreError(moved.error()));
    }
    return {};
  }

  CallTable& table_;
  const ReshardOptions& options_;
  const std::int64_t version_;
  std::atomic<std::int64_t> moved_ = 0;
  std::mutex mutex_;
};

// The settings name the new number, and all others that there were.
EntityResult<TableSettings> Announce(CallTable& table, std::int64_t shards) {
  TRY(TableSettings settings, table.ReadSettings());
  if (settings.shards != shards) {
    settings.former.insert(settings.shards);
    settings.former.erase(shards);
    settings.shards = shards;
  }
  // Also when nothing changes: a run that ends later than another must not undo its work.
  TRY_VOID(table.WriteSettings(settings));
  return table.ReadSettings();
}

}  // namespace

EntityResult<ReshardSummary> Reshard(CallTable& table, const ReshardOptions& options) {
  TRY(const TableSettings before, table.ReadSettings());
  TRY(TableSettings settings, Announce(table, options.shards));
  Mover mover(table, options, settings.version);
  // Somebody who slept for long may have written by a number that nobody reads by any more. With one
  // shard and the most that there ever were, all places are looked at.
  const std::set<std::int64_t> former{1, before.shards, settings.most};
  TRY_VOID(mover.Sweep(former));
  if (options.wait) {
    options.wait(options.grace);
  } else {
    std::this_thread::sleep_for(options.grace);
  }
  TRY_VOID(mover.Sweep(former));
  settings.former.clear();
  const auto closed = table.WriteSettings(settings);
  if (!closed && closed.error().kind == EntityErrorKind::kConflict) {
    return std::unexpected(Overtaken(options.shards));
  }
  if (!closed) return std::unexpected(closed.error());
  return ReshardSummary{.before = before.shards, .moved = mover.moved()};
}

}  // namespace stator::systems::reconciler
