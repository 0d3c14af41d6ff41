#include "partiql/path_builder.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "base/try.h"
#include "expr/expression_text.h"
#include "partiql/refusal.h"

namespace stator::partiql {
namespace {

constexpr std::uint64_t kMaxIndex = std::numeric_limits<std::int32_t>::max();

std::unexpected<Error> BadComponent(SourcePlace place) {
  return RefusedAt("Unexpected path component", place);
}

Result<PathElement> Index(const Expression& number) {
  std::string_view digits = number.text;
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) {
    return BadComponent(number.place);
  }
  std::uint64_t index = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (read.ec != std::errc() || index > kMaxIndex || (negative && index != 0)) {
    return RefusedAt(
        fmt::format("List index is not within the allowable range; index: [{}]", number.text),
        number.place);
  }
  return PathElement{.index = static_cast<std::uint32_t>(index), .is_index = true};
}

Result<PathElement> Name(const Expression& name) {
  if (name.text.empty()) return Refused("Path component cannot be an empty string");
  return PathElement{.name = name.text};
}

Result<PathElement> Step(const Expression& step) {
  if (step.form == Form::kDot) return Name(step);
  if (step.form != Form::kBracket) return BadComponent(step.place);
  const Expression& inner = step.children.front();
  if (inner.form == Form::kNumber) return Index(inner);
  if (inner.form == Form::kString) return Name(inner);
  return BadComponent(inner.place);
}

}  // namespace

Result<Path> BuildPath(const Expression& expression) {
  if (expression.form != Form::kPath) return BadComponent(expression.place);
  Path path;
  path.reserve(expression.children.size() + 1);
  ASSIGN_OR_RETURN(path.emplace_back(), Name(expression));
  for (const Expression& step : expression.children) {
    ASSIGN_OR_RETURN(path.emplace_back(), Step(step));
  }
  if (path.size() > kMaxPathElements) {
    return Refused(fmt::format("The document path has too many nesting levels; nesting levels: {}",
                               path.size()));
  }
  return path;
}

std::string ColumnName(const Path& path) {
  std::string name;
  for (const PathElement& element : path) {
    if (element.is_index) {
      name += fmt::format("[{}]", element.index);
    } else {
      name = element.name;
    }
  }
  return name;
}

}  // namespace stator::partiql
