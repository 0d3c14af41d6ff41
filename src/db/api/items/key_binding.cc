#include "api/items/key_binding.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "api/items/page_rules.h"
#include "api/request_rules.h"
#include "base/try.h"

namespace stator {
namespace {

const KeyClause* FindClause(const std::vector<KeyClause>& clauses, std::string_view attribute) {
  const auto found = std::ranges::find(clauses, attribute, &KeyClause::attribute);
  return found == clauses.end() ? nullptr : &*found;
}

Result<void> CheckCount(const KeySchema& schema, std::size_t count, Wording wording) {
  if (count <= schema.size()) return {};
  if (IsCurrent(wording)) {
    return Invalid(
        fmt::format("The number of query conditions ({}) exceeds the number of key attributes "
                    "defined in the schema ({})",
                    count, schema.size()));
  }
  if (count > 2) return Invalid("Conditions can be of length 1 or 2 only");
  return Invalid("Query key condition not supported");
}

Result<void> CheckClause(const KeyAttribute& attribute, const KeyClause& clause) {
  if (clause.op == KeyOperator::kNotIndexable) {
    return Invalid("Attempted conditional constraint is not an indexable operation");
  }
  const bool between = clause.op == KeyOperator::kBetween;
  if (!Matches(attribute.type, clause.value.type()) ||
      (between && !Matches(attribute.type, clause.upper.type()))) {
    return Invalid(
        fmt::format("{}Condition parameter type does not match schema type", kInvalidValues));
  }
  return CheckClauseValues(attribute, clause);
}

// An index with several attributes in its key names all that lack an equality.
Result<void> CheckHashEqualities(const KeySchema& schema, const std::vector<KeyClause>& clauses) {
  if (schema.hash.size() == 1) return {};
  std::vector<std::string> not_equal;
  for (const KeyAttribute& attribute : schema.hash) {
    const KeyClause* clause = FindClause(clauses, attribute.name);
    if (clause == nullptr || clause->op != KeyOperator::kEq) not_equal.push_back(attribute.name);
  }
  if (not_equal.empty()) return {};
  return Invalid(
      fmt::format("HASH key attributes {} must have equality conditions specified in the query",
                  fmt::join(not_equal, ", ")));
}

Result<void> BindHash(const KeySchema& schema, const std::vector<KeyClause>& clauses,
                      const Item* start, BoundKey& bound) {
  RETURN_IF_ERROR(CheckHashEqualities(schema, clauses));
  for (const KeyAttribute& attribute : schema.hash) {
    RETURN_IF_ERROR(CheckStartPiece(attribute, start));
    const KeyClause* clause = FindClause(clauses, attribute.name);
    if (clause == nullptr) {
      return Invalid(fmt::format("Query condition missed key schema element: {}", attribute.name));
    }
    RETURN_IF_ERROR(CheckClause(attribute, *clause));
    if (clause->op != KeyOperator::kEq) return Invalid("Query key condition not supported");
    bound.hash.push_back(clause);
  }
  return {};
}

// Range attributes must be used from the first on, without a gap; only the last may be a range.
Result<void> BindRange(const KeySchema& schema, const std::vector<KeyClause>& clauses,
                       const Item* start, BoundKey& bound) {
  const std::size_t wanted = clauses.size() - bound.hash.size();
  std::string last_used;
  for (const KeyAttribute& attribute : schema.range) {
    if (FindClause(clauses, attribute.name) != nullptr) last_used = attribute.name;
  }
  std::vector<std::string> not_equal;
  std::size_t found = 0;
  for (const KeyAttribute& attribute : schema.range) {
    RETURN_IF_ERROR(CheckStartPiece(attribute, start));
    const KeyClause* clause = FindClause(clauses, attribute.name);
    if (clause == nullptr) {
      if (found == wanted) continue;
      if (last_used.empty()) {
        return Invalid(
            fmt::format("Query condition missed key schema element: {}", attribute.name));
      }
      not_equal.push_back(attribute.name);
      continue;
    }
    RETURN_IF_ERROR(CheckClause(attribute, *clause));
    ++found;
    if (clause->op != KeyOperator::kEq && attribute.name != last_used) {
      not_equal.push_back(attribute.name);
    }
    bound.range.push_back(clause);
  }
  if (found < wanted) {
    return Invalid(fmt::format("Query condition missed key schema element: {}",
                               schema.range.empty() ? "" : schema.range.back().name));
  }
  if (!not_equal.empty()) {
    return Invalid(
        fmt::format("RANGE key attributes {} must have equality conditions specified in the query "
                    "because a condition is present on key attribute {}",
                    fmt::join(not_equal, ", "), last_used));
  }
  return {};
}

}  // namespace

Result<void> CheckClauseValues(const KeyAttribute& attribute, const KeyClause& clause) {
  RETURN_IF_ERROR(CheckKeyValue(attribute, clause.value.view()));
  if (clause.op != KeyOperator::kBetween) return {};
  return CheckKeyValue(attribute, clause.upper.view());
}

Result<BoundKey> BindKey(const KeySchema& schema, const std::vector<KeyClause>& clauses,
                         const Item* start, Wording wording) {
  RETURN_IF_ERROR(CheckCount(schema, clauses.size(), wording));
  BoundKey bound;
  RETURN_IF_ERROR(BindHash(schema, clauses, start, bound));
  RETURN_IF_ERROR(BindRange(schema, clauses, start, bound));
  return bound;
}

}  // namespace stator
