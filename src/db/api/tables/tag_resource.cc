// TagResource: adds tags to a table, or replaces their values.
#include "api/constraints.h"
#include "api/invalid_value.h"
#include "api/operations.h"
#include "api/tables/table_constraints.h"
#include "api/tables/table_members.h"
#include "api/tables/tag_rules.h"
#include "base/try.h"

namespace stator {
namespace tag_resource {
namespace {

struct Plan {
  std::string arn;
  std::string table_name;
  std::vector<Tag> tags;
};

Result<TagResourceRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  TagResourceRequest request;
  request.resource_arn = in.String("ResourceArn");
  request.tags = ReadTags(in);
  return in.Finish(std::move(request));
}

Result<Plan> Validate(const TagResourceRequest& request, Engine& engine, Wording) {
  Constraints check;
  check.NotNull("tags", request.tags);
  ConstrainTags(check, request.tags);
  RETURN_IF_ERROR(check.Finish());
  Plan plan;
  ASSIGN_OR_RETURN(plan.table_name, TaggedTableName(request.resource_arn, engine));
  if (request.tags->empty()) {
    return std::unexpected(Error::Validation("Atleast one Tag needs to be provided as Input."));
  }
  RETURN_IF_ERROR(CheckTags(*request.tags));
  plan.arn = *request.resource_arn;
  plan.tags = *request.tags;
  return plan;
}

Result<EmptyResponse> AddTags(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const TablePtr table, FindTaggedTable(plan.table_name, plan.arn, engine));
  RETURN_IF_ERROR(engine.catalog().Change(
      table->number, [&plan](Table& changed) { return MergeTags(plan.tags, changed.tags); }));
  return EmptyResponse{};
}

void Execute(Engine& engine, Plan plan, Reply<EmptyResponse> reply) {
  engine.background().Post([&engine, plan = std::move(plan), reply = std::move(reply)]() mutable {
    reply(AddTags(engine, plan));
  });
}

void Encode(const EmptyResponse&, JsonWriter&) {}

}  // namespace
}  // namespace tag_resource

constinit const Operation<TagResourceRequest, EmptyResponse> kTagResource =
    DefineOperation<TagResourceRequest, EmptyResponse, tag_resource::Decode, tag_resource::Validate,
                    tag_resource::Execute, tag_resource::Encode>();

}  // namespace stator
