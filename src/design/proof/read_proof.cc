// Reads: the items of the range are put, the right ones in the order of reading are made to pass
// the filter, and the requests of one run are sent.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/try.h"
#include "entity/item_values.h"
#include "model/estimate/estimate_read.h"
#include "model/estimate/item_size.h"
#include "proof/proof_parts.h"
#include "proof/range_load.h"
#include "proof/scenario.h"

namespace stator::proof {
namespace {

using model::EntityRange;
using model::Plan;

constexpr std::size_t kBatchGetItems = 100;

// The words of an enum differ in length: the one that all items have counts. Every item gets a
// whole number of bytes. True if one has other bytes than before.
bool FixSizes(model::Model& model, const Plan& plan, const Values& inside) {
  bool resized = false;
  for (model::Entity& entity : model.entities) {
    if (plan.table == nullptr || entity.table != plan.table->id) continue;
    const double usual = model::ItemBytes(model, entity).typical;
    for (model::Attribute& attribute : entity.attributes) {
      if (attribute.values.empty()) continue;
      const auto given = inside.find(attribute.name);
      const auto bytes = static_cast<double>(
          given != inside.end() ? given->second.size() : attribute.values.front().size());
      attribute.bytes = {bytes, bytes};
    }
    const bool whole_entry = plan.index != nullptr &&
                             plan.index->projection.kind == model::Projection::Kind::kAll &&
                             model::CanEnter(entity, *plan.index);
    const double bytes = (whole_entry ? model::EntryBytes(model, entity, *plan.index)
                                      : model::ItemBytes(model, entity))
                             .typical;
    entity.item_bytes = model::Amount{std::ceil(bytes), std::ceil(bytes)};
    resized = resized || std::ceil(bytes) != usual;
  }
  return resized;
}

// Each page is rounded up by itself. If items differ in size, where a page ends depends on their
// order: on the hashes of the keys, which differ between databases.
bool SizesDiffer(const model::Model& model, const Plan& plan,
                 const std::vector<EntityRange>& ranges) {
  std::optional<double> known;
  for (const EntityRange& range : ranges) {
    if (range.items.typical <= 0) continue;
    const double bytes = model::AddUp(model, plan, {range}).bytes.typical / range.items.typical;
    if (known && std::abs(*known - bytes) > 1e-6) return true;
    known = bytes;
  }
  return false;
}

struct Loaded {
  const model::Entity* entity = nullptr;
  std::uint64_t number = 0;
  int shard = 0;
};

class ReadRun {
 public:
  ReadRun(const model::Model& model, const Plan& plan, std::vector<EntityRange> ranges,
          const Scenario& scenario, Database& database)
      : model_(model),
        plan_(plan),
        read_(plan.pattern->read),
        ranges_(std::move(ranges)),
        scenario_(scenario),
        database_(database) {}

  Result<void> Load() {
    const int shards = model::ShardsOf(plan_);
    std::uint64_t number = kFirstNumber;
    for (const EntityRange& range : ranges_) {
      for (int i = 0; i < static_cast<int>(range.items.typical); ++i) {
        RETURN_IF_ERROR(PutItem({range.entity, number++, i % shards}, /*passes=*/false));
      }
    }
    if (scenario_.filters()) {
      for (int shard = 0; shard < shards; ++shard) RETURN_IF_ERROR(LetSomePass(shard));
    }
    return {};
  }

  Result<void> Run(Measure& measure) {
    const int shards = read_.all_shards ? model::ShardsOf(plan_) : 1;
    const int repeats = plan_.pattern->kind == model::PatternKind::kGet
                            ? static_cast<int>(std::max<std::int64_t>(1, read_.batch))
                            : 1;
    for (int i = 0; i < shards * repeats; ++i) RETURN_IF_ERROR(RunShard(i % shards, measure));
    if (read_.want) {
      measure.items_returned = std::min(measure.items_returned, static_cast<double>(*read_.want));
    }
    return FetchHits(measure);
  }

 private:
  Values ValuesFor(const Loaded& loaded, bool passes) const {
    Values values = scenario_.inside();
    values["shard"] = std::to_string(loaded.shard);
    for (const auto& [name, text] : passes ? scenario_.passing() : scenario_.failing()) {
      values[name] = text;
    }
    return values;
  }

  Result<void> PutItem(const Loaded& loaded, bool passes) {
    const ItemMaker maker(model_, *loaded.entity, plan_.index);
    Item item = maker.Make(loaded.number, ValuesFor(loaded, passes));
    const Item key = entity::StoredKey(*plan_.table, item.view());
    loaded_[key.encoded()] = loaded;
    if (first_.empty()) first_ = item;
    RETURN_IF_ERROR(
        database_.PutItem({.table_name = NameOf(*plan_.table), .item = std::move(item)}));
    return {};
  }

  // Spreads the matches evenly: the k-th of m matches among n entries is at k (n + 1) / (m + 1).
  Result<void> LetSomePass(int shard) {
    ASSIGN_OR_RETURN(const std::vector<std::string> order, KeysInOrder(shard));
    double matches = 0;
    for (const EntityRange& range : ranges_) matches += range.items.typical * range.passing;
    const auto wanted = static_cast<std::size_t>(std::llround(matches / model::ShardsOf(plan_)));
    for (std::size_t k = 1; k <= wanted && !order.empty(); ++k) {
      const double at =
          std::ceil(static_cast<double>(k * (order.size() + 1)) / static_cast<double>(wanted + 1));
      const std::size_t position =
          std::clamp<std::size_t>(static_cast<std::size_t>(at), 1, order.size());
      RETURN_IF_ERROR(Replace(order[position - 1]));
    }
    return {};
  }

  // If the filter is on an attribute of the key, the item that passes is a different one.
  Result<void> Replace(const std::string& encoded_key) {
    const Loaded loaded = loaded_.at(encoded_key);
    const ItemMaker maker(model_, *loaded.entity, plan_.index);
    const Item failing = maker.Make(loaded.number, ValuesFor(loaded, /*passes=*/false));
    RETURN_IF_ERROR(database_.DeleteItem({.table_name = NameOf(*plan_.table),
                                          .key = entity::StoredKey(*plan_.table, failing.view())}));
    return PutItem(loaded, /*passes=*/true);
  }

  Result<std::vector<std::string>> KeysInOrder(int shard) {
    std::vector<std::string> keys;
    std::optional<Item> from;
    do {
      ASSIGN_OR_RETURN(PageResponse page, ReadPage(shard, from, /*plain=*/true));
      for (std::size_t i = 0; i < page.items->size(); ++i) {
        keys.push_back(entity::StoredKey(*plan_.table, (*page.items)[i]).encoded());
      }
      from = std::move(page.last_evaluated_key);
    } while (from);
    return keys;
  }

  // A plain page has all items, without filter and limit.
  Result<PageResponse> ReadPage(int shard, const std::optional<Item>& from, bool plain) {
    const bool scans = plan_.operation == model::Operation::kScan;
    std::optional<std::int64_t> limit = read_.page ? read_.page : read_.limit;
    const bool filters = scenario_.filters();
    if (read_.want && !filters && !limit) limit = read_.want;
    if (plain) limit.reset();
    if (scans) {
      ScanRequest request{.table_name = NameOf(*plan_.table)};
      if (plan_.index != nullptr) request.index_name = plan_.index->name;
      request.limit = limit;
      request.exclusive_start_key = from;
      request.consistent_read = read_.strong;
      request.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
      if (read_.count && !plain) request.select = Select::kCount;
      if (!plain) scenario_.Filter(request);
      return database_.Scan(request);
    }
    QueryRequest request{.table_name = NameOf(*plan_.table)};
    if (plan_.index != nullptr) request.index_name = plan_.index->name;
    request.limit = limit;
    request.exclusive_start_key = from;
    request.consistent_read = read_.strong;
    request.scan_index_forward = !read_.descending;
    request.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
    if (read_.count && !plain) request.select = Select::kCount;
    if (plan_.index != nullptr && plan_.index->local && !read_.count && read_.needs.empty() &&
        !plain) {
      request.select = Select::kAllAttributes;
    }
    scenario_.Condition(request, first_, shard, !plain);
    return database_.Query(request);
  }

  Result<void> RunShard(int shard, Measure& measure) {
    const bool one_request =
        !read_.all && !read_.want &&
        (read_.limit || read_.page || read_.count_by_length || read_.first_match);
    std::optional<Item> from;
    double found = 0;
    do {
      ASSIGN_OR_RETURN(PageResponse page, ReadPage(shard, from, /*plain=*/false));
      measure.items_read += static_cast<double>(page.scanned_count);
      found += static_cast<double>(page.count);
      measure.pages += 1;
      measure.read_units += page.consumed_capacity->capacity_units;
      if (page.items) {
        for (std::size_t i = 0; i < page.items->size(); ++i) {
          hits_.push_back(entity::StoredKey(*plan_.table, (*page.items)[i]));
        }
      }
      from = std::move(page.last_evaluated_key);
      if (read_.want && found >= static_cast<double>(*read_.want)) break;
    } while (from && !one_request);
    if (read_.want) found = std::min(found, static_cast<double>(*read_.want));
    measure.items_returned += found;
    return {};
  }

  Result<void> FetchHits(Measure& measure) {
    if (!read_.then_get) return {};
    const auto hits = static_cast<std::size_t>(measure.items_returned);
    for (std::size_t i = 0; i < std::min(hits, hits_.size()); ++i) {
      ASSIGN_OR_RETURN(
          const GetItemResponse got,
          database_.GetItem({.table_name = NameOf(*plan_.table),
                             .key = hits_[i],
                             .return_consumed_capacity = ReturnConsumedCapacity::kTotal}));
      measure.items_read += got.item ? 1 : 0;
      measure.pages += 1;
      measure.read_units += got.consumed_capacity->capacity_units;
    }
    return {};
  }

  const model::Model& model_;
  const Plan& plan_;
  const model::ReadDetail& read_;
  std::vector<EntityRange> ranges_;
  const Scenario& scenario_;
  Database& database_;
  Item first_;
  std::map<std::string, Loaded> loaded_;  // by the encoded key
  std::vector<Item> hits_;
};

void AddTo(const model::Estimate& estimate, Measure& measure) {
  measure.items_read += estimate.items_read.typical;
  measure.items_returned += estimate.items_returned.typical;
  measure.pages += estimate.pages.typical;
  measure.read_units += estimate.read_units.typical;
}

void AddWeighted(const Measure& run, double weight, Measure& sum) {
  sum.items_read += weight * run.items_read;
  sum.items_returned += weight * run.items_returned;
  sum.pages += weight * run.pages;
  sum.read_units += weight * run.read_units;
  for (const auto& [place, units] : run.metered) {
    sum.metered[place].reads += weight * units.reads;
    sum.metered[place].writes += weight * units.writes;
  }
}

// Loads these items and reads them once.
Result<void> RunLoad(const model::Model& model, const Plan& plan,
                     const std::vector<EntityRange>& ranges, Proof& proof) {
  const Scenario scenario(model, plan, static_cast<std::uint64_t>(TotalOf(ranges)));
  if (!scenario.obstacle().empty()) {
    proof.note = scenario.obstacle();
    return {};
  }
  AddTo(model::EstimateRanges(model, plan, {ranges}), proof.predicted);
  ASSIGN_OR_RETURN(const std::unique_ptr<Database> database, OpenFor(model));
  ReadRun run(model, plan, ranges, scenario, *database);
  RETURN_IF_ERROR(run.Load());
  const Meter meter(*database);
  RETURN_IF_ERROR(run.Run(proof.measured));
  meter.AddTo(proof.measured.metered);
  if (SizesDiffer(model, plan, ranges)) {
    proof.read_slack = std::max(0.0, proof.measured.pages - 1);
  }
  // The estimate of a filter is a fraction; a page holds whole items.
  if (scenario.filters() &&
      std::abs(proof.predicted.items_returned - proof.measured.items_returned) < 1) {
    proof.predicted.items_returned = proof.measured.items_returned;
  }
  proof.ran = true;
  return {};
}

// One value of `foreach`.
Result<void> ProveRange(model::Model& model, const std::string& name, const std::string& value,
                        double max_items, Proof& proof) {
  auto& pattern = *std::ranges::find(model.patterns, name, &model::Pattern::name);
  if (!value.empty()) pattern.read.foreach_values = {value};
  Plan plan = model::ResolvePattern(model, pattern);
  const bool resized = FixSizes(model, plan, Scenario(model, plan, 1).inside());
  proof.resized = proof.resized || resized;
  model::EntityRanges found = model::FindRanges(model, plan, value);
  if (!found.missing.empty()) {
    proof.note = "the model does not say " + found.missing;
    return {};
  }
  const double total = TotalOf(found.ranges);
  const double scale = ScaleDown(max_items, found.ranges);
  if (scale < 1) proof.note = fmt::format("{:.0f} of {:.0f} items", total * scale, total);
  proof.scale = std::min(proof.scale, scale);
  for (const Load& load : LoadsOf(plan, found.ranges)) {
    Proof run;
    RETURN_IF_ERROR(RunLoad(model, plan, load.ranges, run));
    if (!run.note.empty()) proof.note = run.note;
    proof.ran = run.ran;
    if (!run.ran) return {};
    AddWeighted(run.predicted, load.weight, proof.predicted);
    AddWeighted(run.measured, load.weight, proof.measured);
    proof.read_slack += load.weight * run.read_slack;
  }
  return {};
}

Result<void> ProveGets(model::Model& model, const Plan& plan, Proof& proof) {
  proof.resized = FixSizes(model, plan, {});
  const model::ReadDetail& read = plan.pattern->read;
  AddTo(model::EstimatePlans(model, {plan}).front(), proof.predicted);
  ASSIGN_OR_RETURN(const std::unique_ptr<Database> database, OpenFor(model));
  const ItemMaker maker(model, *plan.entity, nullptr);
  const auto gets = static_cast<std::size_t>(std::clamp<std::int64_t>(read.batch, 1, 10000));
  std::vector<Item> keys;
  for (std::size_t i = 0; i < gets; ++i) {
    Item item = maker.Make(kFirstNumber + i, {});
    keys.push_back(entity::StoredKey(*plan.table, item.view()));
    RETURN_IF_ERROR(
        database->PutItem({.table_name = NameOf(*plan.table), .item = std::move(item)}));
  }
  Measure& measure = proof.measured;
  const Meter meter(*database);
  const bool batched = plan.operation == model::Operation::kBatchGetItem;
  for (std::size_t i = 0; i < keys.size(); i += batched ? kBatchGetItems : 1) {
    measure.pages += 1;
    if (!batched) {
      ASSIGN_OR_RETURN(
          const GetItemResponse got,
          database->GetItem({.table_name = NameOf(*plan.table),
                             .key = keys[i],
                             .consistent_read = read.strong,
                             .return_consumed_capacity = ReturnConsumedCapacity::kTotal}));
      measure.items_read += got.item ? 1 : 0;
      measure.read_units += got.consumed_capacity->capacity_units;
      continue;
    }
    const auto first = keys.begin() + static_cast<std::ptrdiff_t>(i);
    const auto count = std::min(kBatchGetItems, keys.size() - i);
    KeysAndAttributes wanted{
        .keys = std::vector<Item>(first, first + static_cast<std::ptrdiff_t>(count)),
        .consistent_read = read.strong};
    ASSIGN_OR_RETURN(
        const BatchGetItemResponse got,
        database->BatchGetItem({.request_items = BatchGetMap{{NameOf(*plan.table), wanted}},
                                .return_consumed_capacity = ReturnConsumedCapacity::kTotal}));
    measure.items_read += static_cast<double>(got.responses.front().second.size());
    measure.read_units += got.consumed_capacity->front().capacity_units;
  }
  meter.AddTo(measure.metered);
  measure.items_returned = measure.items_read;
  proof.ran = true;
  return {};
}

}  // namespace

void ProveRead(model::Model& model, const std::string& name, double max_items, Proof& proof) {
  const model::Pattern& pattern = *model.FindPattern(name);
  const Plan plan = model::ResolvePattern(model, pattern);
  if (plan.table == nullptr || !plan.table->partition) {
    proof.note = "the table has no key";
    return;
  }
  Result<void> result;
  if (plan.operation == model::Operation::kGetItem ||
      plan.operation == model::Operation::kBatchGetItem) {
    result = ProveGets(model, plan, proof);
  } else {
    for (const std::string& value : model::ForeachValues(plan)) {
      result = ProveRange(model, name, value, max_items, proof);
      if (!result || !proof.ran) break;
    }
  }
  if (!result) {
    proof.ran = true;
    proof.difference = result.error().message();
  }
}

}  // namespace stator::proof
