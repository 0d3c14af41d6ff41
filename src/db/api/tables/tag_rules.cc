#include "api/tables/tag_rules.h"

#include <algorithm>

#include "api/invalid_value.h"
#include "base/try.h"

namespace stator {
namespace {

constexpr std::size_t kMaxTags = 50;
constexpr std::size_t kMaxKeyCharacters = 128;
constexpr std::size_t kMaxValueCharacters = 256;

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

std::string_view TakePart(std::string_view& rest) {
  const std::size_t colon = rest.find(':');
  const std::string_view part = rest.substr(0, colon);
  rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
  return part;
}

}  // namespace

Result<void> CheckTags(const std::vector<Tag>& tags) {
  std::vector<std::string_view> keys;
  for (const Tag& tag : tags) {
    if (tag.key->empty() || !IsTagText(*tag.key, kMaxKeyCharacters)) {
      return Invalid(fmt::format("The Tag Key provided is invalid, Key: {}", *tag.key));
    }
    if (!IsTagText(*tag.value, kMaxValueCharacters)) {
      return Invalid(fmt::format("The Tag Value provided is invalid, Value: {}", *tag.value));
    }
    if (tag.key->starts_with("aws:")) {
      return Invalid(fmt::format("Tag Key cannot be prefixed with aws:, Key: {}", *tag.key));
    }
    if (std::ranges::find(keys, *tag.key) != keys.end()) {
      return Invalid(fmt::format("Duplicate Tag Keys provided as input: Duplicate Tag Key found {}",
                                 *tag.key));
    }
    keys.push_back(*tag.key);
  }
  return {};
}

Result<void> MergeTags(const std::vector<Tag>& tags, TagMap& into) {
  for (const Tag& tag : tags) {
    const auto place = std::ranges::lower_bound(into, *tag.key, {}, &TagMap::value_type::first);
    if (place != into.end() && place->first == *tag.key) {
      place->second = *tag.value;
    } else {
      into.insert(place, {*tag.key, *tag.value});
    }
  }
  if (into.size() <= kMaxTags) return {};
  return Invalid("Number of Tags exceed the current limit for the provided ResourceArn");
}

Result<std::string> TaggedTableName(const std::optional<std::string>& arn, const Engine& engine) {
  if (!arn) return std::unexpected(Error::Validation("Invalid TableArn"));
  if (!arn->starts_with("arn:")) return InvalidValue("ARNs must start with 'arn:': {}", *arn);
  std::string_view rest = std::string_view(*arn).substr(4);
  const std::string_view partition = TakePart(rest);
  const std::string_view service = TakePart(rest);
  const std::string_view region = TakePart(rest);
  const std::string_view account = TakePart(rest);
  const bool is_table = rest.starts_with("table/");
  if (partition != "aws" || service != "dynamodb" || !is_table ||
      rest.find("/backup/") != std::string_view::npos) {
    return InvalidValue("Provided Arn is not a DynamoDB resource arn: {}", *arn);
  }
  rest.remove_prefix(6);
  if (rest.find("/index/") != std::string_view::npos) {
    return InvalidValue(
        "Invalid resource arn provided, only table or stream is accepted. Provided resource arn: "
        "{}",
        *arn);
  }
  if (region != engine.region()) {
    return std::unexpected(Error::Validation(
        fmt::format("Invalid TableArn: Invalid ResourceArn provided as input {}", *arn)));
  }
  if (account != engine.account()) return std::unexpected(Error::AccessDenied());
  return std::string(rest);
}

Result<TablePtr> FindTaggedTable(const std::string& name, const std::string& arn, Engine& engine) {
  TablePtr table = engine.catalog().Find(name);
  if (!table) {
    return std::unexpected(Error::ResourceNotFound(
        fmt::format("Requested resource not found: ResourceArn: {} not found", arn)));
  }
  return table;
}

}  // namespace stator
