#include "expr/placeholders.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/try.h"
#include "expr/lexer.h"
#include "value/value_problem.h"

namespace stator {
namespace {

constexpr std::size_t kMaxKeyBytes = 255;
constexpr std::size_t kFewPlaceholders = 8;

std::unexpected<Error> Refused(std::string message) {
  return std::unexpected(Error::Validation(std::move(message)));
}

Result<void> CheckKeySyntax(std::string_view parameter, std::string_view key, char sign) {
  if (IsPlaceholder(key, sign)) return {};
  return Refused(fmt::format("{} contains invalid key: Syntax error; key: \"{}\"", parameter, key));
}

Result<void> CheckNames(const NameMap& names) {
  if (names.empty()) return Refused("ExpressionAttributeNames must not be empty");
  for (const auto& [key, name] : names) {
    if (key.size() > kMaxKeyBytes) {
      return Refused(
          fmt::format("ExpressionAttributeNames contains invalid key: The expression attribute map "
                      "contains a key that is too long; size of key: {}",
                      key.size()));
    }
    RETURN_IF_ERROR(CheckKeySyntax("ExpressionAttributeNames", key, '#'));
  }
  for (const auto& [key, name] : names) {
    if (name.empty()) {
      return Refused(fmt::format(
          "ExpressionAttributeNames contains invalid value: Empty attribute name for key {}", key));
    }
  }
  return {};
}

Result<void> CheckValueKeys(const ValueMap& values) {
  if (values.empty()) return Refused("ExpressionAttributeValues must not be empty");
  for (const auto& [key, value] : values) {
    if (key.size() > kMaxKeyBytes) {
      return Refused(
          "ExpressionAttributeValues contains invalid key: The expression attribute map contains a "
          "key that is too long;");
    }
    RETURN_IF_ERROR(CheckKeySyntax("ExpressionAttributeValues", key, ':'));
  }
  return {};
}

Result<void> CheckValueProblems(const ValueMap& values, Wording wording) {
  for (const auto& [key, value] : values) {
    if (value.problem() == nullptr) continue;
    if (IsCurrent(wording)) return std::unexpected(ProblemError(*value.problem(), wording));
    return Refused(fmt::format("ExpressionAttributeValues contains invalid value: {} for key {}",
                               ProblemMessage(*value.problem(), wording), key));
  }
  return {};
}

template <class Map>
Result<void> CheckUsed(std::string_view parameter, const Map* map, const PlaceholderMarks& used) {
  if (map == nullptr) return {};
  std::string unused;
  for (std::size_t i = 0; i < map->size(); ++i) {
    if (used[i]) continue;
    if (!unused.empty()) unused += ", ";
    unused += (*map)[i].first;
  }
  if (unused.empty()) return {};
  return Refused(
      fmt::format("Value provided in {} unused in expressions: keys: {{{}}}", parameter, unused));
}

Result<void> CheckNameLengths(const NameMap& names) {
  for (const auto& [key, name] : names) {
    if (name.size() > kMaxNameBytes) return Refused(std::string(kNameTooLongMessage));
  }
  return {};
}

// The position of the first key that is `placeholder`; the map's size if there is none.
template <class Map>
std::size_t Find(const Map& map, const PlaceholderIndex& index, std::string_view placeholder) {
  if (index.empty()) {
    const auto found = std::ranges::find(map, placeholder, &Map::value_type::first);
    return static_cast<std::size_t>(found - map.begin());
  }
  const auto key = [&map](std::uint32_t at) -> std::string_view { return map[at].first; };
  const auto found = std::ranges::lower_bound(index, placeholder, {}, key);
  return found != index.end() && key(*found) == placeholder ? *found : map.size();
}

template <class Map>
auto Use(const Map* map, const PlaceholderIndex& index, PlaceholderMarks& used,
         std::string_view placeholder) -> decltype(&map->front().second) {
  if (map == nullptr) return nullptr;
  const std::size_t found = Find(*map, index, placeholder);
  if (found == map->size()) return nullptr;
  used[found] = true;
  return &(*map)[found].second;
}

template <class Map>
PlaceholderIndex IndexOf(const Map* map) {
  if (map == nullptr || map->size() <= kFewPlaceholders) return {};
  PlaceholderIndex index(map->size());
  std::iota(index.begin(), index.end(), 0U);
  std::ranges::sort(index, {}, [map](std::uint32_t at) {
    return std::pair(std::string_view((*map)[at].first), at);
  });
  return index;
}

template <class Map>
PlaceholderMarks MarksOf(const Map* map) {
  return PlaceholderMarks(map == nullptr ? 0 : map->size());
}

}  // namespace

std::string_view ExpressionName(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::kUpdate:
      return "UpdateExpression";
    case ExpressionKind::kCondition:
      return "ConditionExpression";
    case ExpressionKind::kKeyCondition:
      return "KeyConditionExpression";
    case ExpressionKind::kFilter:
      return "FilterExpression";
    case ExpressionKind::kProjection:
      return "ProjectionExpression";
  }
  return "";
}

Placeholders::Placeholders(const NameMap* names, const ValueMap* values, Wording wording)
    : names_(names),
      values_(values),
      wording_(wording),
      name_index_(IndexOf(names)),
      value_index_(IndexOf(values)),
      name_used_(MarksOf(names)),
      value_used_(MarksOf(values)) {}

Result<void> Placeholders::CheckMaps() const {
  if (names_ != nullptr) {
    RETURN_IF_ERROR(InEnvelope(wording_, CheckNames(*names_)));
    RETURN_IF_ERROR(CheckNameLengths(*names_));
  }
  if (values_ == nullptr) return {};
  RETURN_IF_ERROR(InEnvelope(wording_, CheckValueKeys(*values_)));
  return CheckValueProblems(*values_, wording_);
}

Result<void> Placeholders::CheckUnused() const {
  RETURN_IF_ERROR(CheckUsed("ExpressionAttributeNames", names_, name_used_));
  RETURN_IF_ERROR(CheckUsed("ExpressionAttributeValues", values_, value_used_));
  return {};
}

const std::string* Placeholders::UseName(std::string_view placeholder) {
  return Use(names_, name_index_, name_used_, placeholder);
}

const AttributeValue* Placeholders::UseValue(std::string_view placeholder) {
  return Use(values_, value_index_, value_used_, placeholder);
}

}  // namespace stator
