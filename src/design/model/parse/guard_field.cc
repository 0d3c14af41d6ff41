#include "model/parse/guard_field.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "model/parse/fields.h"
#include "model/parse/nearest_name.h"

namespace stator::model {
namespace {

constexpr std::array<std::pair<std::string_view, Guard>, 4> kGuards{{
    {"exists", Guard::kExists},
    {"not_exists", Guard::kNotExists},
    {"version", Guard::kVersion},
    {"none", Guard::kNone},
}};
constexpr std::array<std::string_view, 4> kGuardNames{"exists", "not_exists", "version", "none"};

}  // namespace

Guard ReadGuard(Problems& problems, const Node& node, std::optional<Predicate>* condition) {
  if (!node.IsText()) {
    problems.AddWrongKind(node, "guard", "text");
    return Guard::kUnsaid;
  }
  for (const auto& [word, guard] : kGuards) {
    if (word == node.text) return guard;
  }
  const bool one_word = SplitWords(node.text).size() == 1;
  if (condition == nullptr || (one_word && node.text.find_first_of("(=<>") == std::string::npos)) {
    problems.AddUnknown(node.place, "guard", node.text, kGuardNames);
    return Guard::kUnsaid;
  }
  *condition = ReadPredicateNode(problems, node);
  return Guard::kCondition;
}

}  // namespace stator::model
