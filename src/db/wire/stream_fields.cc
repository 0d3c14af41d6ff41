// The operations of DynamoDB Streams on the wire.
#include "stator/streams.h"
#include "wire/field_list.h"
#include "wire/table_fields.h"

namespace stator {

template <class Visitor>
void Fields(Visitor& visit, ListStreamsRequest& request) {
  visit("TableName", request.table_name);
  visit("Limit", request.limit);
  visit("ExclusiveStartStreamArn", request.exclusive_start_stream_arn);
}

template <class Visitor>
void Fields(Visitor& visit, ListStreamsResponse::Stream& stream) {
  visit("StreamArn", stream.stream_arn);
  visit("TableName", stream.table_name);
  visit("StreamLabel", stream.stream_label);
}

template <class Visitor>
void Fields(Visitor& visit, ListStreamsResponse& response) {
  visit("Streams", "Stream", response.streams);
  visit("LastEvaluatedStreamArn", response.last_evaluated_stream_arn);
}

template <class Visitor>
void Fields(Visitor& visit, ShardFilter& filter) {
  visit("Type", filter.type);
  visit("ShardId", filter.shard_id);
}

template <class Visitor>
void Fields(Visitor& visit, DescribeStreamRequest& request) {
  visit("StreamArn", request.stream_arn);
  visit("Limit", request.limit);
  visit("ExclusiveStartShardId", request.exclusive_start_shard_id);
  visit("ShardFilter", request.shard_filter);
}

template <class Visitor>
void Fields(Visitor& visit, StreamDescription::Shard& shard) {
  visit("ShardId", shard.shard_id);
  visit.Group("SequenceNumberRange", [&](Visitor& range) {
    range("StartingSequenceNumber", shard.starting_sequence_number);
    range("EndingSequenceNumber", shard.ending_sequence_number);
  });
  visit("ParentShardId", shard.parent_shard_id);
}

template <class Visitor>
void Fields(Visitor& visit, StreamDescription& stream) {
  visit("StreamArn", stream.stream_arn);
  visit("StreamLabel", stream.stream_label);
  visit("StreamStatus", stream.stream_status);
  visit("StreamViewType", stream.stream_view_type);
  visit.Time("CreationRequestDateTime", stream.creation_request_ms);
  visit("TableName", stream.table_name);
  KeySchemaFields(visit, stream.key_schema);
  visit("Shards", "Shard", stream.shards);
  visit("LastEvaluatedShardId", stream.last_evaluated_shard_id);
}

template <class Visitor>
void Fields(Visitor& visit, DescribeStreamResponse& response) {
  visit("StreamDescription", response.stream);
}

template <class Visitor>
void Fields(Visitor& visit, GetShardIteratorRequest& request) {
  visit("StreamArn", request.stream_arn);
  visit("ShardId", request.shard_id);
  visit("ShardIteratorType", request.shard_iterator_type);
  visit("SequenceNumber", request.sequence_number);
}

template <class Visitor>
void Fields(Visitor& visit, GetShardIteratorResponse& response) {
  visit("ShardIterator", response.shard_iterator);
}

template <class Visitor>
void Fields(Visitor& visit, GetRecordsRequest& request) {
  visit("ShardIterator", request.shard_iterator);
  visit("Limit", request.limit);
}

template <class Visitor>
void Fields(Visitor& visit, StreamRecord& record) {
  visit("eventID", record.event_id);
  visit("eventName", record.event_name);
  visit.Constant("eventVersion", "1.1");
  visit.Constant("eventSource", "aws:dynamodb");
  visit("awsRegion", record.aws_region);
  visit.Group("dynamodb", [&](Visitor& change) {
    change("ApproximateCreationDateTime", record.approximate_creation_seconds);
    change("Keys", record.keys);
    change("NewImage", record.new_image);
    change("OldImage", record.old_image);
    change("SequenceNumber", record.sequence_number);
    change("SizeBytes", record.size_bytes);
    change("StreamViewType", record.stream_view_type);
  });
  // Only what expires has an identity.
  if (visit.When(record.by_time_to_live)) {
    visit.Group("userIdentity", [&](Visitor& identity) {
      identity.Constant("PrincipalId", "dynamodb.amazonaws.com");
      identity.Constant("Type", "Service");
      if (!record.by_time_to_live) record.by_time_to_live = true;
    });
  }
}

template <class Visitor>
void Fields(Visitor& visit, GetRecordsResponse& response) {
  visit("Records", "Record", response.records);
  visit("NextShardIterator", response.next_shard_iterator);
}

STATOR_WIRE_OPERATION(ListStreams);
STATOR_WIRE_OPERATION(DescribeStream);
STATOR_WIRE_OPERATION(GetShardIterator);
STATOR_WIRE_OPERATION(GetRecords);

}  // namespace stator
