// A stream as requests name it: by its ARN.
#ifndef STATOR_API_STREAMS_STREAM_REFERENCE_H_
#define STATOR_API_STREAMS_STREAM_REFERENCE_H_

#include <optional>
#include <string>
#include <string_view>

#include "api/constraints.h"
#include "engine/engine.h"
#include "engine/streams/stream.h"
#include "stator/result.h"

namespace stator {

// The framework's constraints on an ARN and on the id of a shard.
void ConstrainStreamArn(Constraints& check, std::string_view path,
                        const std::optional<std::string>& arn);
void ConstrainShardId(Constraints& check, std::string_view path,
                      const std::optional<std::string>& shard_id);

// "arn:aws:dynamodb:us-east-1:000000000000:table/Music/stream/2026-01-31T12:00:00.000"
struct StreamName {
  std::string_view table_name;
  std::string_view label;
};
// "Invalid StreamArn" if the text is not the ARN of a stream.
Result<StreamName> ParseStreamArn(std::string_view arn);

// The stream, if clients can see it.
Result<StreamPtr> FindStream(Engine& engine, std::string_view arn);

// "Requested resource not found: Shard: … in Stream: … not found"
Error ShardNotFound(std::string_view shard_id, std::string_view arn);

}  // namespace stator

#endif  // STATOR_API_STREAMS_STREAM_REFERENCE_H_
