// UntagResource: removes tags from a table; those that are not there are fine.
#include <algorithm>

#include "api/constraints.h"
#include "api/member_reader.h"
#include "api/operations.h"
#include "api/tables/tag_rules.h"
#include "base/try.h"

namespace stator {
namespace untag_resource {
namespace {

struct Plan {
  std::string arn;
  std::string table_name;
  std::vector<std::string> keys;
};

Result<UntagResourceRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  UntagResourceRequest request;
  request.resource_arn = in.String("ResourceArn");
  request.tag_keys = in.Strings("TagKeys");
  return in.Finish(std::move(request));
}

Result<Plan> Validate(const UntagResourceRequest& request, Engine& engine, Wording) {
  Constraints check;
  check.NotNull("tagKeys", request.tag_keys);
  RETURN_IF_ERROR(check.Finish());
  Plan plan;
  ASSIGN_OR_RETURN(plan.table_name, TaggedTableName(request.resource_arn, engine));
  if (request.tag_keys->empty()) {
    return std::unexpected(Error::Validation("Atleast one Tag Key needs to be provided as Input."));
  }
  plan.arn = *request.resource_arn;
  plan.keys = *request.tag_keys;
  return plan;
}

Result<EmptyResponse> RemoveTags(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const TablePtr table, FindTaggedTable(plan.table_name, plan.arn, engine));
  RETURN_IF_ERROR(engine.catalog().Change(table->number, [&plan](Table& changed) -> Result<void> {
    std::erase_if(changed.tags, [&plan](const auto& tag) {
      return std::ranges::find(plan.keys, tag.first) != plan.keys.end();
    });
    return {};
  }));
  return EmptyResponse{};
}

void Execute(Engine& engine, Plan plan, Reply<EmptyResponse> reply) {
  engine.background().Post([&engine, plan = std::move(plan), reply = std::move(reply)]() mutable {
    reply(RemoveTags(engine, plan));
  });
}

void Encode(const EmptyResponse&, JsonWriter&) {}

}  // namespace
}  // namespace untag_resource

constinit const Operation<UntagResourceRequest, EmptyResponse> kUntagResource =
    DefineOperation<UntagResourceRequest, EmptyResponse, untag_resource::Decode,
                    untag_resource::Validate, untag_resource::Execute, untag_resource::Encode>();

}  // namespace stator
