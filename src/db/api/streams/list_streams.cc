// ListStreams: the streams of one table or of all, page by page. Those that ended within the last
// day are among them, even if their table is gone.
#include <algorithm>

#include "api/constraints.h"
#include "api/operations.h"
#include "api/streams/stream_reference.h"
#include "base/try.h"

namespace stator {
namespace list_streams {
namespace {

constexpr std::int64_t kMaxPage = 100;

struct Plan {
  std::optional<std::string> table_name;
  std::pair<std::string, std::string> start_after;  // table name and label
  std::size_t limit = kMaxPage;
};

Result<Plan> Validate(const ListStreamsRequest& request, Engine&, Wording) {
  Constraints check;
  check.Name("tableName", request.table_name, {.min_length = 3});
  check.AtLeast("limit", request.limit, 1);
  check.AtMost("limit", request.limit, kMaxPage);
  ConstrainStreamArn(check, "exclusiveStartStreamArn", request.exclusive_start_stream_arn);
  RETURN_IF_ERROR(check.Finish());
  Plan plan;
  if (request.exclusive_start_stream_arn) {
    ASSIGN_OR_RETURN(const StreamName start, ParseStreamArn(*request.exclusive_start_stream_arn));
    plan.start_after = {std::string(start.table_name), std::string(start.label)};
  }
  plan.table_name = request.table_name;
  plan.limit = static_cast<std::size_t>(request.limit.value_or(kMaxPage));
  return plan;
}

Result<ListStreamsResponse> Execute(Engine& engine, const Plan& plan) {
  RETURN_IF_ERROR(engine.BringCatalogUpToDate());
  const TimeMs now = engine.clock().Now();
  ListStreamsResponse response;
  for (const StreamPtr& stream : engine.streams().All()) {
    if (plan.table_name && stream->table_name != *plan.table_name) continue;
    if (!stream->IsVisible(now)) continue;
    if (std::pair(stream->table_name, stream->label) <= plan.start_after) continue;
    if (response.streams.size() == plan.limit) {
      response.last_evaluated_stream_arn = response.streams.back().stream_arn;
      break;
    }
    response.streams.push_back({.stream_arn = stream->arn,
                                .table_name = stream->table_name,
                                .stream_label = stream->label});
  }
  return response;
}

}  // namespace
}  // namespace list_streams

STATOR_DEFINE_OPERATION(ListStreams, list_streams);

}  // namespace stator
