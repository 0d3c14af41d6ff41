#include "partiql/sort_range.h"

#include <utility>

namespace stator::partiql {
namespace {

using Bound = SortRange::Bound;

// The first bytes behind all that begin with the prefix, if there are any.
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

std::string OrderedBytes(ValueView scalar) {
  switch (scalar.type()) {
    case Type::kS:
      return std::string(scalar.S());
    case Type::kB:
      return std::string(scalar.B());
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
