#include "partiql/value_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "base/try.h"
#include "expr/path.h"
#include "partiql/refusal.h"
#include "value/item_codec.h"
#include "value/number.h"
#include "value/value_problem.h"

namespace stator::partiql {
namespace {

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
  if (read.ec != std::errc() || index > kMaxListIndex || (negative && index != 0)) {
    return RefusedAt(ListIndexOutOfRange(number.text), number.place);
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

using Entries = std::vector<std::pair<std::string, AttributeValue>>;

constexpr std::string_view kInvalid = "One or more parameter values were invalid: ";

std::unexpected<Error> UnsupportedType(const Expression& expression, std::string_view where) {
  const std::string_view name =
      expression.form == Form::kCall ? expression.text : OperationName(expression);
  return RefusedAt(fmt::format("Unsupported data type: {} under key {}", name, where),
                   expression.place);
}

Result<Number> NumberOf(const Expression& literal, std::string_view where) {
  const auto number = Number::Parse(literal.text, Wording::kClassic);
  if (number) return *number;
  const ValueProblem problem = NumberProblemOf(number.error(), literal.text);
  return Refused(fmt::format("{} under {}", ProblemMessage(problem, Wording::kClassic), where));
}

std::vector<std::string> TextsOf(const Expression& bag) {
  std::vector<std::string> texts;
  texts.reserve(bag.children.size());
  for (const Expression& member : bag.children) texts.push_back(member.text);
  return texts;
}

Result<AttributeValue> NumberSet(const Expression& bag, std::string_view where) {
  std::vector<std::string> encodings;
  for (std::size_t i = 0; i < bag.children.size(); ++i) {
    ASSIGN_OR_RETURN(const Number number,
                     NumberOf(bag.children[i], fmt::format("{}[{}]", where, i)));
    number.AppendEncoded(encodings.emplace_back());
  }
  std::ranges::sort(encodings);
  if (std::ranges::adjacent_find(encodings) != encodings.end()) {
    return Refused(fmt::format("{}Input collection [{}] contains duplicates! under {}", kInvalid,
                               fmt::join(TextsOf(bag), ", "), where));
  }
  const std::vector<std::string_view> members(encodings.begin(), encodings.end());
  std::string encoded;
  AppendSet(encoded, Type::kNS, members);
  return AttributeValue::FromEncoded(std::move(encoded));
}

Result<AttributeValue> StringSet(const Expression& bag) {
  std::vector<std::string> texts = TextsOf(bag);
  std::vector<std::string> sorted = texts;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) {
    return Refused(fmt::format("{}Input collection [{}] contains duplicates.", kInvalid,
                               fmt::join(texts, ", ")));
  }
  return AttributeValue::StringSet(texts);
}

Result<AttributeValue> Set(const Expression& bag, const std::string& where) {
  if (bag.children.empty()) return Refused("Empty bags are not supported");
  for (std::size_t i = 0; i < bag.children.size(); ++i) {
    if (bag.children[i].form != Form::kParameter) continue;
    return UnsupportedType(bag.children[i], fmt::format("{}[{}]", where, i));
  }
  const Form form = bag.children.front().form;
  const bool uniform = std::ranges::all_of(
      bag.children, [form](const Expression& member) { return member.form == form; });
  if (!uniform || (form != Form::kString && form != Form::kNumber)) {
    return Refused(
        "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags");
  }
  return form == Form::kNumber ? NumberSet(bag, where) : StringSet(bag);
}

// `depth` counts the lists and tuples that the literal is in.
Result<AttributeValue> Literal(const Expression& literal, const std::string& where, int depth);

Result<void> CheckDepth(const Expression& literal, const std::string& where, int depth) {
  const bool empty_container =
      literal.children.empty() && (literal.form == Form::kList || literal.form == Form::kTuple);
  if (depth + (empty_container ? 1 : 0) <= kMaxNesting) return {};
  return Refused(fmt::format("Nesting Levels have exceeded supported limits under {}", where));
}

Result<AttributeValue> List(const Expression& literal, const std::string& where, int depth) {
  std::vector<AttributeValue> elements;
  elements.reserve(literal.children.size());
  for (std::size_t i = 0; i < literal.children.size(); ++i) {
    ASSIGN_OR_RETURN(elements.emplace_back(),
                     Literal(literal.children[i], fmt::format("{}[{}]", where, i), depth + 1));
  }
  return AttributeValue::List(elements);
}

Result<std::string> EntryName(const Expression& name, std::string_view where) {
  if (name.form != Form::kString) return UnsupportedType(name, where);
  if (name.text.empty()) {
    return Refused(ProblemMessage({.kind = ValueProblem::Kind::kEmptyName}, Wording::kClassic));
  }
  return name.text;
}

Result<void> CheckDistinct(const Entries& entries) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : entries) names.push_back(name);
  std::ranges::sort(names);
  const auto repeated = std::ranges::adjacent_find(names);
  if (repeated == names.end()) return {};
  return Refused(fmt::format("A tuple has two values for the name {}", *repeated));
}

Result<AttributeValue> Map(const Expression& literal, const std::string& where, int depth) {
  Entries entries;
  for (std::size_t i = 0; i < literal.children.size(); i += 2) {
    ASSIGN_OR_RETURN(std::string name, EntryName(literal.children[i], where));
    ASSIGN_OR_RETURN(AttributeValue value, Literal(literal.children[i + 1],
                                                   fmt::format("{}.{}", where, name), depth + 1));
    entries.emplace_back(std::move(name), std::move(value));
  }
  RETURN_IF_ERROR(CheckDistinct(entries));
  return AttributeValue::Map(entries);
}

Result<AttributeValue> Literal(const Expression& literal, const std::string& where, int depth) {
  RETURN_IF_ERROR(CheckDepth(literal, where, depth));
  switch (literal.form) {
    case Form::kString:
      return AttributeValue(literal.text);
    case Form::kNumber: {
      ASSIGN_OR_RETURN(const Number number, NumberOf(literal, where));
      std::string encoded;
      AppendNumber(encoded, number);
      return AttributeValue::FromEncoded(std::move(encoded));
    }
    case Form::kBoolean:
      return AttributeValue(literal.text == "true");
    case Form::kNull:
      return AttributeValue::Null();
    case Form::kList:
      return List(literal, where, depth);
    case Form::kBag:
      return Set(literal, where);
    case Form::kTuple:
      return Map(literal, where, depth);
    default:
      return UnsupportedType(literal, where);
  }
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
  RETURN_IF_ERROR(RefuseFor(PathLengthProblem(path)));
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

bool IsValue(const Expression& expression) {
  switch (expression.form) {
    case Form::kString:
    case Form::kNumber:
    case Form::kBoolean:
    case Form::kNull:
    case Form::kMissing:
    case Form::kParameter:
    case Form::kList:
    case Form::kBag:
    case Form::kTuple:
      return true;
    default:
      return false;
  }
}

Result<AttributeValue> BuildValue(const Expression& expression, Parameters parameters) {
  if (expression.form == Form::kParameter) return parameters[expression.parameter];
  return Literal(expression, "root", 0);
}

Result<Item> BuildItem(const Expression& expression, Parameters parameters) {
  if (expression.form != Form::kTuple) return UnsupportedType(expression, "root");
  Entries entries;
  for (std::size_t i = 0; i < expression.children.size(); i += 2) {
    ASSIGN_OR_RETURN(std::string name, EntryName(expression.children[i], "root"));
    ASSIGN_OR_RETURN(AttributeValue value, BuildValue(expression.children[i + 1], parameters));
    entries.emplace_back(std::move(name), std::move(value));
  }
  RETURN_IF_ERROR(CheckDistinct(entries));
  return Item(entries);
}

}  // namespace stator::partiql
