#include "systems/homeops/upkeep/migration.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "stator/live.h"
#include "systems/homeops/upkeep/lost_deeds.h"
#include "systems/homeops/upkeep/mending.h"
#include "systems/program/items.h"
#include "systems/program/model_text.h"
#include "systems/program/output.h"
#include "systems/program/process.h"

namespace stator::systems::homeops {
namespace {

constexpr int kAttempts = 20;
constexpr std::array<std::string_view, 2> kMendedTables = {"homeops", "homeops-activities"};

using ItemAction = std::function<Result<void>(const Item& item)>;

Item KeyIn(std::string_view table, const Item& item) {
  static constexpr std::array<std::array<std::string_view, 2>, 2> kKeys = {
      {{"pk", "sk"}, {"chatId", "activityId"}}};
  const auto& [hash, range] = kKeys[table == "homeops" ? 0 : 1];
  Item key;
  for (const std::string_view name : {hash, range}) {
    if (const auto value = item.Find(name)) key.Set(name, AttributeValue::FromView(*value));
  }
  return key;
}

// An expression with its names and values; attribute names may be reserved words.
struct Expression {
  std::string text;
  NameMap names;
  ValueMap values;

  std::string Name(std::string_view attribute) {
    const auto known =
        std::ranges::find_if(names, [&](const auto& entry) { return entry.second == attribute; });
    if (known != names.end()) return known->first;
    names.emplace_back(fmt::format("#n{}", names.size()), std::string(attribute));
    return names.back().first;
  }
  std::string Value(ValueView value) {
    values.emplace_back(fmt::format(":v{}", values.size()), AttributeValue::FromView(value));
    return values.back().first;
  }
};

// True if the stored item is still as it was read, as far as `attributes` go.
std::string UnchangedCondition(const Item& read, const std::set<std::string>& attributes,
                               Expression& expression) {
  std::vector<std::string> parts;
  for (const std::string& name : attributes) {
    const auto value = read.Find(name);
    parts.push_back(value ? fmt::format("{} = {}", expression.Name(name), expression.Value(*value))
                          : fmt::format("attribute_not_exists({})", expression.Name(name)));
  }
  return fmt::to_string(fmt::join(parts, " AND "));
}

std::set<std::string> AttributesOf(const Item& a, const Item& b, const Item& key) {
  std::set<std::string> names;
  for (const Item* item : {&a, &b}) {
    for (const auto& [name, value] : *item) {
      if (!key.Find(name)) names.emplace(name);
    }
  }
  return names;
}

// Makes `before` into `after`, which has the same key.
TransactUpdate UpdateOf(const std::string& table, const Item& key, const Item& before,
                        const Item& after) {
  Expression expression;
  std::vector<std::string> sets;
  for (const auto& [name, value] : after) {
    const auto old = before.Find(name);
    if (key.Find(name) || (old && *old == value)) continue;
    sets.push_back(fmt::format("{} = {}", expression.Name(name), expression.Value(value)));
  }
  std::string condition = UnchangedCondition(before, AttributesOf(before, after, key), expression);
  return {.table_name = table,
          .key = key,
          .update_expression = fmt::format("SET {}", fmt::join(sets, ", ")),
          .condition_expression = std::move(condition),
          .expression_attribute_names = expression.names,
          .expression_attribute_values = expression.values};
}

TransactDelete DeleteOf(const std::string& table, const Item& key, const Item& before) {
  Expression expression;
  std::string condition = UnchangedCondition(before, AttributesOf(before, before, key), expression);
  TransactDelete gone{.table_name = table, .key = key};
  if (condition.empty()) return gone;
  gone.condition_expression = std::move(condition);
  gone.expression_attribute_names = expression.names;
  if (!expression.values.empty()) gone.expression_attribute_values = expression.values;
  return gone;
}

// Somebody was faster, or is at it.
bool IsOvertakenWrite(const Error& error) {
  return error.code() == ErrorCode::kConditionalCheckFailed ||
         error.code() == ErrorCode::kTransactionCanceled ||
         error.code() == ErrorCode::kTransactionConflict;
}

class TableMender {
 public:
  TableMender(Endpoint& endpoint, const MendOptions& options, std::string_view table,
              const Vocabularies& vocabularies)
      : endpoint_(endpoint),
        options_(options),
        table_(table),
        full_name_(options.table_prefix + table_),
        vocabularies_(vocabularies) {}

  Result<MendReport> Run() {
    const auto described = endpoint_.DescribeTable({.table_name = full_name_});
    if (!described) return std::unexpected(described.error());
    total_ = described->table.item_count;
    LookForIndex(described->table);
    const auto count = static_cast<std::size_t>(std::clamp(options_.segments, 1, 64));
    std::vector<Result<void>> results(count);
    ForEach(count, static_cast<int>(count),
            [&](std::size_t segment) { results[segment] = ScanSegment(segment, count); });
    for (const auto& result : results) {
      if (!result) return std::unexpected(result.error());
    }
    return report_;
  }

 private:
  // Without it no question can be asked at all.
  void LookForIndex(const TableDescription& described) {
    if (table_ != "homeops-activities") return;
    const bool is_there = std::ranges::any_of(
        described.global_secondary_indexes,
        [](const auto& index) { return index.index_name == "chatId-activity-index"; });
    if (is_there) return;
    report_.problems[full_name_ + ": it has no index chatId-activity-index"] = {
        .count = 1, .example = "any question"};
  }

  Result<void> ScanSegment(std::size_t segment, std::size_t count) {
    ScanRequest request{.table_name = full_name_,
                        .total_segments = static_cast<std::int64_t>(count),
                        .segment = static_cast<std::int64_t>(segment),
                        .consistent_read = true};
    do {
      const auto page = endpoint_.Scan(request);
      if (!page) return std::unexpected(page.error());
      for (std::size_t i = 0; page->items && i < page->items->size(); ++i) {
        if (auto mended = Mend(Item::FromView((*page->items)[i])); !mended) return mended;
      }
      request.exclusive_start_key = page->last_evaluated_key;
    } while (request.exclusive_start_key);
    return {};
  }

  Result<void> Mend(Item item) {
    Count();
    const Item key = KeyIn(table_, item);
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const auto mending = MendingOf(table_, item, vocabularies_);
      if (!mending) return {};
      if (attempt == 0) Note(item, *mending);
      if (options_.dry_run || !mending->right) return {};
      const auto written = Write(item, key, *mending->right);
      if (written) {
        const std::scoped_lock lock(mutex_);
        ++report_.mended;
        return {};
      }
      if (!IsOvertakenWrite(written.error())) return written;
      std::this_thread::sleep_for(std::chrono::milliseconds(attempt));
      auto again =
          endpoint_.GetItem({.table_name = full_name_, .key = key, .consistent_read = true});
      if (!again) return std::unexpected(again.error());
      if (!again->item) return {};  // deleted meanwhile
      item = *std::move(again->item);
    }
    return std::unexpected(Error::Throttling(
        fmt::format("{} is written too often to be mended; run it again", JsonOfItem(key.view()))));
  }

  Result<void> Write(const Item& before, const Item& key, const Item& right) {
    const Item new_key = KeyIn(table_, right);
    if (new_key == key) {
      const TransactUpdate update = UpdateOf(full_name_, key, before, right);
      const auto written =
          endpoint_.UpdateItem({.table_name = update.table_name,
                                .key = update.key,
                                .update_expression = update.update_expression,
                                .condition_expression = update.condition_expression,
                                .expression_attribute_names = update.expression_attribute_names,
                                .expression_attribute_values = update.expression_attribute_values});
      if (!written) return std::unexpected(written.error());
      return {};
    }
    return Move(before, key, right, new_key);
  }

  // To another key, where there may be an item already.
  Result<void> Move(const Item& before, const Item& key, const Item& right, const Item& new_key) {
    const auto there =
        endpoint_.GetItem({.table_name = full_name_, .key = new_key, .consistent_read = true});
    if (!there) return std::unexpected(there.error());
    std::vector<TransactWriteItem> writes = {{.delete_item = DeleteOf(full_name_, key, before)}};
    if (!there->item) {
      writes.push_back({.put = TransactPut{.table_name = full_name_,
                                           .item = right,
                                           .condition_expression = "attribute_not_exists(pk)"}});
    } else {
      const auto mended = MendingOf(table_, *there->item, vocabularies_);
      const Item& target = mended && mended->right ? *mended->right : *there->item;
      const Item merged = Merged(target, right);
      if (!(merged == *there->item)) {
        writes.push_back({.update = UpdateOf(full_name_, new_key, *there->item, merged)});
      }
    }
    const auto moved = endpoint_.TransactWriteItems({.transact_items = std::move(writes)});
    if (!moved) return std::unexpected(moved.error());
    return {};
  }

  void Count() {
    const std::scoped_lock lock(mutex_);
    ++report_.read;
    if (options_.progress) options_.progress(table_, report_.read, total_);
  }

  void Note(const Item& item, const Mending& mending) {
    const std::scoped_lock lock(mutex_);
    auto& list = mending.right ? report_.problems : report_.hopeless;
    ItemProblem& problem = list[fmt::format("{}: {}", full_name_, mending.problem)];
    if (problem.count++ == 0) problem.example = JsonOfItem(KeyIn(table_, item).view());
  }

  Endpoint& endpoint_;
  const MendOptions& options_;
  const std::string table_;
  const std::string full_name_;
  const Vocabularies& vocabularies_;
  std::int64_t total_ = 0;
  std::mutex mutex_;
  MendReport report_;
};

// Aliases and taught activities say how everything else is spelled.
Result<void> ReadVocabularies(Endpoint& endpoint, const std::string& table,
                              Vocabularies& vocabularies) {
  ScanRequest request{
      .table_name = table,
      .filter_expression = "begins_with(pk, :alias) OR begins_with(pk, :activity)",
      .expression_attribute_values = ValueMap{{":alias", AttributeValue("ALIAS#")},
                                              {":activity", AttributeValue("ACTIVITY#")}},
      .consistent_read = true};
  do {
    const auto page = endpoint.Scan(request);
    if (!page) return std::unexpected(page.error());
    for (std::size_t i = 0; page->items && i < page->items->size(); ++i) {
      vocabularies.Add((*page->items)[i]);
    }
    request.exclusive_start_key = page->last_evaluated_key;
  } while (request.exclusive_start_key);
  return {};
}

void AddProblems(std::map<std::string, ItemProblem>& all,
                 const std::map<std::string, ItemProblem>& more) {
  for (const auto& [name, problem] : more) {
    ItemProblem& sum = all[name];
    if (sum.count == 0) sum.example = problem.example;
    sum.count += problem.count;
  }
}

// What a person sees of the work: a line that moves on a terminal, otherwise one per table.
Result<MendReport> MendWithProgress(Connection& connection, const std::string& prefix,
                                    bool dry_run) {
  ProgressLine line;
  return MendItems(
      connection.endpoint(),
      {.table_prefix = prefix,
       .dry_run = dry_run,
       .progress = [&](std::string_view table, std::int64_t read, std::int64_t total) {
         line.Show(ProgressText(fmt::format("reading {}", table), read, std::max(read, total)));
       }});
}

}  // namespace

void MendReport::Add(const MendReport& other) {
  read += other.read;
  mended += other.mended;
  AddProblems(problems, other.problems);
  AddProblems(hopeless, other.hopeless);
}

std::vector<std::string> MendReport::Lines() const {
  std::vector<std::pair<std::int64_t, std::string>> sorted;
  for (const auto& [name, problem] : problems) {
    sorted.emplace_back(problem.count,
                        fmt::format("{} × {}, e.g. {}", problem.count, name, problem.example));
  }
  for (const auto& [name, problem] : hopeless) {
    sorted.emplace_back(problem.count,
                        fmt::format("{} × {}, e.g. {}; this cannot be mended, look at it yourself",
                                    problem.count, name, problem.example));
  }
  std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> lines;
  for (auto& [count, line] : sorted) lines.push_back(std::move(line));
  return lines;
}

Result<MendReport> MendItems(Endpoint& endpoint, const MendOptions& options) {
  Vocabularies vocabularies;
  if (auto read = ReadVocabularies(endpoint, options.table_prefix + "homeops", vocabularies);
      !read) {
    return std::unexpected(read.error());
  }
  MendReport report;
  for (const std::string_view table : kMendedTables) {
    const auto part = TableMender(endpoint, options, table, vocabularies).Run();
    if (!part) return std::unexpected(part.error());
    report.Add(*part);
  }
  const auto lost = MendLostDeeds(endpoint, options);
  if (!lost) return std::unexpected(lost.error());
  report.Add(*lost);
  return report;
}

int RunMigrate(const Place& place, bool dry_run) {
  const auto connection = Connection::Open(place);
  if (!connection) return Fail(connection.error());
  const auto model = Model::Parse(ModelText());
  if (!model) return Fail(model.error());
  ProgressLine line;
  const auto applied = ApplyModel(
      (*connection)->endpoint(), *model,
      {.table_prefix = place.table_prefix,
       .dry_run = dry_run,
       .backfill = true,
       .progress = [&](const LiveProgress& progress) {
         line.Show(ProgressText(progress.what, progress.read, progress.total.value_or(0)));
       }});
  line.Clear();
  if (!applied) return Fail(applied.error().message());
  for (const std::string& step : applied->lines) PrintLine(step);
  const auto report = MendWithProgress(**connection, place.table_prefix, dry_run);
  if (!report) {
    // Before the first migration there may be no tables to look at.
    const bool missing = report.error().code() == ErrorCode::kResourceNotFound;
    if (dry_run && missing) return applied->complete ? kDone : kFailed;
    return Fail(report.error().message());
  }
  for (const std::string& problem : report->Lines()) PrintLine(problem);
  PrintLine(dry_run ? fmt::format("{} items read, nothing changed", report->read)
                    : fmt::format("{} items read, {} mended", report->read, report->mended));
  return applied->complete && report->hopeless.empty() ? kDone : kFailed;
}

int RunAudit(const Place& place) {
  const auto connection = Connection::Open(place);
  if (!connection) return Fail(connection.error());
  const auto report = MendWithProgress(**connection, place.table_prefix, true);
  if (!report) return Fail(report.error().message());
  for (const std::string& problem : report->Lines()) PrintLine(problem);
  if (report->clean()) {
    PrintLine(fmt::format("{} items, all of them findable", report->read));
    return kDone;
  }
  if (!report->problems.empty()) PrintLine("`homeops migrate` mends these");
  return kFailed;
}

}  // namespace stator::systems::homeops
