// ListTagsOfResource: the tags of a table, ten at a time.
#include <algorithm>

#include "api/member_reader.h"
#include "api/operations.h"
#include "api/tables/tag_rules.h"
#include "base/try.h"

namespace stator {
namespace list_tags_of_resource {
namespace {

constexpr std::ptrdiff_t kTagsPerPage = 10;

struct Plan {
  std::string arn;
  std::string table_name;
  std::optional<std::string> next_token;
};

Result<ListTagsOfResourceRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  ListTagsOfResourceRequest request;
  request.resource_arn = in.String("ResourceArn");
  request.next_token = in.String("NextToken");
  return in.Finish(std::move(request));
}

Result<Plan> Validate(const ListTagsOfResourceRequest& request, Engine& engine, Wording) {
  Plan plan;
  ASSIGN_OR_RETURN(plan.table_name, TaggedTableName(request.resource_arn, engine));
  plan.arn = *request.resource_arn;
  plan.next_token = request.next_token;
  return plan;
}

void Execute(Engine& engine, Plan plan, Reply<ListTagsOfResourceResponse> reply) {
  Result<TablePtr> table = FindTaggedTable(plan.table_name, plan.arn, engine);
  if (!table) return reply(std::unexpected(std::move(table).error()));
  const auto& tags = (*table)->tags;
  using Tag = std::remove_cvref_t<decltype(tags)>::value_type;
  // The token is the last key of the page before; one that is no key is ignored.
  auto from = tags.begin();
  if (plan.next_token) {
    const auto last = std::ranges::find(tags, *plan.next_token, &Tag::first);
    if (last != tags.end()) from = last + 1;
  }
  const auto to = from + std::min(kTagsPerPage, tags.end() - from);
  ListTagsOfResourceResponse response{.tags = {from, to}};
  if (to != tags.end()) response.next_token = (to - 1)->first;
  reply(std::move(response));
}

void Encode(const ListTagsOfResourceResponse& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("Tags").BeginArray();
  for (const auto& [key, value] : response.tags) {
    out.BeginObject();
    out.Key("Key").String(key);
    out.Key("Value").String(value);
    out.EndObject();
  }
  out.EndArray();
  if (response.next_token) out.Key("NextToken").String(*response.next_token);
  out.EndObject();
}

}  // namespace
}  // namespace list_tags_of_resource

constinit const Operation<ListTagsOfResourceRequest, ListTagsOfResourceResponse>
    kListTagsOfResource =
        DefineOperation<ListTagsOfResourceRequest, ListTagsOfResourceResponse,
                        list_tags_of_resource::Decode, list_tags_of_resource::Validate,
                        list_tags_of_resource::Execute, list_tags_of_resource::Encode>();

}  // namespace stator
