// GetShardIterator: a place in a shard from which GetRecords reads on.
#include <fmt/format.h>

#include "api/constraints.h"
#include "api/operations.h"
#include "api/request_rules.h"
#include "api/streams/shard_iterator.h"
#include "api/streams/stream_reference.h"
#include "base/try.h"
#include "engine/streams/stream_page.h"
#include "wire/enum_text.h"

namespace stator {
namespace get_shard_iterator {
namespace {

constexpr std::size_t kMinSequenceLength = 21;
constexpr std::size_t kMaxSequenceLength = 40;

struct Plan {
  std::string stream_arn;
  std::string shard_id;
  ShardIteratorType type = ShardIteratorType::kTrimHorizon;
  std::string sequence_number;  // where the type needs it
};

bool NeedsSequence(ShardIteratorType type) {
  return type == ShardIteratorType::kAtSequenceNumber ||
         type == ShardIteratorType::kAfterSequenceNumber;
}

Result<void> CheckSequenceFits(ShardIteratorType type, bool has_sequence) {
  if (NeedsSequence(type) == has_sequence) return {};
  return Invalid(fmt::format("SequenceNumber must {}be provided for ShardIteratorType: {}",
                             has_sequence ? "not " : "", EnumText(type)));
}

Result<Plan> Validate(const GetShardIteratorRequest& request, Engine&, Wording) {
  Constraints check;
  check.NotNull("streamArn", request.stream_arn);
  ConstrainStreamArn(check, "streamArn", request.stream_arn);
  check.NotNull("shardId", request.shard_id);
  ConstrainShardId(check, "shardId", request.shard_id);
  check.NotNull("shardIteratorType", request.shard_iterator_type);
  check.Enum("shardIteratorType", request.shard_iterator_type);
  if (const auto& sequence = request.sequence_number) {
    check.Length(Constraints::Quoted(*sequence), "sequenceNumber", sequence->size(),
                 kMinSequenceLength, kMaxSequenceLength);
  }
  RETURN_IF_ERROR(check.Finish());
  const ShardIteratorType type = request.shard_iterator_type->value();
  RETURN_IF_ERROR(CheckSequenceFits(type, request.sequence_number.has_value()));
  return Plan{.stream_arn = *request.stream_arn,
              .shard_id = *request.shard_id,
              .type = type,
              .sequence_number = request.sequence_number.value_or("")};
}

// The place at or behind a sequence number.
Result<std::uint64_t> PositionOf(const Engine& engine, const Plan& plan, const Stream& stream,
                                 const StreamShard& shard) {
  const Error unknown =
      Error::Validation(fmt::format("Invalid SequenceNumber: {}", plan.sequence_number));
  const std::optional<SequenceNumber> sequence = ParseSequence(plan.sequence_number);
  if (!sequence || sequence->shard != shard.number) return std::unexpected(unknown);
  // Number 0 is the beginning: at it and behind it comes the first record.
  const bool is_behind =
      plan.type == ShardIteratorType::kAfterSequenceNumber || sequence->number == 0;
  const std::uint64_t position = sequence->number + (is_behind ? 1 : 0);
  ASSIGN_OR_RETURN(const PositionState state,
                   StateOf(engine.store(), stream, shard, position, engine.clock().Now()));
  if (state == PositionState::kUnknown) return std::unexpected(unknown);
  if (state == PositionState::kTrimmed) return std::unexpected(Error::TrimmedDataAccess());
  return position;
}

Result<std::uint64_t> StartOf(const Engine& engine, const Plan& plan, const Stream& stream,
                              const StreamShard& shard) {
  if (plan.type == ShardIteratorType::kTrimHorizon) return kTrimHorizon;
  if (plan.type == ShardIteratorType::kLatest) return LatestPosition(engine.store(), stream, shard);
  return PositionOf(engine, plan, stream, shard);
}

Result<GetShardIteratorResponse> Execute(Engine& engine, const Plan& plan) {
  const TimeMs now = engine.clock().Now();
  ASSIGN_OR_RETURN(const StreamPtr stream, FindStream(engine, plan.stream_arn));
  const StreamShard* shard = stream->FindShard(plan.shard_id, now);
  if (!shard) return std::unexpected(ShardNotFound(plan.shard_id, plan.stream_arn));
  ShardIterator iterator{.shard = shard->number, .issued = now};
  ASSIGN_OR_RETURN(iterator.position, StartOf(engine, plan, *stream, *shard));
  return GetShardIteratorResponse{EncodeShardIterator(*stream, iterator)};
}

}  // namespace
}  // namespace get_shard_iterator

STATOR_DEFINE_OPERATION(GetShardIterator, get_shard_iterator);

}  // namespace stator
