#include "api/streams/stream_reference.h"

#include <fmt/format.h>

#include "api/tables/table_reference.h"
#include "base/try.h"

namespace stator {
namespace {

constexpr std::size_t kMinArnLength = 37;
constexpr std::size_t kMinShardIdLength = 28;
constexpr std::size_t kMaxShardIdLength = 65;
constexpr std::string_view kArnPrefix = "arn:aws:dynamodb:";
constexpr std::string_view kTable = ":table/";
constexpr std::string_view kStream = "/stream/";

void ConstrainLength(Constraints& check, std::string_view path,
                     const std::optional<std::string>& text, std::size_t min, std::size_t max) {
  if (text) check.Length(Constraints::Quoted(*text), path, text->size(), min, max);
}

}  // namespace

void ConstrainStreamArn(Constraints& check, std::string_view path,
                        const std::optional<std::string>& arn) {
  ConstrainLength(check, path, arn, kMinArnLength, kMaxArnLength);
}

void ConstrainShardId(Constraints& check, std::string_view path,
                      const std::optional<std::string>& shard_id) {
  ConstrainLength(check, path, shard_id, kMinShardIdLength, kMaxShardIdLength);
}

Result<StreamName> ParseStreamArn(std::string_view arn) {
  const std::size_t table = arn.find(kTable);
  const std::size_t name = table == std::string_view::npos ? arn.size() : table + kTable.size();
  const std::size_t stream = arn.find(kStream, name);
  if (!arn.starts_with(kArnPrefix) || stream == std::string_view::npos) {
    return std::unexpected(Error::Validation("Invalid StreamArn"));
  }
  return StreamName{.table_name = arn.substr(name, stream - name),
                    .label = arn.substr(stream + kStream.size())};
}

Result<StreamPtr> FindStream(Engine& engine, std::string_view arn) {
  ASSIGN_OR_RETURN(const StreamName name, ParseStreamArn(arn));
  ASSIGN_OR_RETURN(StreamPtr stream, engine.LookUp([&] {
    return engine.streams().Find(name.table_name, name.label);
  }));
  // The same name in another region or account is another stream.
  if (!stream || stream->arn != arn || !stream->IsVisible(engine.clock().Now())) {
    return std::unexpected(Error::ResourceNotFound(
        fmt::format("Requested resource not found: Stream: {} not found", arn)));
  }
  return stream;
}

Error ShardNotFound(std::string_view shard_id, std::string_view arn) {
  return Error::ResourceNotFound(fmt::format(
      "Requested resource not found: Shard: {} in Stream: {} not found", shard_id, arn));
}

}  // namespace stator
