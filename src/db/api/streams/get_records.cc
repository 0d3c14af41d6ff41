// GetRecords: the records of a shard from an iterator on, and the iterator for those that follow.
#include "api/constraints.h"
#include "api/operations.h"
#include "api/streams/shard_iterator.h"
#include "api/streams/stream_reference.h"
#include "base/try.h"
#include "engine/streams/stream_page.h"
#include "value/item_json.h"
#include "wire/enum_text.h"

namespace stator {
namespace get_records {
namespace {

constexpr std::int64_t kMaxRecords = 1000;
constexpr std::size_t kMaxIteratorLength = 2048;

struct Plan {
  std::string shard_iterator;
  std::size_t limit = kMaxRecords;
};

Result<Plan> Validate(const GetRecordsRequest& request, Engine&, Wording) {
  Constraints check;
  check.NotNull("shardIterator", request.shard_iterator);
  if (const auto& iterator = request.shard_iterator) {
    check.Length(Constraints::Quoted(*iterator), "shardIterator", iterator->size(), 1,
                 kMaxIteratorLength);
  }
  check.AtLeast("limit", request.limit, 1);
  check.AtMost("limit", request.limit, kMaxRecords);
  RETURN_IF_ERROR(check.Finish());
  return Plan{*request.shard_iterator,
              static_cast<std::size_t>(request.limit.value_or(kMaxRecords))};
}

std::unexpected<Error> InvalidIterator() {
  return std::unexpected(Error::Validation("Invalid ShardIterator"));
}

Result<GetRecordsResponse> Execute(Engine& engine, const Plan& plan) {
  const std::optional<std::string_view> arn = ArnOfShardIterator(plan.shard_iterator);
  if (!arn || !ParseStreamArn(*arn)) return InvalidIterator();
  ASSIGN_OR_RETURN(const StreamPtr stream, FindStream(engine, *arn));
  const std::optional<ShardIterator> iterator = DecodeShardIterator(*stream, plan.shard_iterator);
  if (!iterator) return InvalidIterator();
  const TimeMs now = engine.clock().Now();
  if (now >= iterator->issued + kShardIteratorLife) {
    return std::unexpected(Error::ExpiredIterator());
  }
  const StreamShard* shard = stream->FindShard(iterator->shard);
  // A shard of which nothing is left.
  if (!shard || !IsVisible(*shard, now)) return std::unexpected(Error::TrimmedDataAccess());

  ASSIGN_OR_RETURN(StreamPage page, ReadStreamPage(engine.store(), {.stream = *stream,
                                                                    .shard = *shard,
                                                                    .position = iterator->position,
                                                                    .limit = plan.limit,
                                                                    .now = now}));
  GetRecordsResponse response{.records = std::move(page.records), .next_shard_iterator = {}};
  for (StreamRecord& record : response.records) record.aws_region = engine.region();
  if (!page.is_end) {
    response.next_shard_iterator = EncodeShardIterator(
        *stream, {.shard = shard->number, .position = page.next, .issued = now});
  }
  return response;
}

}  // namespace
}  // namespace get_records

STATOR_DEFINE_OPERATION(GetRecords, get_records);

}  // namespace stator
