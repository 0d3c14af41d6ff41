// TagResource, UntagResource and ListTagsOfResource.
#include "api/tables/tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "api/constraints.h"
#include "api/operations.h"
#include "api/request_rules.h"
#include "api/tables/table_constraints.h"
#include "base/try.h"

namespace stator {

namespace {

constexpr std::size_t kMaxTags = 50;
constexpr std::size_t kMaxTagKeyCharacters = 128;
constexpr std::size_t kMaxTagValueCharacters = 256;

// Letters of every script are welcome; of ASCII only these.
bool IsTagByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= 'a' && byte <= 'z') || std::string_view(" _.:/=+-@").contains(c);
}

bool IsTagText(std::string_view text, std::size_t max_characters) {
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  const std::size_t characters =
      text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues));
  return characters <= max_characters && std::ranges::all_of(text, IsTagByte) &&
         AttributeValue::String(text).problem() == nullptr;
}

Result<void> TooManyTags() {
  return Invalid("Number of Tags exceed the current limit for the provided ResourceArn");
}

std::string_view TakeArnPart(std::string_view& rest) {
  const std::size_t colon = rest.find(':');
  const std::string_view part = rest.substr(0, colon);
  rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
  return part;
}

}  // namespace

Result<void> CheckTags(const std::vector<Tag>& tags) {
  std::set<std::string_view> keys;
  for (const Tag& tag : tags) {
    if (tag.key->empty() || !IsTagText(*tag.key, kMaxTagKeyCharacters)) {
      return Invalid(fmt::format("The Tag Key provided is invalid, Key: {}", *tag.key));
    }
    if (!IsTagText(*tag.value, kMaxTagValueCharacters)) {
      return Invalid(fmt::format("The Tag Value provided is invalid, Value: {}", *tag.value));
    }
    if (tag.key->starts_with("aws:")) {
      return Invalid(fmt::format("Tag Key cannot be prefixed with aws:, Key: {}", *tag.key));
    }
    if (!keys.insert(*tag.key).second) {
      return Invalid(fmt::format("Duplicate Tag Keys provided as input: Duplicate Tag Key found {}",
                                 *tag.key));
    }
  }
  return {};
}

Result<void> MergeTags(const std::vector<Tag>& tags, TagMap& into) {
  // Their keys are distinct: if there are too many, so will there be after merging them.
  if (tags.size() > kMaxTags) return TooManyTags();
  for (const Tag& tag : tags) {
    const auto place = std::ranges::lower_bound(into, *tag.key, {}, &TagMap::value_type::first);
    if (place != into.end() && place->first == *tag.key) {
      place->second = *tag.value;
    } else {
      into.insert(place, {*tag.key, *tag.value});
    }
  }
  if (into.size() <= kMaxTags) return {};
  return TooManyTags();
}

Result<std::string> TaggedTableName(const std::optional<std::string>& arn, const Engine& engine) {
  if (!arn) return std::unexpected(Error::Validation("Invalid TableArn"));
  if (!arn->starts_with("arn:"))
    return InvalidValue(fmt::format("ARNs must start with 'arn:': {}", *arn));
  std::string_view rest = std::string_view(*arn).substr(4);
  const std::string_view partition = TakeArnPart(rest);
  const std::string_view service = TakeArnPart(rest);
  const std::string_view region = TakeArnPart(rest);
  const std::string_view account = TakeArnPart(rest);
  const bool is_table = rest.starts_with("table/");
  if (partition != "aws" || service != "dynamodb" || !is_table ||
      rest.find("/backup/") != std::string_view::npos) {
    return InvalidValue(fmt::format("Provided Arn is not a DynamoDB resource arn: {}", *arn));
  }
  rest.remove_prefix(6);
  if (rest.find("/index/") != std::string_view::npos) {
    return InvalidValue(fmt::format(
        "Invalid resource arn provided, only table or stream is accepted. Provided resource arn: "
        "{}",
        *arn));
  }
  if (region != engine.region()) {
    return std::unexpected(Error::Validation(
        fmt::format("Invalid TableArn: Invalid ResourceArn provided as input {}", *arn)));
  }
  if (account != engine.account()) return std::unexpected(Error::AccessDenied());
  return std::string(rest);
}

Result<TablePtr> FindTaggedTable(const std::string& name, const std::string& arn, Engine& engine) {
  ASSIGN_OR_RETURN(TablePtr table, engine.LookUp([&] { return engine.catalog().Find(name); }));
  if (!table) {
    return std::unexpected(Error::ResourceNotFound(
        fmt::format("Requested resource not found: ResourceArn: {} not found", arn)));
  }
  return table;
}

// TagResource: adds tags to a table, or replaces their values.
namespace tag_resource {
namespace {

struct Plan {
  std::string arn;
  std::string table_name;
  std::vector<Tag> tags;
};

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

Result<EmptyResponse> Execute(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const TablePtr table, FindTaggedTable(plan.table_name, plan.arn, engine));
  RETURN_IF_ERROR(engine.catalog().Change(
      table->number, [&plan](Table& changed) { return MergeTags(plan.tags, changed.tags); }));
  return EmptyResponse{};
}

}  // namespace
}  // namespace tag_resource

STATOR_DEFINE_BACKGROUND_OPERATION(TagResource, tag_resource);

// UntagResource: removes tags from a table; those that are not there are fine.
namespace untag_resource {
namespace {

struct Plan {
  std::string arn;
  std::string table_name;
  std::vector<std::string> keys;
};

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

Result<EmptyResponse> Execute(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const TablePtr table, FindTaggedTable(plan.table_name, plan.arn, engine));
  RETURN_IF_ERROR(engine.catalog().Change(table->number, [&plan](Table& changed) -> Result<void> {
    std::erase_if(changed.tags, [&plan](const auto& tag) {
      return std::ranges::find(plan.keys, tag.first) != plan.keys.end();
    });
    return {};
  }));
  return EmptyResponse{};
}

}  // namespace
}  // namespace untag_resource

STATOR_DEFINE_BACKGROUND_OPERATION(UntagResource, untag_resource);

// ListTagsOfResource: the tags of a table, all in one page. A NextToken is ignored.
namespace list_tags_of_resource {
namespace {

struct Plan {
  std::string arn;
  std::string table_name;
};

Result<Plan> Validate(const ListTagsOfResourceRequest& request, Engine& engine, Wording) {
  Plan plan;
  ASSIGN_OR_RETURN(plan.table_name, TaggedTableName(request.resource_arn, engine));
  plan.arn = *request.resource_arn;
  return plan;
}

Result<ListTagsOfResourceResponse> Execute(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const TablePtr table, FindTaggedTable(plan.table_name, plan.arn, engine));
  return ListTagsOfResourceResponse{.tags = {table->tags.begin(), table->tags.end()},
                                    .next_token = {}};
}

}  // namespace
}  // namespace list_tags_of_resource

STATOR_DEFINE_OPERATION(ListTagsOfResource, list_tags_of_resource);

}  // namespace stator
