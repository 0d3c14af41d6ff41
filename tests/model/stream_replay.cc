#include "tests/model/stream_replay.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/model/translate.h"

namespace stator::model_test {
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

Verdict CheckStream(Database& database, const Model& model) {
  Replay replay(database);
  RETURN_IF_MISMATCH(replay.Run());
  for (const auto& [key, item] : model.items()) {
    const auto found = replay.items().find(key);
    if (found == replay.items().end()) return Mismatch{"not in the stream", key};
    if (found->second != item) return Mismatch{"the stream leaves another item", key};
  }
  if (replay.items().size() != model.items().size()) {
    return Mismatch{"the stream leaves items that are not there", std::nullopt};
  }
  return std::nullopt;
}

}  // namespace stator::model_test
