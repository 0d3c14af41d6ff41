#include "tests/simulation/table_checks.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "base/try.h"

namespace stator::simulation {
namespace {

struct IndexShape {
  const char* name;
  const char* hash;
  const char* range;  // may be null
  bool keys_only;
};
constexpr IndexShape kIndexes[] = {
    {"by_color", "color", "score", false},
    {"by_flag", "flag", nullptr, true},
    {"by_score", "pk", "score", false},
};
constexpr IndexShape kLate = {kLateIndex, "color", "v", true};

constexpr std::string_view kCreateMain = R"({
  "TableName": "Main", "BillingMode": "PAY_PER_REQUEST",
  "AttributeDefinitions": [
    {"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"},
    {"AttributeName": "color", "AttributeType": "S"}, {"AttributeName": "flag", "AttributeType": "S"},
    {"AttributeName": "score", "AttributeType": "N"}],
  "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
  "GlobalSecondaryIndexes": [
    {"IndexName": "by_color", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
      {"AttributeName": "color", "KeyType": "HASH"}, {"AttributeName": "score", "KeyType": "RANGE"}]},
    {"IndexName": "by_flag", "Projection": {"ProjectionType": "KEYS_ONLY"}, "KeySchema": [
      {"AttributeName": "flag", "KeyType": "HASH"}]}],
  "LocalSecondaryIndexes": [
    {"IndexName": "by_score", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
      {"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "score", "KeyType": "RANGE"}]}],
  "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"}})";

constexpr std::string_view kAddIndex = R"({
  "TableName": "Main",
  "AttributeDefinitions": [
    {"AttributeName": "color", "AttributeType": "S"}, {"AttributeName": "v", "AttributeType": "N"}],
  "GlobalSecondaryIndexUpdates": [{"Create": {
    "IndexName": "late", "Projection": {"ProjectionType": "KEYS_ONLY"}, "KeySchema": [
      {"AttributeName": "color", "KeyType": "HASH"}, {"AttributeName": "v", "KeyType": "RANGE"}]}}]})";

constexpr std::string_view kDropIndex = R"({
  "TableName": "Main", "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "late"}}]})";

// What the index holds of the item, if anything.
std::optional<Item> EntryOf(const IndexShape& index, const Item& item) {
  if (!item.Find(index.hash)) return std::nullopt;
  if (index.range != nullptr && !item.Find(index.range)) return std::nullopt;
  if (!index.keys_only) return item;
  Item entry;
  for (const char* name : {"pk", "sk", index.hash, index.range}) {
    if (name != nullptr) entry.Set(name, AttributeValue::FromView(*item.Find(name)));
  }
  return entry;
}

Problem Compare(std::string_view what, const Items& found, const Items& expected) {
  if (found == expected) return std::nullopt;
  for (const auto& [key, item] : expected) {
    const auto at = found.find(key);
    if (at == found.end()) return fmt::format("{} lacks {}", what, key);
    if (at->second != item) return fmt::format("{} has another {}", what, key);
  }
  return fmt::format("{} has {} items, should have {}", what, found.size(), expected.size());
}

Checked Unread(std::string_view operation, const Error& error) {
  return {.problem = {},
          .is_read = false,
          .failure = fmt::format("{}: {}", operation, error.message())};
}

class StreamReplay {
 public:
  explicit StreamReplay(OpenDatabase& database) : database_(database) {}

  Checked Run() {
    const auto streams = database_.Call(kListStreams, {.table_name = kTable});
    if (!streams) return Unread("ListStreams", streams.error());
    if (streams->streams.size() != 1) return {.problem = "there is not one stream"};
    const std::string arn = streams->streams.front().stream_arn;
    const auto described = database_.Call(kDescribeStream, {.stream_arn = arn});
    if (!described) return Unread("DescribeStream", described.error());
    for (const StreamDescription::Shard& shard : described->stream.shards) {
      Checked checked = ReadShard(arn, shard.shard_id);
      if (checked.problem || !checked.is_read) return checked;
    }
    return {};
  }

  const Items& items() const { return items_; }

 private:
  Checked ReadShard(const std::string& arn, const std::string& shard) {
    const auto first =
        database_.Call(kGetShardIterator, {.stream_arn = arn,
                                           .shard_id = shard,
                                           .shard_iterator_type = ShardIteratorType::kTrimHorizon});
    if (!first) return Unread("GetShardIterator", first.error());
    std::optional<std::string> iterator = first->shard_iterator;
    while (iterator) {
      const auto page = database_.Call(kGetRecords, {.shard_iterator = iterator});
      if (!page) return Unread("GetRecords", page.error());
      for (const StreamRecord& record : page->records) {
        if (Problem problem = Apply(record)) return {.problem = problem};
      }
      if (page->records.empty()) break;  // all that an open shard has
      iterator = page->next_shard_iterator;
    }
    return {};
  }

  Problem Apply(const StreamRecord& record) {
    const std::string key = KeyText(record.keys.view());
    const auto found = items_.find(key);
    const std::optional<Item> before =
        found == items_.end() ? std::nullopt : std::optional(found->second);
    if (before != record.old_image) {
      return fmt::format("stream record {} of {}: a record before it is missing or twice there",
                         record.sequence_number, key);
    }
    if (record.new_image) {
      items_.insert_or_assign(key, *record.new_image);
    } else {
      items_.erase(key);
    }
    return std::nullopt;
  }

  OpenDatabase& database_;
  Items items_;
};

}  // namespace

Result<std::unique_ptr<OpenDatabase>> OpenDatabase::Open(std::unique_ptr<Store> store) {
  auto database = std::make_unique<OpenDatabase>();
  ASSIGN_OR_RETURN(database->engine_, Engine::Open(std::move(store), {.region = "us-east-1",
                                                                      .account = "000000000000",
                                                                      .clock = &database->clock_}));
  return database;
}

Result<std::string> CreateMainTable(OpenDatabase& database) {
  return database.CallJson(kCreateTable, kCreateMain);
}
Result<std::string> AddLateIndex(OpenDatabase& database) {
  return database.CallJson(kUpdateTable, kAddIndex);
}
Result<std::string> DropLateIndex(OpenDatabase& database) {
  return database.CallJson(kUpdateTable, kDropIndex);
}

std::string KeyText(ItemView item) {
  return fmt::format("{}/{:0>4}", item.Find("pk")->S(), item.Find("sk")->N());
}

Result<Items> ReadItems(OpenDatabase& database, const std::string& table,
                        const std::optional<std::string>& index) {
  Items items;
  std::optional<Item> start;
  do {
    ASSIGN_OR_RETURN(const ScanResponse page, database.Call(kScan, {.table_name = table,
                                                                    .index_name = index,
                                                                    .exclusive_start_key = start}));
    for (std::size_t i = 0; i < page.items->size(); ++i) {
      const ItemView item = (*page.items)[i];
      const bool is_new = items.emplace(KeyText(item), Item::FromView(item)).second;
      if (!is_new) items.emplace("twice", Item::FromView(item));
    }
    start = page.last_evaluated_key;
  } while (start);
  return items;
}

Checked CheckIndexes(OpenDatabase& database, const Items& items, bool has_late_index) {
  std::vector<IndexShape> indexes(std::begin(kIndexes), std::end(kIndexes));
  if (has_late_index) indexes.push_back(kLate);
  for (const IndexShape& index : indexes) {
    Items expected;
    for (const auto& [key, item] : items) {
      if (std::optional<Item> entry = EntryOf(index, item))
        expected.emplace(key, *std::move(entry));
    }
    const Result<Items> found = ReadItems(database, kTable, index.name);
    if (!found) return Unread("Scan", found.error());
    if (Problem problem = Compare(index.name, *found, expected)) return {.problem = problem};
  }
  return {};
}

Checked CheckStream(OpenDatabase& database, const Items& items) {
  StreamReplay replay(database);
  Checked checked = replay.Run();
  if (!checked.problem && checked.is_read) {
    checked.problem = Compare("what the stream leaves", replay.items(), items);
  }
  return checked;
}

}  // namespace stator::simulation
