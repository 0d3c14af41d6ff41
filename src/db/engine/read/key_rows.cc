#include "engine/read/key_rows.h"

#include <string>
#include <utility>

#include "engine/catalog/row_key.h"
#include "value/item_codec.h"

namespace stator {
namespace {

// `prefix` and one part more.
std::string WithPart(const std::string& prefix, ValueView part) {
  std::string key;
  key.reserve(prefix.size() + part.encoded().size() + 8);
  key.append(prefix);
  AppendKeyPart(key, part);
  return key;
}

// The rows whose next part satisfies the clause.
KeyRange NarrowedRows(std::string prefix, const KeyClause& clause) {
  const ValueView value = clause.value.view();
  switch (clause.op) {
    case KeyOperator::kLt:
      return {prefix, WithPart(prefix, value)};
    case KeyOperator::kLe:
      return {prefix, PrefixEnd(WithPart(prefix, value))};
    case KeyOperator::kGt:
      return {PrefixEnd(WithPart(prefix, value)), PrefixEnd(prefix)};
    case KeyOperator::kGe:
      return {WithPart(prefix, value), PrefixEnd(prefix)};
    case KeyOperator::kBetween:
      return {WithPart(prefix, value), PrefixEnd(WithPart(prefix, clause.upper.view()))};
    case KeyOperator::kBeginsWith:
      AppendKeyPrefix(prefix, value.type() == Type::kS ? value.S() : value.B());
      break;
    case KeyOperator::kEq:
    case KeyOperator::kNotIndexable:
      AppendKeyPart(prefix, value);
      break;
  }
  std::string end = PrefixEnd(prefix);
  return {std::move(prefix), std::move(end)};
}

}  // namespace

KeyRange RowsOf(const KeyHasher& hasher, const Table& table, const Index* index,
                const BoundKey& key) {
  InlineVector<ValueView, 4> hash_parts;
  for (const KeyClause* clause : key.hash) hash_parts.push_back(clause->value.view());
  std::string prefix =
      PartitionPrefix(hasher, table.number, index ? index->number : IndexNumber{0}, hash_parts);
  for (const KeyClause* clause : key.range) {
    if (clause->op != KeyOperator::kEq) return NarrowedRows(std::move(prefix), *clause);
    AppendKeyPart(prefix, clause->value.view());
  }
  std::string end = PrefixEnd(prefix);
  return {std::move(prefix), std::move(end)};
}

bool Satisfies(const KeyClause& clause, ItemView item) {
  const std::optional<ValueView> value = item.Find(clause.attribute);
  if (!value || value->type() != clause.value.type()) return false;
  const int order = CompareScalars(*value, clause.value.view());
  switch (clause.op) {
    case KeyOperator::kEq:
      return order == 0;
    case KeyOperator::kLt:
      return order < 0;
    case KeyOperator::kLe:
      return order <= 0;
    case KeyOperator::kGt:
      return order > 0;
    case KeyOperator::kGe:
      return order >= 0;
    case KeyOperator::kBetween:
      return order >= 0 && CompareScalars(*value, clause.upper.view()) <= 0;
    case KeyOperator::kBeginsWith:
      return value->type() == Type::kS ? value->S().starts_with(clause.value.view().S())
                                       : value->B().starts_with(clause.value.view().B());
    case KeyOperator::kNotIndexable:
      return false;
  }
  return false;
}

}  // namespace stator
