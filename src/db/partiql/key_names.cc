#include "partiql/key_names.h"

#include <fmt/format.h>

#include <utility>

#include "expr/condition.h"
#include "partiql/refusal.h"
#include "value/key_codec.h"

namespace stator::partiql {
namespace {

using Kind = ConditionNode::Kind;

bool IsName(const Operand& operand, std::string_view name) {
  const Path* path = operand.path();
  return path != nullptr && path->size() == 1 && path->front().name == name;
}

std::optional<KeyClause> ComparisonOn(std::string_view name, const ConditionNode& condition) {
  const bool mirrored = IsName(condition.operands[1], name);
  if (!mirrored && !IsName(condition.operands[0], name)) return std::nullopt;
  const AttributeValue* value = condition.operands[mirrored ? 0 : 1].constant();
  if (value == nullptr || condition.comparator == Comparator::kNe) return std::nullopt;
  return KeyClause{.attribute = std::string(name),
                   .op = KeyOperatorOf(condition.comparator, mirrored),
                   .value = *value};
}

// No key is nearly as long as what is kept. A longer value is refused later; until then it only has
// to differ from others, and a statement may hold it in fifty reads.
std::string KeyBytes(std::string_view bytes) {
  constexpr std::size_t kKeptBytes = 4096;
  if (bytes.size() <= kKeptBytes) return std::string(bytes);
  const Hash128 hash = HashBytes(bytes);
  return std::string(bytes.substr(0, kKeptBytes)).append(hash.data(), hash.size());
}

using Bound = SortRange::Bound;

// The first bytes behind everything with that prefix, if any exist.
std::optional<Bound> Behind(std::string prefix) {
  while (!prefix.empty() && static_cast<unsigned char>(prefix.back()) == 0xFF) prefix.pop_back();
  if (prefix.empty()) return std::nullopt;
  prefix.back() = static_cast<char>(static_cast<unsigned char>(prefix.back()) + 1);
  return Bound{.bytes = std::move(prefix), .inclusive = false};
}

bool EndsBefore(const SortRange& a, const SortRange& b) {
  if (!a.upper || !b.lower) return false;
  if (a.upper->bytes != b.lower->bytes) return a.upper->bytes < b.lower->bytes;
  return !a.upper->inclusive || !b.lower->inclusive;
}

}  // namespace

std::optional<KeyClause> ClauseOn(std::string_view name, const ConditionNode& condition) {
  if (condition.kind == Kind::kCompare) return ComparisonOn(name, condition);
  const bool between = condition.kind == Kind::kBetween;
  if (!between && condition.kind != Kind::kBeginsWith) return std::nullopt;
  if (!IsName(condition.operands[0], name)) return std::nullopt;
  for (std::size_t i = 1; i < condition.operands.size(); ++i) {
    if (condition.operands[i].constant() == nullptr) return std::nullopt;
  }
  KeyClause clause{.attribute = std::string(name),
                   .op = between ? KeyOperator::kBetween : KeyOperator::kBeginsWith,
                   .value = *condition.operands[1].constant()};
  if (between) clause.upper = *condition.operands[2].constant();
  return clause;
}

Result<void> CheckKeyType(const KeyName& key, const KeyClause& clause) {
  if (clause.value.type() == key.type &&
      (clause.op != KeyOperator::kBetween || clause.upper.type() == key.type)) {
    return {};
  }
  return Refused(fmt::format(
      "Key attribute's data type should match its data type in table's schema: Key {}", key.name));
}

std::string OrderedBytes(ValueView scalar) {
  switch (scalar.type()) {
    case Type::kS:
      return KeyBytes(scalar.S());
    case Type::kB:
      return KeyBytes(scalar.B());
    case Type::kN:
      return std::string(scalar.number());
    default:
      return {};
  }
}

SortRange RangeOf(const std::optional<KeyClause>& clause) {
  if (!clause) return {};
  std::string value = OrderedBytes(clause->value.view());
  switch (clause->op) {
    case KeyOperator::kEq:
      return {.lower = Bound{value}, .upper = Bound{value}};
    case KeyOperator::kLt:
      return {.upper = Bound{std::move(value), false}};
    case KeyOperator::kLe:
      return {.upper = Bound{std::move(value)}};
    case KeyOperator::kGt:
      return {.lower = Bound{std::move(value), false}};
    case KeyOperator::kGe:
      return {.lower = Bound{std::move(value)}};
    case KeyOperator::kBetween:
      return {.lower = Bound{std::move(value)}, .upper = Bound{OrderedBytes(clause->upper.view())}};
    case KeyOperator::kBeginsWith:
      return {.lower = Bound{value}, .upper = Behind(value)};
    case KeyOperator::kNotIndexable:
      break;
  }
  return {};
}

bool Overlap(const SortRange& a, const SortRange& b) {
  return !EndsBefore(a, b) && !EndsBefore(b, a);
}

bool BeginsBefore(const SortRange& a, const SortRange& b) {
  if (!a.lower || !b.lower) return !a.lower && b.lower;
  if (a.lower->bytes != b.lower->bytes) return a.lower->bytes < b.lower->bytes;
  return a.lower->inclusive && !b.lower->inclusive;
}

}  // namespace stator::partiql
