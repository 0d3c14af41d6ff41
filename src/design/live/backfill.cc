#include "live/backfill.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "base/try.h"
#include "live/item_walk.h"
#include "live/mend.h"
#include "live/rate_limit.h"

namespace stator::live {
namespace {

// What is being done: a checkpoint made for other keys or another table is not taken up.
std::string Fingerprint(const model::Model& model, const model::Table& table,
                        const BackfillOptions& options) {
  std::string work = fmt::format("backfill {} {}", options.table_name,
                                 options.index == nullptr ? "*" : options.index->name);
  for (const model::Entity* entity : model.EntitiesOf(table)) {
    for (const model::KeyTemplate& key : entity->keys) {
      work += fmt::format(" {}.{}={}", entity->name, key.attribute, key.text);
    }
  }
  return work;
}

std::optional<std::int64_t> CountOf(Endpoint& endpoint, const std::string& table_name) {
  const auto described = endpoint.DescribeTable({.table_name = table_name});
  if (!described || described->table.item_count == 0) return std::nullopt;
  return described->table.item_count;
}

// True if the item would be in the index: every key is there with its type.
bool CarriesKeys(const model::Index& index, ItemView item) {
  const auto carried = [&](const model::KeyAttribute& key) {
    const auto value = item.Find(key.name);
    return value && value->type() == key.type;
  };
  return std::ranges::all_of(index.partition, carried) && std::ranges::all_of(index.sort, carried);
}

Result<std::int64_t> CountEntries(Endpoint& endpoint, const std::string& table_name,
                                  const std::string& index_name) {
  std::int64_t count = 0;
  ScanRequest request{.table_name = table_name, .index_name = index_name, .select = Select::kCount};
  do {
    ASSIGN_OR_RETURN(const ScanResponse page, endpoint.Scan(request));
    count += page.count;
    request.exclusive_start_key = page.last_evaluated_key;
  } while (request.exclusive_start_key);
  return count;
}

}  // namespace

Result<BackfillResult> Backfill(Endpoint& endpoint, const model::Model& model,
                                const model::Table& table, const BackfillOptions& options,
                                const LiveProgressCallback& progress) {
  const MendRequest request{.model = model,
                            .table = table,
                            .table_name = options.table_name,
                            .index = options.index,
                            .now = options.now};
  RateLimit rate(options.items_per_second);
  std::mutex mutex;
  BackfillResult result;
  LiveProgress shown{
      .what = fmt::format("filling {}", options.index == nullptr ? "keys" : options.index->name),
      .read = 0,
      .changed = 0,
      .total = CountOf(endpoint, options.table_name)};
  const auto visit = [&](ItemView item) -> Result<void> {
    const model::Entity* entity = model::EntityOf(model, table, item);
    if (entity == nullptr) return {};
    const auto wrong = FindWrongKeys(model, table, *entity, options.index, item, options.now);
    if (wrong && wrong->empty()) return {};
    if (wrong) rate.Wait();
    ASSIGN_OR_RETURN(const Mended mended, MendItem(endpoint, request, item));
    const std::lock_guard lock(mutex);
    result.changed += mended == Mended::kChanged ? 1 : 0;
    result.gone += mended == Mended::kGone ? 1 : 0;
    result.no_keys += mended == Mended::kNoKeys ? 1 : 0;
    return {};
  };
  const auto seen = [&](std::int64_t read) {
    if (!progress) return;
    const std::lock_guard lock(mutex);
    shown.read = read;
    shown.changed = result.changed;
    progress(shown);
  };
  ASSIGN_OR_RETURN(const WalkResult walked,
                   WalkItems(endpoint,
                             {.table_name = options.table_name,
                              .segments = options.segments,
                              .checkpoint = options.checkpoint,
                              .fingerprint = Fingerprint(model, table, options),
                              .stop = options.stop},
                             visit, seen));
  result.read = walked.read;
  result.resumed_at = walked.resumed_at;
  result.stopped = walked.stopped;
  return result;
}

Result<IndexCheck> VerifyIndex(Endpoint& endpoint, const model::Index& index,
                               const std::string& table_name, int segments,
                               const LiveProgressCallback& progress) {
  LiveProgress shown{.what = fmt::format("checking {}", index.name),
                     .read = 0,
                     .changed = 0,
                     .total = CountOf(endpoint, table_name)};
  const auto seen = [&](std::int64_t read) {
    shown.read = read;
    if (progress) progress(shown);
  };
  const auto count_items = [&]() -> Result<std::int64_t> {
    std::atomic<std::int64_t> count = 0;
    const auto visit = [&](ItemView item) -> Result<void> {
      if (CarriesKeys(index, item)) ++count;
      return {};
    };
    RETURN_IF_ERROR(
        WalkItems(endpoint, {.table_name = table_name, .segments = segments}, visit, seen));
    return count.load();
  };
  IndexCheck check;
  ASSIGN_OR_RETURN(check.expected, count_items());
  ASSIGN_OR_RETURN(check.found, CountEntries(endpoint, table_name, index.name));
  check.expected_after = check.expected;
  if (check.found != check.expected) {
    ASSIGN_OR_RETURN(check.expected_after, count_items());
  }
  return check;
}

}  // namespace stator::live
