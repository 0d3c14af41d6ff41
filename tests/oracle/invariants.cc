#include "tests/oracle/invariants.h"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/oracle/page_check.h"
#include "tests/oracle/translate.h"

namespace stator::oracle {

namespace {

Verdict Prefixed(const std::string& where, Verdict verdict) {
  if (verdict) verdict->what = where + ": " + verdict->what;
  return verdict;
}

PageOperation WholeOf(const IndexSchema* index) {
  PageOperation page;
  if (index) page.index = index->name;
  page.capacity = ReturnConsumedCapacity::kIndexes;
  return page;
}

// By small pages, and by segments.
Verdict CheckScans(Database& database, const ReferenceTable& reference, const IndexSchema* index,
                   Reached& reached) {
  PageOperation paged = WholeOf(index);
  paged.limit = 5;
  RETURN_IF_MISMATCH(PageCheck(database, reference, paged, reached).Run());
  PageOperation segmented = WholeOf(index);
  segmented.total_segments = 4;
  segmented.segment = 2;
  segmented.limit = 3;
  return PageCheck(database, reference, segmented, reached).Run();
}

// Every partition, backward.
Verdict CheckPartitions(Database& database, const ReferenceTable& reference,
                        const IndexSchema* index, Reached& reached) {
  std::vector<std::vector<Value>> partitions;
  for (const auto& [key, entry] : reference.Entries(index)) {
    std::vector<Value> partition;
    for (const KeyPart& part : Schema::HashParts(index)) {
      partition.push_back(*Find(entry, part.name));
    }
    if (std::ranges::find(partitions, partition) == partitions.end()) {
      partitions.push_back(partition);
    }
  }
  for (const std::vector<Value>& partition : partitions) {
    PageOperation page = WholeOf(index);
    page.query = true;
    page.partition = partition;
    page.forward = false;
    page.limit = 4;
    RETURN_IF_MISMATCH(PageCheck(database, reference, page, reached).Run());
  }
  return std::nullopt;
}

struct Counts {
  std::int64_t items = 0;
  std::int64_t bytes = 0;
};

Verdict CompareCounts(const ReferenceTable& reference, const IndexSchema* index,
                      const Counts& described) {
  Counts expected;
  for (const auto& [key, entry] : reference.Entries(index)) {
    ++expected.items;
    expected.bytes += static_cast<std::int64_t>(SizeBytes(entry));
  }
  if (described.items == expected.items && described.bytes == expected.bytes) return std::nullopt;
  return Mismatch{fmt::format("DescribeTable tells {} items of {} bytes, there are {} of {}",
                              described.items, described.bytes, expected.items, expected.bytes),
                  std::nullopt};
}

Verdict CheckCounts(Database& database, const ReferenceTable& reference) {
  const Result<DescribeTableResponse> answer = database.DescribeTable({.table_name = kTableName});
  if (!answer) return Mismatch{"DescribeTable: " + answer.error().message(), std::nullopt};
  const TableDescription& table = answer->table;
  RETURN_IF_MISMATCH(CompareCounts(reference, nullptr,
                                   {.items = table.item_count, .bytes = table.table_size_bytes}));
  std::vector<TableDescription::Index> described = table.local_secondary_indexes;
  described.insert(described.end(), table.global_secondary_indexes.begin(),
                   table.global_secondary_indexes.end());
  for (const IndexSchema& index : reference.schema().indexes()) {
    const auto found =
        std::ranges::find(described, index.name, &TableDescription::Index::index_name);
    if (found == described.end()) return Mismatch{index.name + " is not described", std::nullopt};
    RETURN_IF_MISMATCH(Prefixed(
        index.name, CompareCounts(reference, &index,
                                  {.items = found->item_count, .bytes = found->index_size_bytes})));
  }
  return std::nullopt;
}

Verdict CheckReads(Database& database, const ReferenceTable& reference, const IndexSchema* index,
                   Reached& reached) {
  RETURN_IF_MISMATCH(CheckScans(database, reference, index, reached));
  return CheckPartitions(database, reference, index, reached);
}

}  // namespace

Verdict CheckInvariants(Database& database, const ReferenceTable& reference) {
  Reached reached;  // what the invariants read says nothing about the operations
  RETURN_IF_MISMATCH(Prefixed("table", CheckReads(database, reference, nullptr, reached)));
  for (const IndexSchema& index : reference.schema().indexes()) {
    RETURN_IF_MISMATCH(Prefixed(index.name, CheckReads(database, reference, &index, reached)));
  }
  return CheckCounts(database, reference);
}

namespace {

Mismatch Failed(std::string_view operation, const Error& error) {
  return {fmt::format("{}: {}", operation, error.message()), std::nullopt};
}

class Replay {
 public:
  explicit Replay(Database& database) : database_(database) {}

  Verdict Run() {
    const Result<ListStreamsResponse> listed = database_.ListStreams({.table_name = kTableName});
    if (!listed) return Failed("ListStreams", listed.error());
    if (listed->streams.size() != 1) return Mismatch{"there is not one stream", std::nullopt};
    arn_ = listed->streams.front().stream_arn;
    std::optional<std::string> start;
    do {
      const Result<DescribeStreamResponse> page =
          database_.DescribeStream({.stream_arn = arn_, .exclusive_start_shard_id = start});
      if (!page) return Failed("DescribeStream", page.error());
      // A child comes behind its parent.
      for (const StreamDescription::Shard& shard : page->stream.shards) {
        RETURN_IF_MISMATCH(ReadShard(shard.shard_id));
      }
      start = page->stream.last_evaluated_shard_id;
    } while (start);
    return std::nullopt;
  }

  const std::map<Key, Attributes>& items() const { return items_; }

 private:
  Verdict ReadShard(const std::string& shard_id) {
    const Result<GetShardIteratorResponse> first =
        database_.GetShardIterator({.stream_arn = arn_,
                                    .shard_id = shard_id,
                                    .shard_iterator_type = ShardIteratorType::kTrimHorizon});
    if (!first) return Failed("GetShardIterator", first.error());
    std::optional<std::string> iterator = first->shard_iterator;
    while (iterator) {
      const Result<GetRecordsResponse> page =
          database_.GetRecords({.shard_iterator = iterator, .limit = 100});
      if (!page) return Failed("GetRecords", page.error());
      for (const StreamRecord& record : page->records) RETURN_IF_MISMATCH(Apply(record));
      if (page->records.empty()) return std::nullopt;  // all that an open shard has
      iterator = page->next_shard_iterator;
    }
    return std::nullopt;
  }

  Verdict Apply(const StreamRecord& record) {
    const Key key = KeyOf(FromLibrary(record.keys.view()));
    const auto wrong = [&](std::string_view what) {
      return Mismatch{fmt::format("record {}: {}", record.sequence_number, what), key};
    };
    if (!event_ids_.insert(record.event_id).second) return wrong("its id was there before");
    const auto found = items_.find(key);
    const bool existed = found != items_.end();
    if (existed != record.old_image.has_value()) return wrong("the old image does not fit");
    if (existed && found->second != FromLibrary(record.old_image->view())) {
      return wrong("the old image is not what the records before it left");
    }
    const StreamEvent event = !existed           ? StreamEvent::kInsert
                              : record.new_image ? StreamEvent::kModify
                                                 : StreamEvent::kRemove;
    if (record.event_name != event) return wrong("the event does not fit");
    if (!record.new_image) {
      items_.erase(key);
      return std::nullopt;
    }
    if (existed && *record.new_image == *record.old_image) return wrong("it changes nothing");
    items_.insert_or_assign(key, FromLibrary(record.new_image->view()));
    return std::nullopt;
  }

  Database& database_;
  std::string arn_;
  std::map<Key, Attributes> items_;
  std::set<std::string> event_ids_;
};

}  // namespace

Verdict CheckStream(Database& database, const ReferenceTable& reference) {
  Replay replay(database);
  RETURN_IF_MISMATCH(replay.Run());
  for (const auto& [key, item] : reference.items()) {
    const auto found = replay.items().find(key);
    if (found == replay.items().end()) return Mismatch{"not in the stream", key};
    if (found->second != item) return Mismatch{"the stream leaves another item", key};
  }
  if (replay.items().size() != reference.items().size()) {
    return Mismatch{"the stream leaves items that are not there", std::nullopt};
  }
  return std::nullopt;
}

}  // namespace stator::oracle
