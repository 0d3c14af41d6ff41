// DescribeStream: what a stream shows, and its shards, page by page.
#include "api/constraints.h"
#include "api/operations.h"
#include "api/streams/stream_reference.h"
#include "api/tables/table_description.h"
#include "base/try.h"

namespace stator {
namespace describe_stream {
namespace {

constexpr std::int64_t kMaxPage = 100;

struct Plan {
  std::string stream_arn;
  std::optional<std::string> start_after;
  std::optional<std::string> parent;  // only the children of this shard
  std::size_t limit = kMaxPage;
};

Result<Plan> Validate(const DescribeStreamRequest& request, Engine&, Wording) {
  Constraints check;
  check.NotNull("streamArn", request.stream_arn);
  ConstrainStreamArn(check, "streamArn", request.stream_arn);
  check.AtLeast("limit", request.limit, 1);
  check.AtMost("limit", request.limit, kMaxPage);
  ConstrainShardId(check, "exclusiveStartShardId", request.exclusive_start_shard_id);
  if (request.shard_filter) {
    check.NotNull("shardFilter.type", request.shard_filter->type);
    check.Enum("shardFilter.type", request.shard_filter->type);
    check.NotNull("shardFilter.shardId", request.shard_filter->shard_id);
    ConstrainShardId(check, "shardFilter.shardId", request.shard_filter->shard_id);
  }
  RETURN_IF_ERROR(check.Finish());
  Plan plan;
  plan.stream_arn = *request.stream_arn;
  plan.start_after = request.exclusive_start_shard_id;
  if (request.shard_filter) plan.parent = request.shard_filter->shard_id;
  plan.limit = static_cast<std::size_t>(request.limit.value_or(kMaxPage));
  return plan;
}

StreamDescription::Shard Describe(const StreamShard& shard) {
  StreamDescription::Shard described;
  described.shard_id = shard.Id();
  described.parent_shard_id = shard.ParentId();
  described.starting_sequence_number = SequenceText({.shard = shard.number, .number = 0});
  if (shard.end) {
    described.ending_sequence_number =
        SequenceText({.shard = shard.number, .number = shard.end->last_number});
  }
  return described;
}

// A start that is not the id of a shard lies behind all of them or before them, by its bytes.
bool IsBehind(const StreamShard& shard, const std::optional<std::string>& start) {
  if (!start) return true;
  const std::optional<ShardNumber> number = ParseShardId(*start);
  return number ? shard.number > *number : shard.Id() > *start;
}

Result<DescribeStreamResponse> Execute(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const StreamPtr stream, FindStream(engine, plan.stream_arn));
  const TimeMs now = engine.clock().Now();
  DescribeStreamResponse response;
  StreamDescription& described = response.stream;
  described.stream_arn = stream->arn;
  described.stream_label = stream->label;
  described.stream_status = stream->status();
  described.stream_view_type = stream->view;
  described.creation_request_ms = stream->created_ms;
  described.table_name = stream->table_name;
  described.key_schema = DescribeKeys(stream->keys);
  for (const StreamShard& shard : stream->shards) {
    if (!IsVisible(shard, now) || !IsBehind(shard, plan.start_after)) continue;
    if (plan.parent && shard.ParentId() != plan.parent) continue;
    if (described.shards.size() == plan.limit) {
      described.last_evaluated_shard_id = described.shards.back().shard_id;
      break;
    }
    described.shards.push_back(Describe(shard));
  }
  return response;
}

}  // namespace
}  // namespace describe_stream

STATOR_DEFINE_OPERATION(DescribeStream, describe_stream);

}  // namespace stator
