// The stream operations with a clock that is turned, and under load.
#include <atomic>
#include <map>
#include <set>
#include <thread>
#include <vector>

#include "api/testing/api_test.h"
#include "stator/streams.h"

namespace stator {
namespace streams_test {

constexpr Wording kWording = Wording::kClassic;

class StreamsTest : public ApiTest {
 protected:
  // A table "Songs" whose stream has one shard.
  void CreateTable(
      std::string_view billing =
          R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1})") {
    const std::string answer = Answer(
        kCreateTable,
        R"({"TableName":"Songs","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"N"}],
            "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
            "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},)" +
            std::string(billing) + "}");
    ASSERT_TRUE(answer.starts_with("{")) << answer;
    arn_ = kListStreams.call(*engine_, kWording, {})->streams.at(0).stream_arn;
  }
  std::string ShardId(std::size_t index = 0) {
    return kDescribeStream.call(*engine_, kWording, {.stream_arn = arn_})
        ->stream.shards.at(index)
        .shard_id;
  }
  std::string Iterator(ShardIteratorType type, std::string shard_id,
                       std::optional<std::string> sequence = std::nullopt) {
    const auto answer = kGetShardIterator.call(*engine_, kWording,
                                               {.stream_arn = arn_,
                                                .shard_id = std::move(shard_id),
                                                .shard_iterator_type = type,
                                                .sequence_number = std::move(sequence)});
    return answer ? answer->shard_iterator : std::string(answer.error().name());
  }
  Result<GetRecordsResponse> Records(std::string iterator) {
    return kGetRecords.call(*engine_, kWording, {.shard_iterator = std::move(iterator)});
  }
  void Put(int pk, int value) {
    const Result<PutItemResponse> answer = kPutItem.call(
        *engine_, kWording,
        {.table_name = "Songs", .item = Item{{"pk", pk}, {"value", value}, {"was", value - 1}}});
    EXPECT_TRUE(answer) << answer.error().message();
  }
  void Settle() {
    engine_->background().WakeDuties();
    engine_->background().WaitUntilIdle();
  }

  std::string arn_;
};

TEST_F(StreamsTest, AnIteratorLivesForFifteenMinutes) {
  CreateTable();
  Put(1, 1);
  const std::string iterator = Iterator(ShardIteratorType::kTrimHorizon, ShardId());
  clock_.Advance(std::chrono::minutes(15) - std::chrono::milliseconds(1));
  const Result<GetRecordsResponse> page = Records(iterator);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->records.size(), 1U);
  clock_.Advance(std::chrono::milliseconds(1));
  EXPECT_EQ(Records(iterator).error().code(), ErrorCode::kExpiredIterator);
  EXPECT_TRUE(Records(*page->next_shard_iterator));
}

TEST_F(StreamsTest, ARecordOlderThanADayIsTrimmed) {
  CreateTable();
  Put(1, 1);
  const std::string shard = ShardId();
  const std::string sequence =
      Records(Iterator(ShardIteratorType::kTrimHorizon, shard))->records[0].sequence_number;
  clock_.Advance(std::chrono::hours(24) - std::chrono::minutes(1));
  const std::string at = Iterator(ShardIteratorType::kAtSequenceNumber, shard, sequence);
  EXPECT_EQ(Records(at)->records.size(), 1U);
  clock_.Advance(std::chrono::minutes(1));
  EXPECT_EQ(Records(at).error().code(), ErrorCode::kTrimmedDataAccess);
  EXPECT_EQ(Iterator(ShardIteratorType::kAtSequenceNumber, shard, sequence),
            "TrimmedDataAccessException");
  const Result<GetRecordsResponse> rest =
      Records(Iterator(ShardIteratorType::kAfterSequenceNumber, shard, sequence));
  ASSERT_TRUE(rest);
  EXPECT_TRUE(rest->records.empty());
}

TEST_F(StreamsTest, AShardThatWasReplacedEndsAndItsChildGoesOn) {
  CreateTable();
  Put(1, 1);
  clock_.Advance(std::chrono::hours(4));
  Settle();
  Put(1, 2);
  const DescribeStreamResponse described =
      *kDescribeStream.call(*engine_, kWording, {.stream_arn = arn_});
  ASSERT_EQ(described.stream.shards.size(), 2U);
  const auto& [parent, child] = std::pair(described.stream.shards[0], described.stream.shards[1]);
  EXPECT_EQ(child.parent_shard_id, parent.shard_id);
  EXPECT_LT(parent.ending_sequence_number, child.starting_sequence_number);
  const Result<GetRecordsResponse> first =
      Records(Iterator(ShardIteratorType::kTrimHorizon, parent.shard_id));
  ASSERT_EQ(first->records.size(), 1U);
  EXPECT_EQ(first->records[0].sequence_number, parent.ending_sequence_number);
  EXPECT_FALSE(first->next_shard_iterator);
  const Result<GetRecordsResponse> second =
      Records(Iterator(ShardIteratorType::kTrimHorizon, child.shard_id));
  ASSERT_EQ(second->records.size(), 1U);
  EXPECT_TRUE(second->next_shard_iterator);

  const DescribeStreamResponse children =
      *kDescribeStream.call(*engine_, kWording,
                            {.stream_arn = arn_,
                             .shard_filter = ShardFilter{.type = ShardFilterType::kChildShards,
                                                         .shard_id = parent.shard_id}});
  ASSERT_EQ(children.stream.shards.size(), 1U);
  EXPECT_EQ(children.stream.shards[0].shard_id, child.shard_id);
}

TEST_F(StreamsTest, TheRemovalOfAnExpiredItemSaysWhoDidIt) {
  CreateTable();
  Put(1, 1);
  std::vector<ItemWrite> writes(1);
  writes[0].kind = ItemWrite::Kind::kDelete;
  writes[0].table = engine_->catalog().Find("Songs");
  writes[0].item = Item{{"pk", 1}};
  writes[0].origin = ChangeOrigin::kTimeToLive;
  std::promise<bool> done;
  engine_->WriteItems(std::move(writes), [&done](Result<std::vector<WriteOutcome>> outcomes) {
    done.set_value(outcomes.has_value());
  });
  ASSERT_TRUE(done.get_future().get());
  const std::string json =
      Answer(kGetRecords, R"({"ShardIterator":")" +
                              Iterator(ShardIteratorType::kTrimHorizon, ShardId()) + "\"}");
  const std::string identity =
      R"("userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"})";
  EXPECT_NE(json.find(identity), std::string::npos) << json;
  EXPECT_EQ(json.find(identity), json.rfind("\"userIdentity\"")) << json;
}

TEST_F(StreamsTest, APageEndsBeforeItExceedsOneMegabyte) {
  CreateTable();
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(kPutItem.call(
        *engine_, kWording,
        {.table_name = "Songs", .item = Item{{"pk", i}, {"text", std::string(400'000, 'x')}}}));
  }
  Result<GetRecordsResponse> page = Records(Iterator(ShardIteratorType::kTrimHorizon, ShardId()));
  ASSERT_EQ(page->records.size(), 2U);
  page = Records(*page->next_shard_iterator);
  ASSERT_EQ(page->records.size(), 2U);
  EXPECT_TRUE(Records(*page->next_shard_iterator)->records.empty());
}

TEST_F(StreamsTest, EveryRecordHasAnIdOfItsOwn) {
  CreateTable(R"("BillingMode":"PAY_PER_REQUEST")");
  for (int i = 0; i < 200; ++i) Put(i, 1);
  std::set<std::string> ids;
  for (std::size_t i = 0; i < 4; ++i) {
    const Result<GetRecordsResponse> page =
        Records(Iterator(ShardIteratorType::kTrimHorizon, ShardId(i)));
    ASSERT_TRUE(page);
    for (const StreamRecord& record : page->records) {
      EXPECT_EQ(record.event_id.size(), 32U);
      ids.insert(record.event_id);
    }
  }
  EXPECT_EQ(ids.size(), 200U);
}

constexpr int kWriters = 4;
constexpr int kItemsPerWriter = 8;
constexpr int kWritesPerWriter = 1'500;

// The stream under load: shards split every few records.
class BusyStreamTest : public StreamsTest {
 protected:
  BusyStreamTest() {
    engine_.reset();
    engine_ = *Engine::Open(OpenMemoryStore(), {.region = "us-east-1",
                                                .account = "000000000000",
                                                .clock = &clock_,
                                                .shard_limits = {.records = 40}});
  }

  // Puts the numbers 1, 2, 3 … into each of its items, and lets shards be replaced now and then.
  void Write(int writer) {
    for (int i = 0; i < kWritesPerWriter; ++i) {
      Put(writer * 1000 + i % kItemsPerWriter, 1 + i / kItemsPerWriter);
      if (i % 50 == 49) Settle();
    }
  }

  void RunWriters() {
    std::vector<std::thread> writers;
    for (int i = 0; i < kWriters; ++i) writers.emplace_back([this, i] { Write(i); });
    for (std::thread& writer : writers) writer.join();
  }
};

// Reads a stream as consumers do: parents before their children, every shard to its end.
class Consumer {
 public:
  Consumer(Engine& engine, std::string arn) : engine_(engine), arn_(std::move(arn)) {}

  // One look at every shard that may be read; false when something failed.
  bool Poll() {
    const std::size_t before = records_ + finished_.size();
    for (const StreamDescription::Shard& shard : Shards()) {
      const bool parent_open = shard.parent_shard_id && !finished_.contains(*shard.parent_shard_id);
      if (parent_open || finished_.contains(shard.shard_id)) continue;
      if (!ReadOn(shard.shard_id)) return false;
    }
    came_further_ = records_ + finished_.size() > before;
    return true;
  }
  // Until there is nothing more to come and nothing more to read.
  void ReadAll(const std::atomic<bool>& writers_are_done) {
    bool done = false;
    do {
      done = writers_are_done;
    } while (Poll() && (came_further_ || !done));
  }

  std::size_t records() const { return records_; }
  std::size_t finished_shards() const { return finished_.size(); }
  const std::string& problem() const { return problem_; }

 private:
  std::vector<StreamDescription::Shard> Shards() {
    std::vector<StreamDescription::Shard> shards;
    std::optional<std::string> start;
    do {
      const auto page = kDescribeStream.call(
          engine_, kWording, {.stream_arn = arn_, .limit = 7, .exclusive_start_shard_id = start});
      shards.insert(shards.end(), page->stream.shards.begin(), page->stream.shards.end());
      start = page->stream.last_evaluated_shard_id;
    } while (start);
    return shards;
  }

  bool ReadOn(const std::string& shard_id) {
    std::string& iterator = iterators_[shard_id];
    if (iterator.empty()) {
      iterator = kGetShardIterator
                     .call(engine_, kWording,
                           {.stream_arn = arn_,
                            .shard_id = shard_id,
                            .shard_iterator_type = ShardIteratorType::kTrimHorizon})
                     ->shard_iterator;
    }
    const auto page =
        kGetRecords.call(engine_, kWording, {.shard_iterator = iterator, .limit = 13});
    if (!page) return Fail(page.error().message());
    for (const StreamRecord& record : page->records) {
      if (!Take(record)) return false;
    }
    if (page->next_shard_iterator) {
      iterator = *page->next_shard_iterator;
    } else {
      finished_.insert(shard_id);
    }
    return true;
  }

  // Each item counts upward by one.
  bool Take(const StreamRecord& record) {
    ++records_;
    const std::int64_t pk = *record.keys.Find("pk")->AsInt64();
    const std::int64_t value = *record.new_image->Find("value")->AsInt64();
    const std::int64_t was = record.old_image ? *record.old_image->Find("value")->AsInt64() : 0;
    std::int64_t& last = last_[pk];
    if (value != last + 1 || was != last) {
      return Fail("item " + std::to_string(pk) + " went from " + std::to_string(last) + " to " +
                  std::to_string(value));
    }
    last = value;
    return true;
  }

  bool Fail(std::string what) {
    problem_ = std::move(what);
    return false;
  }

  Engine& engine_;
  const std::string arn_;
  std::map<std::string, std::string> iterators_;
  std::set<std::string> finished_;
  std::map<std::int64_t, std::int64_t> last_;
  std::size_t records_ = 0;
  bool came_further_ = false;
  std::string problem_;
};

TEST_F(BusyStreamTest, ReadersMissAndRepeatNothingWhileShardsSplitUnderWriters) {
  CreateTable();
  constexpr std::size_t kRecords = std::size_t{kWriters} * kWritesPerWriter;
  std::atomic<bool> done = false;
  std::vector<std::unique_ptr<Consumer>> consumers;
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    consumers.push_back(std::make_unique<Consumer>(*engine_, arn_));
    readers.emplace_back([&consumer = *consumers.back(), &done] { consumer.ReadAll(done); });
  }
  RunWriters();
  done = true;
  for (std::thread& reader : readers) reader.join();
  for (const auto& consumer : consumers) {
    EXPECT_EQ(consumer->problem(), "");
    EXPECT_EQ(consumer->records(), kRecords);
    EXPECT_GT(consumer->finished_shards(), 10U);
  }
}

}  // namespace streams_test
}  // namespace stator
