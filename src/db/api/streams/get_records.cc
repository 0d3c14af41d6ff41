// GetRecords: the records of a shard from an iterator on, and the iterator for those that follow.
#include "api/constraints.h"
#include "api/enum_text.h"
#include "api/member_reader.h"
#include "api/operations.h"
#include "api/streams/shard_iterator.h"
#include "api/streams/stream_reference.h"
#include "base/try.h"
#include "engine/streams/stream_page.h"
#include "value/item_json.h"

namespace stator {
namespace get_records {
namespace {

constexpr std::int64_t kMaxRecords = 1000;
constexpr std::size_t kMaxIteratorLength = 2048;

struct Plan {
  std::string shard_iterator;
  std::size_t limit = kMaxRecords;
};

Result<GetRecordsRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  GetRecordsRequest request;
  request.shard_iterator = in.String("ShardIterator");
  request.limit = in.Integer("Limit");
  return in.Finish(std::move(request));
}

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

void WriteRecord(JsonWriter& out, const StreamRecord& record) {
  out.BeginObject();
  out.Key("eventID").String(record.event_id);
  out.Key("eventName").String(EnumText(record.event_name));
  out.Key("eventVersion").String("1.1");
  out.Key("eventSource").String("aws:dynamodb");
  out.Key("awsRegion").String(record.aws_region);
  out.Key("dynamodb").BeginObject();
  out.Key("ApproximateCreationDateTime").Integer(record.approximate_creation_seconds);
  out.Key("Keys");
  WriteItem(out, record.keys.view());
  if (record.new_image) {
    out.Key("NewImage");
    WriteItem(out, record.new_image->view());
  }
  if (record.old_image) {
    out.Key("OldImage");
    WriteItem(out, record.old_image->view());
  }
  out.Key("SequenceNumber").String(record.sequence_number);
  out.Key("SizeBytes").Integer(record.size_bytes);
  out.Key("StreamViewType").String(EnumText(record.stream_view_type));
  out.EndObject();
  if (record.by_time_to_live) {
    out.Key("userIdentity").BeginObject();
    out.Key("PrincipalId").String("dynamodb.amazonaws.com");
    out.Key("Type").String("Service");
    out.EndObject();
  }
  out.EndObject();
}

void Encode(const GetRecordsResponse& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("Records").BeginArray();
  for (const StreamRecord& record : response.records) WriteRecord(out, record);
  out.EndArray();
  if (response.next_shard_iterator) {
    out.Key("NextShardIterator").String(*response.next_shard_iterator);
  }
  out.EndObject();
}

}  // namespace
}  // namespace get_records

constinit const Operation<GetRecordsRequest, GetRecordsResponse> kGetRecords =
    DefineOperation<GetRecordsRequest, GetRecordsResponse, get_records::Decode,
                    get_records::Validate, get_records::Execute, get_records::Encode>();

}  // namespace stator
