#include "live/backfill.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "base/try.h"
#include "entity/expression.h"
#include "entity/item_values.h"
#include "live/item_walk.h"
#include "model/keys/key_access.h"

namespace stator::live {
namespace {

constexpr int kAttempts = 5;

// The attributes that decide about the wrong keys, each once.
std::set<std::string> Dependencies(const model::Table& table, const std::vector<WrongKey>& wrong) {
  std::set<std::string> names;
  for (const WrongKey& key : wrong) {
    for (std::string& name : model::DependenciesOf(table, *key.wanted.key)) {
      names.insert(std::move(name));
    }
  }
  return names;
}

UpdateItemRequest UpdateFor(const MendRequest& request, const std::vector<WrongKey>& wrong,
                            ItemView item) {
  entity::ExpressionText text;
  std::vector<std::string> set;
  std::vector<std::string> remove;
  for (const WrongKey& key : wrong) {
    const std::string& name = key.wanted.key->attribute;
    if (key.wanted.value) {
      set.push_back(text.Equals(name, *key.wanted.value));
    } else {
      remove.push_back(text.Name(name));
    }
  }
  std::string update;
  if (!set.empty()) update = fmt::format("SET {}", fmt::join(set, ", "));
  if (!remove.empty()) {
    update += fmt::format("{}REMOVE {}", update.empty() ? "" : " ", fmt::join(remove, ", "));
  }
  std::string condition =
      fmt::format("attribute_exists({})", text.Name(request.table.partition->name));
  for (const std::string& name : Dependencies(request.table, wrong)) {
    if (model::IsKeyOf(request.table, name)) continue;
    entity::AndAlso(condition, text.StillIs(name, item.Find(name)));
  }
  UpdateItemRequest made;
  made.table_name = request.table_name;
  made.key = entity::StoredKey(request.table, item);
  made.update_expression = std::move(update);
  made.condition_expression = std::move(condition);
  made.expression_attribute_names = text.names();
  made.expression_attribute_values = text.values();
  made.return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld;
  return made;
}

// A source of the key that every item of the entity must have, and this one has not.
const std::string* MissingSource(const model::Entity& entity, const model::KeyTemplate& key,
                                 ItemView item) {
  for (const model::Attribute& attribute : entity.attributes) {
    if (!key.Uses(attribute.name) || item.Find(attribute.name)) continue;
    const bool is_state = entity.machine && entity.machine->attribute == attribute.name;
    if (is_state || (!attribute.optional && !attribute.implicit)) return &attribute.name;
  }
  return nullptr;
}

// At most that many events per second, for several threads together.
class RateLimit {
 public:
  // 0: without limit.
  explicit RateLimit(double per_second) : per_second_(per_second) {}

  // Waits until the next event may happen.
  void Wait() {
    if (per_second_ <= 0) return;
    std::this_thread::sleep_until(Reserve());
  }

 private:
  using SteadyClock = std::chrono::steady_clock;

  SteadyClock::time_point Reserve() {
    const std::lock_guard lock(mutex_);
    next_ = std::max(next_, SteadyClock::now());
    const SteadyClock::time_point mine = next_;
    next_ += std::chrono::duration_cast<SteadyClock::duration>(
        std::chrono::duration<double>(1 / per_second_));
    return mine;
  }

  const double per_second_;
  std::mutex mutex_;
  SteadyClock::time_point next_{};
};

// Identifies the work: a checkpoint made for other keys or another table is not taken up.
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

// True if the item would be in the index: it has every key with its type.
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

std::expected<std::vector<WrongKey>, std::string> FindWrongKeys(const model::Model& model,
                                                                const model::Table& table,
                                                                const model::Entity& entity,
                                                                const model::Index* index,
                                                                ItemView item, TimeMs now) {
  // A random shard is drawn from the item itself, so that a second worker draws the same.
  const auto shard = [&](std::int64_t count) {
    const std::uint64_t hash = model::HashText(entity::StoredKey(table, item).encoded());
    return static_cast<std::int64_t>(hash % static_cast<std::uint64_t>(count));
  };
  ASSIGN_OR_RETURN(const std::vector<model::DerivedKey> derived,
                   model::DeriveKeys(model, entity, item, now, shard));
  std::vector<WrongKey> wrong;
  for (const model::DerivedKey& key : derived) {
    const std::string& name = key.key->attribute;
    if (model::IsKeyOf(table, name) || (index != nullptr && !model::IsKeyOf(*index, name)))
      continue;
    const auto stored = item.Find(name);
    const bool right = key.value ? stored && *stored == key.value->view() : !stored;
    if (!right && !key.value) {
      // A key that says more than the item is not thrown away.
      if (const std::string* source = MissingSource(entity, *key.key, item)) {
        return std::unexpected(fmt::format("{} needs {}, which is missing", name, *source));
      }
    }
    if (!right) wrong.push_back({.wanted = key, .present = stored.has_value()});
  }
  return wrong;
}

Result<Mended> MendItem(Endpoint& endpoint, const MendRequest& request, ItemView item) {
  Item current = Item::FromView(item);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const model::Entity* entity = model::EntityOf(request.model, request.table, current.view());
    if (entity == nullptr) return Mended::kAlreadyRight;
    const auto wrong = FindWrongKeys(request.model, request.table, *entity, request.index,
                                     current.view(), request.now);
    if (!wrong) return Mended::kNoKeys;
    if (wrong->empty()) return attempt == 0 ? Mended::kAlreadyRight : Mended::kChanged;
    const auto updated = endpoint.UpdateItem(UpdateFor(request, *wrong, current.view()));
    if (updated) return Mended::kChanged;
    if (updated.error().code() != ErrorCode::kConditionalCheckFailed) {
      return std::unexpected(updated.error());
    }
    if (updated.error().item().empty()) return Mended::kGone;
    current = Item::FromEncoded(updated.error().item());
  }
  return std::unexpected(Error::Throttling("an item is being changed too often to be mended"));
}

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
